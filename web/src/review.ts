import type { CoreArray } from "./core.js";
import type {
	Breakdown,
	CorePredictionReader,
	CoreRanking,
	CoreReview,
	CoreReviewScene,
	CoreSceneTracks,
	Counting,
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
	Counting,
	HorizonScore,
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

/** The same elements sorted by each measure: largest value first, NaN last. */
type Ranked<T> = Readonly<Record<keyof Score, readonly T[]>>;

/** The scored predictions of one scene. */
export interface ReviewReport {
	/** Predictions for agents of the scene, sorted by frame, then by track. */
	readonly rows: readonly ReviewedRow[];
	/** Frames with predictions, in order. */
	readonly frames: readonly ReviewedFrame[];
	/** `rows` and `frames`, sorted by each measure: largest value first, NaN last. */
	readonly worst: {
		/** Rows by measure. */
		readonly rows: Ranked<ReviewedRow>;
		/** The worst row of each track by measure. */
		readonly tracks: Ranked<ReviewedRow>;
		/** Frames by measure. */
		readonly frames: Ranked<ReviewedFrame>;
	};
	/** Mean over all compared predictions. */
	readonly mean: Score;
	/** Scores by class, mode and future step. */
	readonly breakdown: Breakdown;
	/** Number of `rows` with a recorded position at one step at least. */
	readonly begun: number;
	/** Number of `rows` with a score. */
	readonly compared: number;
	/** Number of compared predictions whose FDE is above 2 m. */
	readonly missed: number;
	/**
	 * Number of predictions at the time of a frame that does not contain their track.
	 * They are not in `rows`.
	 */
	readonly unknown: number;
}

/**
 * Recorded positions of the ego vehicle and the agents of one scene: columns of the
 * scene's n frames, and of the m rows of `agents` that these frames contain.
 */
export interface SceneTracks {
	/** (n) nanoseconds, as stored. */
	readonly timestamps: BigInt64Array;
	/** (n, 3) position of the ego vehicle in world, metres. */
	readonly ego_translation: Float64Array;
	/** (n, 2) rows of each frame's agents, as stored: they may begin at any row. */
	readonly agent_index_interval: BigInt64Array;
	/** (m) track id of each agent. */
	readonly track_ids: BigUint64Array;
	/** (m, 2) position of each agent in world, metres. */
	readonly centroids: Float64Array;
	/** (m, 17); without it, all agents are `unlabelled`. */
	readonly label_probabilities?: Float32Array | undefined;
}

/** Predictions and recorded paths of one frame's agents. Metres in world. */
export interface PredictedLines {
	/**
	 * The predicted paths: one line per agent and mode, from the agent's position to the
	 * last step. Modes of confidence 0 have no line.
	 */
	readonly modes: Polylines;
	/** Confidence of each line of `modes`, 0 to 1. */
	readonly confidences: Float64Array;
	/** Track id of each line of `modes`; -1 is the ego vehicle. */
	readonly tracks: BigInt64Array;
	/**
	 * The recorded paths: one line per predicted agent, as far as the scene contains its
	 * positions.
	 */
	readonly truth: Polylines;
	/** Track id of each line of `truth`; -1 is the ego vehicle. */
	readonly truthTracks: BigInt64Array;
}

/** Return the core's object behind one of this module's. */
export let coreReviewOf: (review: PredictionReview) => CoreReview;
export let coreRankingOf: (ranking: PredictionRanking) => CoreRanking;
let coreSceneOf: (scene: ReviewScene) => CoreReviewScene;

/**
 * A scene's tracks, prepared once for the predictions of several models.
 *
 * Create it with `Tools.reviewScene`. It owns memory of the tools module: release it, or
 * declare it with `using`. Reviews that look at it keep what they need.
 */
export class ReviewScene implements Disposable {
	static {
		coreSceneOf = (scene) => scene.#core;
	}
	readonly #core: CoreReviewScene;
	#released = false;

	constructor(core: CoreReviewScene) {
		this.#core = core;
	}

	/** Frees the memory; idempotent. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}

/**
 * A set of predictions, compared with the recorded positions of one scene at a time.
 * Predictions and agents are joined by timestamp and track id, and scored by L5Kit's metrics.
 * If an agent has several predictions at one time, the last one counts.
 *
 * Create it with `Tools.review` or a `PredictionReader`. It owns memory of the tools
 * module: release it, or declare it with `using`. Every call after that throws a
 * BevError.
 *
 * ```ts
 * const review = tools.review(await file.text(), file.name);
 * const { rows, mean } = review.lookAt(tracks);
 * ```
 */
export class PredictionReview implements Disposable {
	static {
		coreReviewOf = (review) => review.#core;
	}
	readonly #core: CoreReview;
	#released = false;

	constructor(core: CoreReview) {
		this.#core = core;
	}

	/** Numbers of predictions, modes and steps. */
	get shape(): ReviewShape {
		return guarded(() => this.#core.shape());
	}

	/**
	 * Sets how scenes that are looked at from now on, and rankings made from now on, are
	 * scored: `l5kit` at first.
	 */
	count(counting: Counting): void {
		guard(() => this.#core.count(counting))();
	}

	/**
	 * Scores the predictions for a scene's agents; `lines` refers to this scene from now
	 * on.
	 *
	 * @throws BevError `invalid_argument` if the columns' lengths do not match,
	 * `corrupt_chunk` for intervals outside the columns
	 */
	lookAt(scene: SceneTracks | ReviewScene): ReviewReport {
		guarded(() =>
			scene instanceof ReviewScene
				? this.#core.lookAtScene(coreSceneOf(scene))
				: this.#core.lookAt(tracksOf(scene)),
		);
		const { row_orders, frame_orders, track_orders, ...report } = guarded(() =>
			this.#core.report(),
		);
		const { rows, frames } = report;
		const worst = {
			rows: inOrders(rows, row_orders),
			tracks: inOrders(rows, track_orders),
			frames: inOrders(frames, frame_orders),
		};
		return { ...report, worst };
	}

	/**
	 * Starts a ranking of the same predictions over several scenes. Release it as well.
	 *
	 * @param most maximum number of predictions reported by each measure
	 */
	ranking(most: number): PredictionRanking {
		return new PredictionRanking(guarded(() => this.#core.ranking(most)));
	}

	/**
	 * Returns the predictions of a frame of the scene last passed to `lookAt`; without
	 * lines if there are none.
	 *
	 * @param frame index of the frame in its scene
	 */
	lines(frame: number): PredictedLines {
		return linesOf(guarded(() => this.#core.lines(frame)));
	}

	/** Frees the memory; idempotent. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}

/**
 * Parses a file of predictions, L5Kit's CSV, in pieces: the file's text is never in
 * memory as a whole, and the calling thread is blocked for one piece at a time.
 *
 * Create it with `Tools.predictionReader`. It owns memory of the tools module: release
 * it, or declare it with `using`.
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
	 * Parses the file's next bytes; they may end anywhere, even within a number. After an
	 * error the reader cannot be used any more.
	 *
	 * @throws BevError `invalid_argument`, with the line, for invalid values, and for
	 * confidences that are negative or do not sum to 1; `limit_exceeded` for more than
	 * 1 GiB of predictions, or a line above 4 MiB
	 */
	add(bytes: Uint8Array): void {
		guarded(() => this.#core.add(bytes));
	}

	/**
	 * Returns the predictions of the whole file. Call it once, after the last bytes.
	 *
	 * @throws BevError `invalid_argument` for an invalid last line or a file without a
	 * header
	 */
	finish(): PredictionReview {
		return new PredictionReview(guarded(() => this.#core.finish()));
	}

	/** Frees the memory; idempotent. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}

/**
 * Finds the worst predictions of many scenes, which are added one by one.
 *
 * Create it with `PredictionReview.ranking`. It owns memory of the tools module: release
 * it, or declare it with `using`.
 */
export class PredictionRanking implements Disposable {
	static {
		coreRankingOf = (ranking) => ranking.#core;
	}
	readonly #core: CoreRanking;
	#released = false;

	constructor(core: CoreRanking) {
		this.#core = core;
	}

	/**
	 * Returns whether there are predictions at any of these times. If not, the scene need
	 * not be read and added.
	 *
	 * @param timestamps of the scene's frames, nanoseconds
	 */
	wants(timestamps: BigInt64Array): boolean {
		return guarded(() => this.#core.wants(bytesOf(timestamps)));
	}

	/**
	 * Scores the predictions for a scene's agents, and adds them to the ranking.
	 *
	 * @param scene index of the scene, for `RankedRow.scene`
	 * @throws BevError as `PredictionReview.lookAt`
	 */
	add(scene: number, tracks: SceneTracks | ReviewScene): void {
		guarded(() =>
			tracks instanceof ReviewScene
				? this.#core.addScene(scene, coreSceneOf(tracks))
				: this.#core.add(scene, tracksOf(tracks)),
		);
	}

	/**
	 * Returns the predictions of a frame of the scene added last; without lines if there
	 * are none.
	 *
	 * @param frame index of the frame in its scene
	 */
	lines(frame: number): PredictedLines {
		return linesOf(guarded(() => this.#core.lines(frame)));
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

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}

/** Converts tracks for the core. */
export function tracksOf(scene: SceneTracks): CoreSceneTracks {
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

function linesOf(arrays: readonly CoreArray[]): PredictedLines {
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

function inOrders<T>(all: readonly T[], orders: readonly CoreArray[]): Ranked<T> {
	const by = (measure: keyof Score): T[] =>
		Array.from(pick(orders, measure, Uint32Array)).flatMap((i) => all[i] ?? []);
	return { ade: by("ade"), fde: by("fde"), nll: by("nll") };
}

function guarded<T>(call: () => T): T {
	return guard(call)() as T;
}
