import type { CoreArray } from "./core.js";

/**
 * The functions of L5Kit's `geometry` and `data/filter`, for typed arrays. The number
 * of values follows from the arrays' lengths. Matrices and points are packed in C
 * order.
 */
export interface CoreTools {
	/**
	 * Transforms points (N, dims) by matrices (dims + 1)^2: one for all, or one per
	 * batch.
	 */
	transformPoints(
		points: Float64Array,
		matrices: Float64Array,
		dims: number,
	): Float64Array;
	/** Returns a - b in [-pi, pi). */
	angularDistances(a: Float64Array, b: Float64Array): Float64Array;
	/** `rotation33_as_yaw`, `yaw_as_rotation33`. */
	yawsOfRotations(rotations: Float64Array): Float64Array;
	rotationsOfYaws(yaws: Float64Array): Float64Array;
	/** `compute_agent_pose` for centroids (N, 2). */
	agentPoses(centroids: Float64Array, yaws: Float64Array): Float64Array;
	verticalFlips(matrices: Float64Array, height: number): Float64Array;
	/** `angle_between_vectors`, for 2 or 3 dimensions. */
	anglesBetween(a: Float64Array, b: Float64Array, dims: number): Float64Array;
	yawsAroundNorth(directions: Float64Array): Float64Array;
	geodeticOfEcef(points: Float64Array): Float64Array;
	ecefOfGeodetic(places: Float64Array): Float64Array;
	/** Returns 1 or 0 for each point (N, 3). */
	pointsWithinBounds(points: Float64Array, shape: Float64Array): Float64Array;
	/** `voxel_coords_to_intensity_grid`. */
	intensityGrid(cells: Float64Array, shape: Float64Array): Float64Array;
	normalizedIntensity(values: Float64Array, greatest: number): Float64Array;
	/** `filter_agents_by_labels`: rows of `label_probabilities` that it keeps. */
	rowsKept(probabilities: Float32Array, threshold: number): Float64Array;
	/** `filter_agents_by_distance`: rows within `maxDistance`, nearest first. */
	rowsWithin(
		centroids: Float64Array,
		x: number,
		y: number,
		maxDistance: number,
	): Float64Array;
	/** `filter_tl_faces_by_status`: 0 active, 1 inactive, 2 unknown. */
	rowsWithState(statuses: Float32Array, state: number): Float64Array;
	/** `filter_agents_by_track_id`. 64-bit integers are passed as bytes. */
	rowsOfTrack(trackIds: Uint8Array, trackId: bigint): Float64Array;
	/** `get_other_agents_ids`, as `track_ids`. 64-bit integers are passed as bytes. */
	otherTrackIds(
		all: Uint8Array,
		priority: Uint8Array,
		selected: bigint | undefined,
		most: number,
	): readonly CoreArray[];
	/**
	 * Returns `timestamps`, `track_ids`, `weights` (availabilities or confidences),
	 * `coords`.
	 */
	readTruths(csv: string): readonly CoreArray[];
	writeTruths(table: CoreEvaluationTable, steps: number): string;
	readPredictions(csv: string, modes: number): readonly CoreArray[];
	writePredictions(table: CoreEvaluationTable, steps: number, modes: number): string;
	/** Parses predictions to compare with scenes; `name` names the text in messages. */
	readReview(csv: string, name: string): CoreReview;
	reviewOf(table: CoreEvaluationTable): CoreReview;
	makePredictionReader(name: string): CorePredictionReader;
	/** Returns L5Kit's metrics by name, each the mean over all agents. */
	metrics(
		truths: string,
		predictions: string,
		modes: number,
	): Readonly<Record<string, Float64Array>>;
}

/** Packed records; 64-bit integers are passed as bytes. */
export interface CoreEvaluationTable {
	timestamps: Uint8Array;
	track_ids: Uint8Array;
	weights: Float64Array;
	coords: Float64Array;
}

/** The frames of one scene; 64-bit integers are passed as bytes. */
export interface CoreSceneTracks {
	timestamps: Uint8Array;
	/** (n, 3). */
	ego_translation: Float64Array;
	agent_index_interval: Uint8Array;
	/** Of the rows covered by the intervals; `centroids` is (rows, 2). */
	track_ids: Uint8Array;
	centroids: Float64Array;
	/** (rows, 17), 32-bit floats as bytes; undefined if they are not stored. */
	label_probabilities?: Uint8Array;
}

