// What the lists and distributions of a random tester must contain: facts of tracks, and
// predictions whose errors are known because they are made with them. Served, not bundled.

/** Steps of the predictions. */
const STEPS = 5;
/** Predicted are frames 0, 10, 20 ... */
const EVERY = 10;
/** Rows that lists render at once. */
const RENDERED = 50;
/** Rows that distributions list. */
const LISTED = 50;

/** The error of a model's predictions of a track, in metres: that of every step. */
function errorOf(model, track) {
	return 0.25 * (1 + Number(track % 8n)) * (model + 1);
}

/** Predictions of two models in all scenes, and which of their last steps are recorded. */
async function predictionsOf(truth, frames) {
	const rows = [];
	const [timestamps, tracks] = [[], []];
	const coords = [[], []];
	for (let scene = 0; scene < truth.scenes.length; scene += 1) {
		const places = [];
		for (let frame = 0; frame < frames + STEPS; frame += 1) {
			const { agents, timestamp } = await truth.frame(scene, frame, { threshold: 0 });
			const at = new Map();
			agents.track_id.forEach((track, i) => {
				at.set(track, [agents.centroid[2 * i], agents.centroid[2 * i + 1]]);
			});
			places.push({ at, timestamp });
		}
		for (let frame = 0; frame < frames; frame += EVERY) {
			const { at, timestamp } = places[frame];
			for (const [track, [x, y]] of at) {
				const isKnown = places[frame + STEPS].at.has(track);
				rows.push({ scene, frame, track, isKnown });
				timestamps.push(timestamp);
				tracks.push(track);
				for (const [model, of] of coords.entries())
					for (let step = 1; step <= STEPS; step += 1) {
						const [tx, ty] = places[frame + step].at.get(track) ?? [x, y];
						of.push(tx - x + errorOf(model, track), ty - y);
					}
			}
		}
	}
	const from = (of) => ({
		timestamps: BigInt64Array.from(timestamps),
		track_ids: BigInt64Array.from(tracks),
		confidences: new Float64Array(tracks.length).fill(1),
		coords: Float64Array.from(of),
	});
	const models = coords.map((of, i) => ({ name: `model ${i + 1}`, from: from(of) }));
	return { rows, models };
}

/** The least value of a link's brush `b.NAME=LOW~HIGH`, and the end. */
function brushOf(text, name) {
	const [, low = "", high = ""] =
		new RegExp(`;b\\.${name}=([\\d.]*)~([\\d.]*)`).exec(text) ?? [];
	const isIn = (value) =>
		value >= (low === "" ? Number.NEGATIVE_INFINITY : Number(low)) &&
		value < (high === "" ? Number.POSITIVE_INFINITY : Number(high));
	return low + high === "" ? undefined : isIn;
}

const words = (count) => count.toLocaleString("en");

export class ListTruth {
	#facts;
	#rows;
	models;

	/** @param frames number of frames that are visited per scene */
	static async make(truth, frames) {
		const made = new ListTruth();
		const facts = await truth.facts({ table: "tracks" }).read();
		const column = (name) => facts.column(name).data;
		const [scenes, tracks] = [column("scene"), column("track_id")];
		const speeds = column("max_speed");
		made.#facts = Array.from(scenes, (scene, i) => ({
			...{ scene, track: tracks[i], value: speeds[i] },
		}));
		const { rows, models } = await predictionsOf(truth, frames);
		made.#rows = rows;
		made.models = models;
		return made;
	}

	/**
	 * Returns the words for the rows of a distribution, and the largest values of its list;
	 * undefined if it is not of tracks or predictions.
	 */
	distribution(text) {
		// Without `on`, the list is by another fact.
		if (text.startsWith("tracks"))
			return text.includes(";on=max_speed") ? this.#tracks(text) : undefined;
		if (!text.startsWith("predictions")) return undefined;
		const isIn = brushOf(text, "ade");
		const all = [0, 1].flatMap((model) =>
			this.#rows.map((row) => ({ ...row, value: errorOf(model, row.track) })),
		);
		const kept = isIn
			? all.filter(({ isKnown, value }) => isKnown && isIn(value))
			: all;
		const known = kept.filter(({ isKnown }) => isKnown);
		return this.#told("prediction", {
			all,
			kept,
			known,
			isFiltered: isIn !== undefined,
		});
	}

	#tracks(text) {
		const isIn = brushOf(text, "max_speed");
		const all = this.#facts;
		const kept = isIn ? all.filter(({ value }) => isIn(value)) : all;
		const known = kept.filter(({ value }) => !Number.isNaN(value));
		return this.#told("agent", { all, kept, known, isFiltered: isIn !== undefined });
	}

	#told(word, { all, kept, known, isFiltered }) {
		const of = isFiltered ? `${words(kept.length)} of ` : "";
		const ending = isFiltered ? " kept" : "";
		const values = known.map(({ value }) => value).sort((a, b) => b - a);
		return {
			text: `${of}${words(all.length)} ${word}s${ending} in `,
			values: values.slice(0, LISTED),
		};
	}

	/**
	 * Returns what a list shows with its brush: the sorted values of its first rows, the
	 * values of each row by its first cells, and the number of these.
	 */
	list({ scene, list, distributions, model }) {
		const isIn = brushOf(distributions, "ade") ?? (() => true);
		const compares = list.startsWith("worse");
		const isAll = list.includes("all");
		const byFrame = list.endsWith("frames");
		const kept = this.#rows
			.filter((row) => row.isKnown && (isAll || row.scene === scene))
			.map((row) => ({ ...row, errors: [0, 1].map((of) => errorOf(of, row.track)) }))
			.filter(({ errors }) => (compares ? errors.some(isIn) : isIn(errors[model])));
		const values = new Map();
		for (const { scene, frame, track, errors } of kept) {
			const who = compares ? [track, frame] : isAll ? [frame, track] : [track, frame];
			const of = [...(isAll ? [scene] : []), ...(byFrame ? [frame] : who)].join(" ");
			const sums = values.get(of) ?? [0, 0, 0];
			values.set(of, [sums[0] + errors[0], sums[1] + errors[1], sums[2] + 1]);
		}
		for (const [of, [a, b, count]] of values) {
			const means = [a / count, b / count];
			values.set(of, compares ? [...means, means[1] - means[0]] : [means[model]]);
		}
		const last = [...values].map(([of, all]) => [of, all.at(-1)]);
		const order = (list.endsWith("tracks") ? greatestOfTracks(kept, last, isAll) : last)
			.map(([, value]) => value)
			.sort((one, other) => other - one);
		const cells = (isAll ? 1 : 0) + (byFrame ? 1 : 2);
		return { order: order.slice(0, RENDERED), values, cells };
	}
}

/** Returns one value for each track of a scene: the error is the same in all frames. */
function greatestOfTracks(kept, values, isAll) {
	const seen = new Set();
	return values.filter((_, i) => {
		const { scene, track } = kept[i];
		const one = isAll ? `${scene} ${track}` : `${track}`;
		return !seen.has(one) && seen.add(one);
	});
}
