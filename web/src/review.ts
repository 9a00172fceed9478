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

/** Sorted by each measure, largest value first, unknown values last. */
type Ranked<T> = Readonly<Record<keyof Score, readonly T[]>>;

/** The predictions of one scene, sorted by frame, then by track. */
export interface ReviewReport {
	/** Predictions of the scene. */
	readonly rows: readonly ReviewedRow[];
	/** Frames with predictions. */
	readonly frames: readonly ReviewedFrame[];
	/** The predictions and frames with the largest errors. */
	readonly worst: {
		readonly rows: Ranked<ReviewedRow>;
		readonly frames: Ranked<ReviewedFrame>;
	};
	/** Mean errors. */
	readonly mean: Score;
	/** Scores by class, mode and future step. */
	readonly breakdown: Breakdown;
	/** Predictions that could be compared; those of them that end more than 2 m off. */
	readonly compared: number;
	/** Compared predictions that end more than 2 m off. */
	readonly missed: number;
	/** Predictions at a time of the scene whose track is absent in that frame. */
	readonly unknown: number;
}

/**
 * Positions of the ego vehicle and agents in one scene, in the layout of its arrays.
 */
export interface SceneTracks {
	/** One per frame. */
	readonly timestamps: BigInt64Array;
	/** (n, 3), metres in world. */
	readonly ego_translation: Float64Array;
	/** (n, 2), as stored. */
	readonly agent_index_interval: BigInt64Array;
	/** Of the rows covered by the intervals; `centroids` is (rows, 2). */
	readonly track_ids: BigUint64Array;
	/** Position of each agent in world, x and y. */
	readonly centroids: Float64Array;
	/** (rows, 17); if undefined, agents are `unlabelled`. */
	readonly label_probabilities?: Float32Array | undefined;
}

/** The predictions of one frame, in world. */
export interface PredictedLines {
	/** One line per mode: the agent's position, then one point per step. */
	readonly modes: Polylines;
	/** Per mode: its probability, and its track; -1 is the ego vehicle. */
	readonly confidences: Float64Array;
	/** Track id of each mode; -1 is the ego vehicle. */
	readonly tracks: BigInt64Array;
	/** One line per agent: its recorded positions, as far as the scene contains them. */
	readonly truth: Polylines;
	/** Track id of each line of `truth`. */
	readonly truthTracks: BigInt64Array;
}

/**
 * Predictions compared with recorded positions, joined by timestamp and track and
 * scored like L5Kit.
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

	/** Number of predictions, modes and steps. */
	get shape(): ReviewShape {
		return this.#core.shape();
	}

	/** Scores the predictions of a scene. */
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

	/**
	 * Starts a ranking of the same predictions over several scenes; it reports the `most`
	 * worst by each measure.
	 */
	ranking(most: number): PredictionRanking {
		return new PredictionRanking(guarded(() => this.#core.ranking(most)));
	}

	/**
	 * Returns the predictions of a frame of the scene last passed to `lookAt`; empty if
	 * there are none.
	 */
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

	/** Frees the memory; idempotent. */
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
 * Parses a file of predictions incrementally, without holding its text and without
 * blocking for the whole file.
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
	 * Parses the file's next bytes; they may end anywhere. After an error the reader
	 * cannot be used any more.
	 *
	 * @throws BevError naming the invalid line; `limit_exceeded` for more than 1 GiB of
	 * predictions
	 */
	add(bytes: Uint8Array): void {
		guarded(() => this.#core.add(bytes));
	}

	/** Returns the predictions of the whole file. */
	finish(): PredictionReview {
		return new PredictionReview(guarded(() => this.#core.finish()));
	}

	/** Frees the memory; idempotent. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	[Symbol.dispose](): void {
		this.release();
	}
}

/** The worst predictions of several scenes, which are added one by one. */
export class PredictionRanking implements Disposable {
	readonly #core: CoreRanking;
	#released = false;

	constructor(core: CoreRanking) {
		this.#core = core;
	}

	/**
	 * Whether there are predictions at any of the times; other scenes need not be added.
	 */
	wants(timestamps: BigInt64Array): boolean {
		return guarded(() => this.#core.wants(bytesOf(timestamps)));
	}

	/** Adds the tracks of a scene. */
	add(scene: number, tracks: SceneTracks): void {
		guarded(() => this.#core.add(scene, tracksOf(tracks)));
	}

	/** Returns the ranking of the scenes added so far. */
	report(): RankingReport {
		return guarded(() => this.#core.report());
	}

	/** Frees the memory; idempotent. */
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
