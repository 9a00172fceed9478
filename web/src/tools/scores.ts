import type { Polylines } from "../dataset/frame-view.js";

/** In the order of the core. */
export const SUBJECTS = [
	"vehicle",
	"cyclist",
	"pedestrian",
	"other",
	"ego",
	"unlabelled",
] as const;

/**
 * How predicted steps without a recorded position count. `l5kit`: as steps without error; a
 * prediction without any recorded position has no score. `recorded`: not at all, and a
 * prediction has a score only if its last step is recorded.
 */
export type Counting = "recorded" | "l5kit";

/**
 * L5Kit's scores of a prediction, or their mean; NaN without (`Counting`).
 */
export interface Score {
	/** Average displacement error of the best mode in metres. */
	readonly ade: number;
	/** Final displacement error of the best mode in metres. */
	readonly fde: number;
	/** Negative log-likelihood of all modes. */
	readonly nll: number;
}

/** A prediction of one agent in one frame. */
export interface ReviewedRow extends Score {
	/** Index of the frame in its scene. */
	readonly frame: number;
	/** Track id; -1 is the ego vehicle. */
	readonly track: bigint;
	/** Number of predicted steps at which the scene contains the agent. */
	readonly seen: number;
}

/** A frame with predictions, and the mean score of those that have one. */
export interface ReviewedFrame extends Score {
	/** Index of the frame in its scene. */
	readonly frame: number;
	/** Number of predictions in the frame. */
	readonly count: number;
}

/**
 * Class of a predicted agent; `ego` is the ego vehicle, `unlabelled` an agent without
 * label probabilities.
 */
export type Subject = (typeof SUBJECTS)[number];

/** Mean scores of the predictions for one class. */
export interface SubjectScore extends Score {
	/** The class. */
	readonly subject: Subject;
	/** Number of predictions. */
	readonly count: number;
	/** Number of predictions with a score. */
	readonly compared: number;
	/** Number of compared predictions whose FDE is above 2 m. */
	readonly missed: number;
}

/**
 * One mode's own mean displacement errors over all compared predictions; NaN if there
 * are none.
 */
export interface ModeScore extends Pick<Score, "ade" | "fde"> {
	/** Mean confidence, 0 to 1. */
	readonly confidence: number;
	/** Number of predictions in which this mode has the smallest ADE. */
	readonly best: number;
}

/**
 * Scores over the first `steps` steps of each prediction, as if it were that long: L5Kit's
 * metrics of the shortened paths.
 */
export interface HorizonScore extends Score {
	/** Number of steps: 10, 30 or 50. */
	readonly steps: number;
	/** Number of predictions with a score over these steps. */
	readonly compared: number;
	/** Number of compared predictions whose FDE is above 2 m. */
	readonly missed: number;
}

/** Scores by class, mode, horizon and future step. */
export interface Breakdown {
	/** One per class that has predictions. */
	readonly subjects: readonly SubjectScore[];
	/** One per mode, in the order of the predictions. */
	readonly modes: readonly ModeScore[];
	/**
	 * Scores over the first 10, 30 and 50 steps (1, 3 and 5 s at 10 frames per second), as
	 * far as the predictions have them.
	 */
	readonly horizons: readonly HorizonScore[];
	/**
	 * For each future step, the mean distance in metres between the best mode and the
	 * recorded position; NaN for a step without recorded positions.
	 */
	readonly horizon: readonly number[];
	/** Number of predictions with a score. */
	readonly compared: number;
	/** Number of compared predictions whose FDE is above 2 m. */
	readonly missed: number;
}

/** The same elements sorted by each measure: largest value first, NaN last. */
export type Ranked<T> = Readonly<Record<keyof Score, readonly T[]>>;

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

/** A prediction and its scene. */
export interface RankedRow extends ReviewedRow {
	/** Index of the scene. */
	readonly scene: number;
}

/** The worst predictions of several scenes. */
export interface RankingReport {
	/** Scores by class, mode and future step. */
	readonly breakdown: Breakdown;
	/** Number of predictions for agents of these scenes. */
	readonly found: number;
	/** Number of those with a recorded position at one step at least. */
	readonly begun: number;
	/** Number of those with a score. */
	readonly compared: number;
	/** Mean over all compared predictions. */
	readonly mean: Score;
	/** The worst predictions by each measure, largest value first; without unknown values. */
	readonly worst: Readonly<Record<keyof Score, readonly RankedRow[]>>;
	/** Likewise, with only the worst prediction of each track of a scene. */
	readonly worstTracks: Readonly<Record<keyof Score, readonly RankedRow[]>>;
}

/** Size of a set of predictions. */
export interface ReviewShape {
	/** Number of predictions, of all scenes. */
	readonly size: number;
	/** Number of modes of each prediction. */
	readonly modes: number;
	/** Number of future steps of each mode. */
	readonly steps: number;
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
	/**
	 * Predicted step of each point of `truth`: 0 is the agent's position. Steps without
	 * recorded position have no point.
	 */
	readonly truthSteps: Uint32Array;
	/** Track id of each line of `truth`; -1 is the ego vehicle. */
	readonly truthTracks: BigInt64Array;
}

/** Elements that two models have in common, as columns. */
export interface ComparedColumns {
	/** (n) index of the scene, as passed to `add`. */
	readonly scenes: Uint32Array;
	/** (n) index of the frame in its scene. */
	readonly frames: Uint32Array;
	/** (n, 3) ADE, FDE and NLL of model A; NaN if unknown. */
	readonly a: Float64Array;
	/** (n, 3) ADE, FDE and NLL of model B; NaN if unknown. */
	readonly b: Float64Array;
	/**
	 * Indexes of the elements by B's value minus A's, largest first: where B is worse than A
	 * by most. Without unknown differences.
	 */
	readonly worst: Readonly<Record<keyof Score, Uint32Array>>;
}

/** Predictions of both models for the same agent at the same time. */
export interface ComparedRows extends ComparedColumns {
	/** (n) track id; -1 is the ego vehicle. */
	readonly tracks: BigInt64Array;
	/** (n) number of predicted steps at which the scene contains the agent. */
	readonly seen: Uint32Array;
	/** Like `worst`, with only the first pair of each track of a scene. */
	readonly worstTracks: ComparedColumns["worst"];
}

/** Mean scores of both models by frame, over the agents with both scores. */
export interface ComparedFrames extends ComparedColumns {
	/** (n) number of agents with both scores. */
	readonly counts: Uint32Array;
}

/** The comparison of two models, A and B. */
export interface ComparisonReport {
	/** Pairs of predictions, sorted by scene, frame and track. */
	readonly rows: ComparedRows;
	/** Frames with pairs, in order. */
	readonly frames: ComparedFrames;
	/** Number of predictions of A without one of B. */
	readonly onlyA: number;
	/** Number of predictions of B without one of A. */
	readonly onlyB: number;
	/** Number of pairs with both scores. */
	readonly compared: number;
	/** A's mean over these pairs. */
	readonly meanA: Score;
	/** B's mean over these pairs. */
	readonly meanB: Score;
}
