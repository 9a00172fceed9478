// Readers of a data set on a failing server, run in a page: every result is compared with the
// truth, the same data set on a server without failures. Served, not bundled.

import { random } from "./random.js";

/** More than one, since on a busy machine a response may exceed the short time limit. */
const CALM_RETRIES = 5;

const FETCHING = { timeoutMs: 400, retry: { retries: 2, delayMs: 4 } };

/** Returns FNV-1a over the bytes of arrays and over text. */
function digest(parts) {
	let hash = 0x811c9dc5;
	const add = (byte) => {
		hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
	};
	for (const part of parts) {
		const bytes = ArrayBuffer.isView(part)
			? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
			: new TextEncoder().encode(String(part));
		for (const byte of bytes) add(byte);
		add(bytes.length & 255);
	}
	return hash;
}

const ofColumns = (columns) =>
	digest(columns.names.map((name) => columns.column(name).data));

/** Queries of the readers. Each returns a hash to compare with the truth. */
const QUESTIONS = {
	async rows({ dataset }, { array, begin, end }, options) {
		return ofColumns(await dataset[array].rows(begin, end, options));
	},
	async frame({ dataset }, { scene, frame }, options) {
		const view = await dataset.frame(scene, frame, { past: 3, future: 2, ...options });
		const { ego, agents, lights } = view;
		const said = [view.timestamp, ego.translation, ego.trail, ego.future];
		const seen = [agents.track_id, agents.centroid, agents.speed, agents.class];
		return digest([...said, ...seen, ...lights.face_id, lights.state]);
	},
	async timeline({ dataset }, { scene }, options) {
		const { ego, faces, anomalies, lights } = await dataset.timeline(scene, options);
		const seen = [...faces, ...anomalies].map((one) =>
			JSON.stringify(Object.values(one), text),
		);
		const { begin, end, state, active_face } = lights.runs;
		const runs = [...lights.id, begin, end, state, active_face];
		return digest([ego.speed, ego.yaw, ...seen, ...runs]);
	},
	async sample({ ego }, { index }, options) {
		const sample = await ego.sample(index, options);
		return digest([sample.history_positions.data, sample.target_positions.data]);
	},
};

const text = (_, value) => (typeof value === "bigint" ? `${value}` : value);

/** Returns a random query. */
function draw(next, { scenes, frames, counts }) {
	const below = (limit) => Math.floor(next() * limit);
	const kind = ["rows", "rows", "frame", "frame", "frame", "timeline", "sample"][
		below(7)
	];
	if (kind === "rows") {
		const array = ["frames", "agents", "traffic_light_faces"][below(3)];
		const begin = below(counts[array]);
		const end = Math.min(counts[array], begin + 1 + below(60));
		return { kind, array, begin, end };
	}
	if (kind === "sample") return { kind, index: below(scenes * frames) };
	return { kind, scene: below(scenes), frame: below(frames) };
}

/** Concurrent readers of `url`, whose results are compared with those of `truth`. */
export class Visit {
	#lib;
	#options;
	#next;
	#truth;
	#answers = [];
	#opened;
	#tally = {
		right: 0,
		wrong: [],
		failed: {},
		untyped: [],
		aborted: 0,
		reopened: 0,
		changed: 0,
	};

	constructor(lib, options) {
		this.#lib = lib;
		this.#options = options;
		this.#next = random(options.seed);
	}

	/** Runs `steps` queries in each of three readers, with aborts, and compares the results. */
	async run(steps) {
		this.#truth ??= await this.#open(this.#options.truth, {});
		await Promise.all([1, 2, 3].map((reader) => this.#read(reader, steps)));
		await this.#compare();
		return this.#tally;
	}

	/**
	 * Queries the same data set after the server works again. The data set is reopened if it
	 * has detected a change, which happens once. Other failures, such as a damaged chunk that
	 * was read before and is decoded only now, must disappear once they are forgotten.
	 */
	async calm(steps) {
		const before = this.#tally.changed;
		const lasting = [];
		for (let step = 0; step < steps; step += 1) {
			const question = draw(this.#next, this.#options.size);
			let error = await this.#ask(question);
			for (let again = 0; error && again < CALM_RETRIES; again += 1) {
				(await this.#opened?.catch(() => undefined))?.dataset.forgetFailures();
				error = await this.#ask(question);
			}
			if (error) lasting.push(`${JSON.stringify(question)}: ${error.message}`);
		}
		await this.#compare();
		const changedInCalm = this.#tally.changed - before;
		return { ...this.#tally, lasting, changedInCalm };
	}

	async #open(url, options) {
		const { lib, config } = { lib: this.#lib, config: this.#options.config };
		const source = new lib.FetchSource(url, FETCHING);
		const dataset = await lib.ChunkedDataset.open(source, options);
		try {
			const ego = await lib.EgoDataset.create(config, dataset, { image: "none" });
			return { dataset, ego };
		} catch (error) {
			dataset.close();
			throw error;
		}
	}

	async #read(reader, steps) {
		for (let step = 0; step < steps; step += 1) {
			const question = draw(this.#next, this.#options.size);
			const seeks = this.#next() < 0.25;
			if (!seeks) {
				await this.#ask(question);
				continue;
			}
			// Simulates a seek: aborts the query, immediately or soon, for the next one.
			const control = new AbortController();
			const asked = this.#ask(question, control.signal);
			await new Promise((done) => setTimeout(done, this.#next() * 6));
			control.abort(new DOMException(`reader ${reader} seeks`, "AbortError"));
			await asked;
		}
	}

	/** Returns the error; undefined without one, or for an abort. */
	async #ask(question, signal) {
		this.#opened ??= this.#open(this.#options.url, this.#options.opening);
		const opened = this.#opened;
		try {
			const got = await QUESTIONS[question.kind](await opened, question, { signal });
			this.#answers.push({ question, got });
		} catch (error) {
			if (!this.#judge(error, question, signal)) return undefined;
			await this.#recover(error, opened);
			return error;
		}
		return undefined;
	}

	/** Returns whether the failure has a code; the only other valid one is the reader's abort. */
	#judge(error, question, signal) {
		const tally = this.#tally;
		if (signal?.aborted && error === signal.reason) {
			tally.aborted += 1;
			return false;
		}
		if (!(error instanceof this.#lib.BevError) || error.code === "internal") {
			tally.untyped.push(`${JSON.stringify(question)}: ${error?.stack ?? error}`);
			return false;
		}
		tally.failed[error.code] = (tally.failed[error.code] ?? 0) + 1;
		if (/changed/.test(error.message)) tally.changed += 1;
		return true;
	}

	/** Recovers like a page: retries, and reopens a data set that failed to open or has changed. */
	async #recover(error, opening) {
		const opened = await opening.catch(() => undefined);
		if (opened && !/changed/.test(error.message)) {
			if (this.#next() < 0.5) opened.dataset.forgetFailures();
			return;
		}
		if (this.#opened !== opening) return;
		this.#tally.reopened += 1;
		this.#opened = undefined;
		opened?.dataset.close();
	}

	async #compare() {
		const answers = this.#answers.splice(0);
		for (const { question, got } of answers) {
			const expected = await QUESTIONS[question.kind](await this.#truth, question, {});
			if (got === expected) this.#tally.right += 1;
			else this.#tally.wrong.push(JSON.stringify(question));
		}
	}
}
