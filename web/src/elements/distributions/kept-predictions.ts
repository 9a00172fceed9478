import type {
	DistributionRows,
	RemoteDistribution,
} from "../../reviewing/remote-distribution.js";
import type { RankedRow } from "../../tools/review.js";
import type { FrameLines } from "../review/model-lines.js";
import type { KeptPredictions, Measure, RankedRows } from "../review/review-state.js";

/** Maximum number of listed predictions. */
const MAX_LISTED = 200;

/** What is asked for. */
export interface KeptFor {
	readonly rows: RankedRows;
	readonly active: number;
	readonly by: Measure;
	readonly scene: number;
	/** Numbers of kept rows, and of all. */
	readonly kept: number;
	readonly of: number;
}

/** Returns the predictions that pass the brushes, for the list and the picture. */
export async function keptPredictions(asked: KeptFor): Promise<KeptPredictions> {
	const { rows, active, by, scene } = asked;
	const { table, ids } = rows;
	const category = Math.max(0, ids.indexOf(active));
	const order = {
		column: table.indexOf(by),
		most: MAX_LISTED,
		of: table.indexOf("model"),
		category,
	};
	const [worst, worstTracks, here, summary] = await Promise.all([
		table.rows(order),
		table.rows({ ...order, once: true }),
		table.inScene(scene),
		table.summary(order.column, order.of),
	]);
	const own = summary.find(({ group }) => group === category);
	const compared = own?.mean.count ?? 0;
	return {
		...{ count: compared + (own?.missing ?? 0), compared, of: asked.of, by },
		worst: rankedRows(table, worst),
		worstTracks: rankedRows(table, worstTracks),
		...keptIn(table, here, ids),
	};
}

/** Returns that nothing is known to be kept in the scene, until it is asked for. */
export function keptNowhere(kept: KeptPredictions): KeptPredictions {
	return { ...kept, ...lookup(() => false) };
}

type Has = KeptPredictions["has"];

/** Numbers of a model and a frame in one: models are few. */
const MODEL = 2 ** 32;

/** Finds a scene's rows by model, frame and track, without an object for each. */
export function finder(
	{ frames, tracks }: Pick<DistributionRows, "frames" | "tracks">,
	models: Float64Array,
	ids: readonly number[],
): Has {
	const keys = new Float64Array(frames.length);
	const order = new Uint32Array(frames.length);
	let isSorted = true;
	// A loop, since scenes have up to a million rows.
	for (let i = 0; i < keys.length; i += 1) {
		keys[i] = MODEL * (models[i] ?? 0) + (frames[i] ?? 0);
		order[i] = i;
		if (i > 0 && (keys[i] ?? 0) < (keys[i - 1] ?? 0)) isSorted = false;
	}
	if (!isSorted) order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
	const keyAt = (at: number): number => keys[order[at] ?? 0] ?? 0;
	return (model, frame, track) => {
		const key = MODEL * ids.indexOf(model) + frame;
		let [low, high] = [0, order.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (keyAt(middle) < key) low = middle + 1;
			else high = middle;
		}
		for (let at = low; at < order.length && keyAt(at) === key; at += 1)
			if (tracks[order[at] ?? 0] === track) return true;
		return false;
	};
}

function keptIn(
	table: RemoteDistribution,
	here: DistributionRows,
	ids: readonly number[],
) {
	const count = here.rows.length;
	const first = table.indexOf("model") * count;
	return lookup(finder(here, here.values.subarray(first, first + count), ids));
}

function lookup(has: Has): Pick<KeptPredictions, "has" | "linesOf"> {
	const known = new WeakMap<FrameLines, FrameLines>();
	const linesOf = (model: number, lines: FrameLines): FrameLines => {
		const before = known.get(lines);
		if (before) return before;
		const found = partOf(lines, (track) => has(model, lines.frame, track));
		known.set(lines, found);
		return found;
	};
	return { has, linesOf };
}

/** Returns the lines of some tracks. */
export function partOf(
	lines: FrameLines,
	isKept: (track: bigint) => boolean,
): FrameLines {
	const modes = chosen(lines.tracks, isKept);
	const truth = chosen(lines.truthTracks, isKept);
	return {
		...lines,
		modes: linesAt(lines.modes, modes),
		confidences: Float64Array.from(modes, (i) => lines.confidences[i] ?? 0),
		tracks: BigInt64Array.from(modes, (i) => lines.tracks[i] ?? 0n),
		truth: linesAt(lines.truth, truth),
		truthSteps: Uint32Array.from(pointsAt(lines.truth, truth, lines.truthSteps)),
		truthTracks: BigInt64Array.from(truth, (i) => lines.truthTracks[i] ?? 0n),
	};
}

function chosen(tracks: BigInt64Array, isKept: (track: bigint) => boolean): number[] {
	return [...tracks.keys()].filter((i) => isKept(tracks[i] ?? 0n));
}

/** Returns the values of the chosen lines' points, of which `values` has one each. */
function pointsAt(
	{ offsets }: FrameLines["modes"],
	indexes: readonly number[],
	values: Uint32Array,
): number[] {
	return indexes.flatMap((i) => [...values.subarray(offsets[i], offsets[i + 1])]);
}

function linesAt(
	{ points, offsets }: FrameLines["modes"],
	indexes: readonly number[],
): FrameLines["modes"] {
	const parts = indexes.map((i) =>
		points.subarray(2 * (offsets[i] ?? 0), 2 * (offsets[i + 1] ?? 0)),
	);
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	const out = {
		points: new Float64Array(length),
		offsets: new Uint32Array(parts.length + 1),
	};
	let at = 0;
	parts.forEach((part, i) => {
		out.points.set(part, at);
		at += part.length;
		out.offsets[i + 1] = at / 2;
	});
	return out;
}

function rankedRows(table: RemoteDistribution, rows: DistributionRows): RankedRow[] {
	const value = (name: string, i: number): number =>
		rows.values[table.indexOf(name) * rows.rows.length + i] ?? Number.NaN;
	return Array.from(rows.scenes, (scene, i) => ({
		...{ scene, frame: rows.frames[i] ?? 0, track: rows.tracks[i] ?? 0n },
		...{ seen: value("steps", i), ade: value("ade", i) },
		...{ fde: value("fde", i), nll: value("nll", i) },
	}));
}
