import type { CoreArray } from "./core.js";

/**
 * Functions over typed arrays, which say how many values there are: what L5Kit's `geometry`
 * and `data/filter` have. Matrices and points lie one behind another, in C order.
 */
export interface CoreTools {
	/** Points (N, dims) by matrices (dims + 1)^2, one of all or one of every batch. */
	transformPoints(
		points: Float64Array,
		matrices: Float64Array,
		dims: number,
	): Float64Array;
	/** a - b in [-pi, pi). */
	angularDistances(a: Float64Array, b: Float64Array): Float64Array;
	/** `rotation33_as_yaw`, `yaw_as_rotation33`. */
	yawsOfRotations(rotations: Float64Array): Float64Array;
	rotationsOfYaws(yaws: Float64Array): Float64Array;
	/** `compute_agent_pose` of centroids (N, 2). */
	agentPoses(centroids: Float64Array, yaws: Float64Array): Float64Array;
	verticalFlips(matrices: Float64Array, height: number): Float64Array;
	/** `angle_between_vectors`, of 2 or 3 dimensions. */
	anglesBetween(a: Float64Array, b: Float64Array, dims: number): Float64Array;
	yawsAroundNorth(directions: Float64Array): Float64Array;
	geodeticOfEcef(points: Float64Array): Float64Array;
	ecefOfGeodetic(places: Float64Array): Float64Array;
	/** 1 or 0 for every point (N, 3). */
	pointsWithinBounds(points: Float64Array, shape: Float64Array): Float64Array;
	/** `voxel_coords_to_intensity_grid`. */
	intensityGrid(cells: Float64Array, shape: Float64Array): Float64Array;
	normalizedIntensity(values: Float64Array, greatest: number): Float64Array;
	/** Rows that `filter_agents_by_labels` keeps, of `label_probabilities`. */
	rowsKept(probabilities: Float32Array, threshold: number): Float64Array;
	/** Rows nearer than that, nearest first: `filter_agents_by_distance`. */
	rowsWithin(
		centroids: Float64Array,
		x: number,
		y: number,
		maxDistance: number,
	): Float64Array;
	/** `filter_tl_faces_by_status`: 0 active, 1 inactive, 2 unknown. */
	rowsWithState(statuses: Float32Array, state: number): Float64Array;
	/** `filter_agents_by_track_id`; the ids are the bytes of 64-bit integers. */
	rowsOfTrack(trackIds: Uint8Array, trackId: bigint): Float64Array;
	/** `get_other_agents_ids`, as `track_ids`; 64-bit integers as their bytes. */
	otherTrackIds(
		all: Uint8Array,
		priority: Uint8Array,
		selected: bigint | undefined,
		most: number,
	): readonly CoreArray[];
	/** `timestamps`, `track_ids`, `weights` (availabilities or confidences), `coords`. */
	readTruths(csv: string): readonly CoreArray[];
	writeTruths(table: CoreEvaluationTable, steps: number): string;
	readPredictions(csv: string, modes: number): readonly CoreArray[];
	writePredictions(table: CoreEvaluationTable, steps: number, modes: number): string;
	/** Predictions to be set beside scenes; `name` is what messages call the text. */
	readReview(csv: string, name: string): CoreReview;
	reviewOf(table: CoreEvaluationTable): CoreReview;
	makePredictionReader(name: string): CorePredictionReader;
	/** L5Kit's metrics by name, each the mean over all agents. */
	metrics(
		truths: string,
		predictions: string,
		modes: number,
	): Readonly<Record<string, Float64Array>>;
}

/** Records one behind another; 64-bit integers as their bytes. */
export interface CoreEvaluationTable {
	timestamps: Uint8Array;
	track_ids: Uint8Array;
	weights: Float64Array;
	coords: Float64Array;
}

/** The frames of one scene; 64-bit integers as their bytes. */
export interface CoreSceneTracks {
	timestamps: Uint8Array;
	/** (n, 3). */
	ego_translation: Float64Array;
	agent_index_interval: Uint8Array;
	/** Of the rows that the intervals span, as (rows, 2). */
	track_ids: Uint8Array;
	centroids: Float64Array;
	/** (rows, 17), 32-bit floats as their bytes; left out where they are not stored. */
	label_probabilities?: Uint8Array;
}

