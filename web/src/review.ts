import type { CoreArray } from "./core.js";
import type {
	Breakdown,
	CorePredictionReader,
	CoreRanking,
	CoreReview,
	CoreSceneTracks,
	RankingReport,
	ReviewedFrame,
	ReviewedRow,
	ReviewShape,
	Score,
} from "./core-tools.js";
import type { Polylines } from "./frame-view.js";
import { bytesOf, guard, pick } from "./tools-wire.js";

export type {
	Breakdown,
	ModeScore,
	RankedRow,
	RankingReport,
	ReviewedFrame,
	ReviewedRow,
	ReviewShape,
	Score,
	Subject,
	SubjectScore,
} from "./core-tools.js";

/** The greatest first, by each measure; what is not known last. */
type Ranked<T> = Readonly<Record<keyof Score, readonly T[]>>;

/** What is predicted in one scene, in the order of frames, then of tracks. */
export interface ReviewReport {
	readonly rows: readonly ReviewedRow[];
	readonly frames: readonly ReviewedFrame[];
	readonly worst: {
		readonly rows: Ranked<ReviewedRow>;
		readonly frames: Ranked<ReviewedFrame>;
	};
	readonly mean: Score;
	/** The same by class, mode and step. */
	readonly breakdown: Breakdown;
	/** Predictions that could be compared, and those of them that end over 2 m away. */
	readonly compared: number;
	readonly missed: number;
	/** Predictions of a time of the scene whose track is not in that frame. */
	readonly unknown: number;
}

/** Where everything is in the frames of one scene, as its arrays have it. */
export interface SceneTracks {
	/** Of n frames. */
	readonly timestamps: BigInt64Array;
	/** (n, 3), metres in world. */
	readonly ego_translation: Float64Array;
	/** (n, 2), as stored. */
	readonly agent_index_interval: BigInt64Array;
	/** Of the rows that those span; `centroids` is (rows, 2). */
	readonly track_ids: BigUint64Array;
	readonly centroids: Float64Array;
	/** (rows, 17); without them agents are `unlabelled`. */
	readonly label_probabilities?: Float32Array | undefined;
}

/** What is predicted in one frame, in world. */
export interface PredictedLines {
	/** A line a mode: where the agent is, then a point a step. */
	readonly modes: Polylines;
	/** Of each mode: how probable it is, and of which track; -1 is the ego. */
	readonly confidences: Float64Array;
	readonly tracks: BigInt64Array;
	/** A line an agent: where it went, as far as the scene knows. */
	readonly truth: Polylines;
	readonly truthTracks: BigInt64Array;
}

/**
 * Predictions beside what happened, joined by timestamp and track and scored as L5Kit scores.
 *
 * ```ts
 * const review = tools.review(await file.text(), file.name);
 * const { rows, mean } = review.lookAt(tracks);
 * ```
 */
export class PredictionReview implements Disposable {
	readonly #core: CoreReview;
	#released = false;

	constructor(core: CoreReview) {
		this.#core = core;
	}

	/** How many there are, of how many modes and steps. */
	get shape(): ReviewShape {
		return this.#core.shape();
	}

	/** Scores what is predicted in a scene. */
	lookAt(scene: SceneTracks): ReviewReport {
		guarded(() => this.#core.lookAt(tracksOf(scene)));
		const { row_orders, frame_orders, ...report } = guarded(() => this.#core.report());
		const { rows, frames } = report;
		const worst = {
			rows: inOrders(rows, row_orders),
			frames: inOrders(frames, frame_orders),
		};
		return { ...report, worst };
	}

	/** Of the same predictions, over as many scenes as it is given; of each measure the `most` worst. */
	ranking(most: number): PredictionRanking {
		return new PredictionRanking(guarded(() => this.#core.ranking(most)));
	}

	/** Of a frame of the scene looked at last; empty where nothing is predicted. */
	lines(frame: number): PredictedLines {
		const arrays = guarded(() => this.#core.lines(frame));
		const lines = (points: string, offsets: string): Polylines => ({
			points: pick(arrays, points, Float64Array),
			offsets: pick(arrays, offsets, Uint32Array),
		});
		return {
			modes: lines("points", "offsets"),
			confidences: pick(arrays, "confidences", Float64Array),
			tracks: pick(arrays, "track_ids", BigInt64Array),
			truth: lines("truth", "truth_offsets"),
			truthTracks: pick(arrays, "truth_track_ids", BigInt64Array),
		};
	}

	/** Frees its memory; may be called again. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	[Symbol.dispose](): void {
		this.release();
	}
}

/**
 * Reads a file of predictions piece by piece, so that neither its text nor a pause as long as
 * the file is needed.
 *
 * ```ts
 * using reader = tools.predictionReader(file.name);
 * for await (const bytes of file.stream()) reader.add(bytes);
 * const review = reader.finish();
 * ```
 */
export class PredictionReader implements Disposable {
	readonly #core: CorePredictionReader;
	#released = false;

	constructor(core: CorePredictionReader) {
		this.#core = core;
	}

	/**
	 * Takes the next bytes of the file; a piece may end anywhere.
	 *
	 * @throws BevError naming the line that is wrong; `out_of_memory` for more than 1 GiB of
	 * predictions. The reader is of no use afterwards.
	 */
	add(bytes: Uint8Array): void {
		guarded(() => this.#core.add(bytes));
	}

	/** Returns the predictions of the whole file. */
	finish(): PredictionReview {
		return new PredictionReview(guarded(() => this.#core.finish()));
	}

	/** Frees its memory; may be called again. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	[Symbol.dispose](): void {
		this.release();
	}
}

/** The worst of many scenes, which are added one by one. */
export class PredictionRanking implements Disposable {
	readonly #core: CoreRanking;
	#released = false;

	constructor(core: CoreRanking) {
		this.#core = core;
	}

	/** Whether anything is predicted at one of the times: other scenes need not be added. */
	wants(timestamps: BigInt64Array): boolean {
		return guarded(() => this.#core.wants(bytesOf(timestamps)));
	}

	add(scene: number, tracks: SceneTracks): void {
		guarded(() => this.#core.add(scene, tracksOf(tracks)));
	}

	report(): RankingReport {
		return guarded(() => this.#core.report());
	}

	/** Frees its memory; may be called again. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	[Symbol.dispose](): void {
		this.release();
	}
}

function tracksOf(scene: SceneTracks): CoreSceneTracks {
	return {
		timestamps: bytesOf(scene.timestamps),
		ego_translation: scene.ego_translation,
		agent_index_interval: bytesOf(scene.agent_index_interval),
		track_ids: bytesOf(scene.track_ids),
		centroids: scene.centroids,
		...(scene.label_probabilities && {
			label_probabilities: bytesOf(scene.label_probabilities),
		}),
	};
}

function inOrders<T>(all: readonly T[], orders: readonly CoreArray[]): Ranked<T> {
	const by = (measure: keyof Score): T[] =>
		Array.from(pick(orders, measure, Uint32Array)).flatMap((i) => all[i] ?? []);
	return { ade: by("ade"), fde: by("fde"), nll: by("nll") };
}

function guarded<T>(call: () => T): T {
	return guard(call)() as T;
}
