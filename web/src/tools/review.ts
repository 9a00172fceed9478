import { CoreObject, type Handle, idOf } from "../core/core.js";
import { linesOf, rankingReportOf, reviewReportOf } from "./reports.js";
import type {
	Counting,
	PredictedLines,
	RankingReport,
	ReviewReport,
	ReviewShape,
} from "./scores.js";

export type {
	Breakdown,
	Counting,
	HorizonScore,
	ModeScore,
	PredictedLines,
	RankedRow,
	RankingReport,
	ReviewedFrame,
	ReviewedRow,
	ReviewReport,
	ReviewShape,
	Score,
	Subject,
	SubjectScore,
} from "./scores.js";

/** No limit on the rows of an order. */
const ALL = 2 ** 32 - 1;

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

/**
 * A scene's tracks, prepared once for the predictions of several models.
 *
 * Create it with `Tools.reviewScene`. It owns memory of the tools module: release it, or
 * declare it with `using`. Reviews that look at it keep what they need.
 */
export class ReviewScene extends CoreObject<"ReviewScene"> {}

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
export class PredictionReview extends CoreObject<"Review"> {
	/** Numbers of predictions, modes and steps. */
	get shape(): ReviewShape {
		return this.core.run("review_shape", { review: this.id });
	}

	/**
	 * Sets how scenes that are looked at from now on, and rankings made from now on, are
	 * scored: `l5kit` at first.
	 */
	count(counting: Counting): void {
		this.core.run("set_counting", { review: this.id, counting });
	}

	/**
	 * Scores the predictions for a scene's agents; `lines` refers to this scene from now
	 * on.
	 *
	 * @throws BevError `invalid_argument` if the columns' lengths do not match,
	 * `corrupt_chunk` for intervals outside the columns
	 */
	lookAt(scene: SceneTracks | ReviewScene): ReviewReport {
		if (scene instanceof ReviewScene) return this.#lookAt(idOf(scene));
		const prepared = this.core.run("review_scene", scene);
		try {
			return this.#lookAt(prepared);
		} finally {
			this.core.release(prepared);
		}
	}

	/**
	 * Starts a ranking of the same predictions over several scenes. Release it as well.
	 *
	 * @param most maximum number of predictions reported by each measure
	 */
	ranking(most: number): PredictionRanking {
		const { core, id: review } = this;
		return new PredictionRanking(core, core.run("ranking", { review, most }));
	}

	/**
	 * Returns the predictions of a frame of the scene last passed to `lookAt`; without
	 * lines if there are none.
	 *
	 * @param frame index of the frame in its scene
	 */
	lines(frame: number): PredictedLines {
		return linesOf(this.core.run("review_lines", { review: this.id, frame }));
	}

	#lookAt(scene: Handle<"ReviewScene">): ReviewReport {
		const { id: review } = this;
		return reviewReportOf(this.core.run("review", { review, scene, most: ALL }));
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
 * const reader = tools.predictionReader(file.name);
 * for await (const bytes of file.stream()) reader.add(bytes);
 * const review = reader.finish();
 * ```
 */
export class PredictionReader extends CoreObject<"PredictionReader"> {
	/**
	 * Parses the file's next bytes; they may end anywhere, even within a number. After an
	 * error the reader cannot be used any more.
	 *
	 * @throws BevError `invalid_argument`, with the line, for invalid values, and for
	 * confidences that are negative or do not sum to 1; `limit_exceeded` for more than
	 * 1 GiB of predictions, or a line above 4 MiB
	 */
	add(bytes: Uint8Array): void {
		this.core.run("add_predictions", { reader: this.id, piece: bytes });
	}

	/**
	 * Returns the predictions of the whole file. Call it once, after the last bytes.
	 *
	 * @throws BevError `invalid_argument` for an invalid last line or a file without a
	 * header
	 */
	finish(): PredictionReview {
		const { core, id: reader } = this;
		return new PredictionReview(core, core.run("finish_predictions", { reader }));
	}
}

/**
 * Finds the worst predictions of many scenes, which are added one by one.
 *
 * Create it with `PredictionReview.ranking`. It owns memory of the tools module: release
 * it, or declare it with `using`.
 */
export class PredictionRanking extends CoreObject<"Ranking"> {
	/**
	 * Returns whether there are predictions at any of these times. If not, the scene need
	 * not be read and added.
	 *
	 * @param timestamps of the scene's frames, nanoseconds
	 */
	wants(timestamps: BigInt64Array): boolean {
		return this.core.run("ranking_wants", { ranking: this.id, timestamps });
	}

	/**
	 * Scores the predictions for a scene's agents, and adds them to the ranking.
	 *
	 * @param scene index of the scene, for `RankedRow.scene`
	 * @throws BevError as `PredictionReview.lookAt`
	 */
	add(scene: number, tracks: SceneTracks | ReviewScene): void {
		const { core, id: ranking } = this;
		const isPrepared = tracks instanceof ReviewScene;
		const prepared = isPrepared ? idOf(tracks) : core.run("review_scene", tracks);
		try {
			core.run("rank_scene", { ranking, scene, tracks: prepared });
		} finally {
			if (!isPrepared) core.release(prepared);
		}
	}

	/**
	 * Returns the predictions of a frame of the scene added last; without lines if there
	 * are none.
	 *
	 * @param frame index of the frame in its scene
	 */
	lines(frame: number): PredictedLines {
		return linesOf(this.core.run("ranking_lines", { ranking: this.id, frame }));
	}

	/** Returns the ranking of the scenes added so far. */
	report(): RankingReport {
		return rankingReportOf(this.core.run("ranking_report", { ranking: this.id }));
	}
}