/** How good a prediction is, as L5Kit measures; NaN where there is nothing to compare. */
export interface Score {
	/** Metres: average and final displacement error of the best mode. */
	readonly ade: number;
	readonly fde: number;
	/** Negative log-likelihood. */
	readonly nll: number;
}

/** A prediction of one agent in one frame. */
export interface ReviewedRow extends Score {
	readonly frame: number;
	/** -1: the ego. */
	readonly track: bigint;
	/** Steps of which the scene knows where the agent was. */
	readonly seen: number;
}

/** The mean over what is predicted in a frame. */
export interface ReviewedFrame extends Score {
	readonly frame: number;
	readonly count: number;
}

/** Whose path is predicted; `unlabelled`: an agent without label probabilities. */
export type Subject =
	| "vehicle"
	| "cyclist"
	| "pedestrian"
	| "other"
	| "ego"
	| "unlabelled";

/** The predictions of one kind of subject, and their mean. */
export interface SubjectScore extends Score {
	readonly subject: Subject;
	readonly count: number;
	/** Of those, with a frame to compare; and of these, that end over 2 m away. */
	readonly compared: number;
	readonly missed: number;
}

/** One mode of all predictions compared: means of its own, NaN without any. */
export interface ModeScore extends Pick<Score, "ade" | "fde"> {
	readonly confidence: number;
	/** Predictions whose best mode by ADE it is. */
	readonly best: number;
}

/** Scores by class, by mode and by step of the future. */
export interface Breakdown {
	readonly subjects: readonly SubjectScore[];
	readonly modes: readonly ModeScore[];
	/** Per step the mean distance of the best mode, metres; NaN where nothing is known. */
	readonly horizon: readonly number[];
	readonly compared: number;
	readonly missed: number;
}

/** What is predicted in one scene, in the order of frames, then of tracks. */
export interface CoreReviewReport {
	readonly breakdown: Breakdown;
	readonly rows: readonly ReviewedRow[];
	readonly frames: readonly ReviewedFrame[];
	/** `ade`, `fde`, `nll`: indexes of `rows`, and of `frames`, the greatest first. */
	readonly row_orders: readonly CoreArray[];
	readonly frame_orders: readonly CoreArray[];
	readonly mean: Score;
	/** Predictions that could be compared, and those of them that end over 2 m away. */
	readonly compared: number;
	readonly missed: number;
	/** Predictions of a time of the scene whose track is not in that frame. */
	readonly unknown: number;
}

/** A prediction, and the scene in which it was found. */
export interface RankedRow extends ReviewedRow {
	readonly scene: number;
}

/** The worst of many scenes. */
export interface RankingReport {
	readonly breakdown: Breakdown;
	/** Predictions found, and those of them that could be compared. */
	readonly found: number;
	readonly compared: number;
	/** Over all that could be compared. */
	readonly mean: Score;
	/** By each measure, the greatest first. */
	readonly worst: Readonly<Record<keyof Score, readonly RankedRow[]>>;
}

export interface ReviewShape {
	/** Predictions, in all scenes. */
	readonly size: number;
	readonly modes: number;
	readonly steps: number;
}

/** Reads a file of predictions piece by piece. */
export interface CorePredictionReader {
	/** Takes the next bytes of the file; a piece may end anywhere. */
	add(bytes: Uint8Array): void;
	finish(): CoreReview;
	delete(): void;
}

/** Predictions beside one scene. */
export interface CoreReview {
	shape(): ReviewShape;
	lookAt(scene: CoreSceneTracks): void;
	report(): CoreReviewReport;
	/** Of the same predictions, over scenes. */
	ranking(most: number): CoreRanking;
	/** `points`, `offsets`, `confidences`, `track_ids`; `truth`, `truth_offsets`, `truth_track_ids`. */
	lines(frame: number): readonly CoreArray[];
	delete(): void;
}

/** Takes up scenes one by one. */
export interface CoreRanking {
	/** Timestamps as the bytes of 64-bit integers. */
	wants(timestamps: Uint8Array): boolean;
	add(scene: number, tracks: CoreSceneTracks): void;
	report(): RankingReport;
	delete(): void;
}
