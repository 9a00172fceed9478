import type { Given, Handle } from "../core/core.js";
import type { Polylines } from "../dataset/frame-view.js";
import type { ComparisonReport } from "../tools/comparison.js";
import type { Counting, RankingReport, ReviewReport } from "../tools/scores.js";

/** Maximum rows per measure in a report: those listed and stepped through. */
export const MAX_ROWS = 1000;

/** What a report tells about truth that is missing. */
export type Coverage = Pick<ReviewReport, "begun">;

/** Scores of one scene: its worst rows, and all frames. */
export interface SceneReport extends Omit<ReviewReport, "rows"> {
	/**
	 * Number of predictions in the scene. `worst.rows` and `worst.tracks` contain at most
	 * `MAX_ROWS` of them.
	 */
	readonly count: number;
}

/** The worst predictions of several scenes: of each model, and of a pair of models. */
export interface RankedReport {
	/** In the order of the ranking's reviews. */
	readonly models: readonly RankingReport[];
	readonly comparison: ComparisonReport | undefined;
}

/** Two models by id: A and B. */
export type ReviewPair = readonly [a: Handle<"Review">, b: Handle<"Review">];

/** Predictions that pass the brushes of a table: a model's of a scene. */
export interface KeptIn {
	readonly table: Handle<"Distribution">;
	readonly model: number;
	readonly scene: number;
}

/** What a ranking covers. */
export interface RankOptions {
	/** Ids of reviews. */
	readonly reviews: readonly Handle<"Review">[];
	/** Two of them, to be compared. */
	readonly pair: ReviewPair | undefined;
	/** Maximum number of predictions listed by each measure. */
	readonly most: number;
	/** Undefined for rankings whose scores are not used. */
	readonly counting: Counting | undefined;
	/** Receives the predictions as rows; the models are numbered as `reviews`. */
	readonly distribution?: Handle<"Distribution"> | undefined;
}

/** A simulated scene, and its number. */
export type SimulatedArrays = Given<"rollout_of"> & { readonly scene: number };

/** A rollout: the bytes of a file with its name, or scenes. */
export type RolloutInput =
	| { readonly bytes: Uint8Array; readonly name: string }
	| readonly SimulatedArrays[];

/** What a rollout contains. */
export interface RolloutShape {
	/** The numbers of its scenes, ascending. */
	readonly scenes: Float64Array;
	/** Name given in the file; "" if none. */
	readonly title: string;
}

/** Columns of the recorded scene that a rollout is compared with. */
export type RecordedScene = Pick<
	Given<"compare_rollout">,
	| ("timestamps" | "ego_translation" | "ego_rotation" | "agent_index_interval")
	| ("track_ids" | "centroids")
>;

/** The recorded scene that a rollout is compared with. */
export interface RolloutTruth {
	readonly scene: number;
	readonly rows: RecordedScene;
	/** Both sides of the lanes; undefined without a map. */
	readonly lanes: { readonly left: Lines; readonly right: Lines } | undefined;
}

type Lines = Pick<Polylines, "points" | "offsets">;