/** L5Kit's measures of a prediction; NaN if nothing can be compared. */
export interface Score {
	/** Average and final displacement error of the best mode, metres. */
	readonly ade: number;
	/** Final displacement error of the best mode in metres. */
	readonly fde: number;
	/** Negative log-likelihood. */
	readonly nll: number;
}

/** A prediction of one agent in one frame. */
export interface ReviewedRow extends Score {
	/** Index of the frame in its scene. */
	readonly frame: number;
	/** Track id; -1 is the ego vehicle. */
	readonly track: bigint;
	/** Number of steps at which the scene contains the agent's position. */
	readonly seen: number;
}

/** Mean over the predictions of a frame. */
export interface ReviewedFrame extends Score {
	/** Index of the frame in its scene. */
	readonly frame: number;
	/** Number of predictions in the frame. */
	readonly count: number;
}

/** Classes of predictions; `unlabelled`: an agent without label probabilities. */
export type Subject =
	| "vehicle"
	| "cyclist"
	| "pedestrian"
	| "other"
	| "ego"
	| "unlabelled";

/** Mean scores of the predictions of one class. */
export interface SubjectScore extends Score {
	readonly subject: Subject;
	readonly count: number;
	/** Predictions with a frame to compare; those of them that end more than 2 m off. */
	readonly compared: number;
	readonly missed: number;
}

/** One mode's mean scores over all compared predictions; NaN if there are none. */
export interface ModeScore extends Pick<Score, "ade" | "fde"> {
	readonly confidence: number;
	/** Number of predictions in which this mode has the smallest ADE. */
	readonly best: number;
}

/** Scores by class, mode and future step. */
export interface Breakdown {
	readonly subjects: readonly SubjectScore[];
	readonly modes: readonly ModeScore[];
	/** Mean distance of the best mode per step, metres; NaN if unknown. */
	readonly horizon: readonly number[];
	readonly compared: number;
	readonly missed: number;
}

/** The predictions of one scene, sorted by frame, then by track. */
export interface CoreReviewReport {
	readonly breakdown: Breakdown;
	readonly rows: readonly ReviewedRow[];
	readonly frames: readonly ReviewedFrame[];
	/** `ade`, `fde`, `nll`: indexes into `rows` and `frames`, largest value first. */
	readonly row_orders: readonly CoreArray[];
	readonly frame_orders: readonly CoreArray[];
	readonly mean: Score;
	/** Predictions that could be compared; those of them that end more than 2 m off. */
	readonly compared: number;
	readonly missed: number;
	/** Predictions at a time of the scene whose track is absent in that frame. */
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
	/** Predictions found; those of them that could be compared. */
	readonly found: number;
	/** Predictions that could be compared. */
	readonly compared: number;
	/** Mean over all compared predictions. */
	readonly mean: Score;
	/** By measure, largest value first. */
	readonly worst: Readonly<Record<keyof Score, readonly RankedRow[]>>;
}

/** Size of predictions. */
export interface ReviewShape {
	/** Number of predictions in all scenes. */
	readonly size: number;
	/** Number of modes. */
	readonly modes: number;
	/** Number of future steps. */
	readonly steps: number;
}

/** Parses a file of predictions incrementally. */
export interface CorePredictionReader {
	/** Parses the file's next bytes; they may end anywhere. */
	add(bytes: Uint8Array): void;
	finish(): CoreReview;
	delete(): void;
}

/** Predictions compared with one scene at a time. */
export interface CoreReview {
	shape(): ReviewShape;
	lookAt(scene: CoreSceneTracks): void;
	report(): CoreReviewReport;
	/** Ranks the same predictions over several scenes. */
	ranking(most: number): CoreRanking;
	/**
	 * Returns `points`, `offsets`, `confidences`, `track_ids`; `truth`, `truth_offsets`,
	 * `truth_track_ids`.
	 */
	lines(frame: number): readonly CoreArray[];
	delete(): void;
}

/** Accumulates scenes one by one. */
export interface CoreRanking {
	/** Whether the scene is needed; timestamps are 64-bit integers passed as bytes. */
	wants(timestamps: Uint8Array): boolean;
	add(scene: number, tracks: CoreSceneTracks): void;
	report(): RankingReport;
	delete(): void;
}
