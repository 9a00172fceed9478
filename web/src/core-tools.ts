import type { CoreArray } from "./core.js";

/**
 * The functions of L5Kit's `geometry`, `data/filter` and `evaluation`, for typed arrays.
 * Arrays are flat, in C order; the number of values N follows from an array's length.
 * Units are metres and radians, and degrees for latitude and longitude.
 *
 * Every function throws a BevError `invalid_argument` if an array's length is not a
 * multiple of its values' size, or if two arrays have different N.
 */
export interface CoreTools {
	/**
	 * Transforms points: `transform_points`.
	 *
	 * @param points (N, dims)
	 * @param matrices (dims + 1, dims + 1) for all points, or B of them, each for N / B
	 * points; the last row of a matrix is ignored
	 * @param dims 2 or 3
	 * @returns (N, dims)
	 */
	transformPoints(
		points: Float64Array,
		matrices: Float64Array,
		dims: number,
	): Float64Array;
	/** Returns a - b (N), wrapped to [-pi, pi): `angular_distance`. */
	angularDistances(a: Float64Array, b: Float64Array): Float64Array;
	/** Returns the headings (N) of rotations (N, 3, 3): `rotation33_as_yaw`. */
	yawsOfRotations(rotations: Float64Array): Float64Array;
	/** Returns the rotations (N, 3, 3) of headings (N): `yaw_as_rotation33`. */
	rotationsOfYaws(yaws: Float64Array): Float64Array;
	/**
	 * Returns the transforms world from agent (N, 3, 3) for centroids (N, 2) and headings
	 * (N): `compute_agent_pose`.
	 */
	agentPoses(centroids: Float64Array, yaws: Float64Array): Float64Array;
	/**
	 * Returns transforms to an image (N, 3, 3), followed by a vertical flip of that image:
	 * `vertical_flip`.
	 *
	 * @param height the image's height in pixels
	 */
	verticalFlips(matrices: Float64Array, height: number): Float64Array;
	/**
	 * Returns the angles (N), 0 to pi, between vectors (N, dims):
	 * `angle_between_vectors`.
	 *
	 * @param dims 2 or 3
	 */
	anglesBetween(a: Float64Array, b: Float64Array, dims: number): Float64Array;
	/**
	 * Returns the angles (N), 0 to pi, between directions (N, 2) and north, (0, 1):
	 * `compute_yaw_around_north_from_direction`.
	 */
	yawsAroundNorth(directions: Float64Array): Float64Array;
	/**
	 * Converts ECEF points (N, 3) to latitude, longitude and altitude above the WGS84
	 * ellipsoid (N, 3): `ecef_to_geodetic`.
	 */
	geodeticOfEcef(points: Float64Array): Float64Array;
	/** The inverse of `geodeticOfEcef`: `geodetic_to_ecef`. */
	ecefOfGeodetic(places: Float64Array): Float64Array;
	/**
	 * Returns 1 for each point (N, 3) inside a grid of that `shape` (3), else 0:
	 * `points_within_bounds`.
	 */
	pointsWithinBounds(points: Float64Array, shape: Float64Array): Float64Array;
	/**
	 * Counts how often each cell of a grid of that `shape` (3) occurs in `cells` (N, 3);
	 * cells outside are ignored: `voxel_coords_to_intensity_grid`.
	 *
	 * @returns the grid in C order
	 * @throws BevError `invalid_argument` for a shape that is not positive integers, and
	 * for cells that are not integers; `limit_exceeded` for more than 2^24 cells
	 */
	intensityGrid(cells: Float64Array, shape: Float64Array): Float64Array;
	/** Returns `values` divided by `greatest`, clipped to [0, 1]: `normalize_intensity`. */
	normalizedIntensity(values: Float64Array, greatest: number): Float64Array;
	/**
	 * Returns the rows of `label_probabilities` (N, 17) whose sum over the classes CAR to
	 * ANIMAL is above `threshold`: `filter_agents_by_labels`.
	 */
	rowsKept(probabilities: Float32Array, threshold: number): Float64Array;
	/**
	 * Returns the rows of `centroids` (N, 2) that are less than `maxDistance` metres from
	 * (`x`, `y`), nearest first: `filter_agents_by_distance`.
	 */
	rowsWithin(
		centroids: Float64Array,
		x: number,
		y: number,
		maxDistance: number,
	): Float64Array;
	/**
	 * Returns the rows of `traffic_light_face_status` (N, 3) whose value for a state is
	 * above 0: `filter_tl_faces_by_status`.
	 *
	 * @param state 0 active, 1 inactive, 2 unknown
	 */
	rowsWithState(statuses: Float32Array, state: number): Float64Array;
	/**
	 * Returns the rows of `points` (N, 2) on a lane: in the polygon of its left side and its
	 * reversed right side, by the even-odd rule.
	 */
	pointsOnLane(
		left: Float64Array,
		right: Float64Array,
		points: Float64Array,
	): Float64Array;
	/** Returns the rows of `points` (N, 2) in an outline (M, 2), by the even-odd rule. */
	pointsInOutline(outline: Float64Array, points: Float64Array): Float64Array;
	/** Returns the lanes whose lanes ahead include `lane`, from a map's `lanes`. */
	lanesBehind(ahead: Uint32Array, aheadFirst: Uint32Array, lane: number): Float64Array;
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
	seriesOf(rows: CoreSceneRows): CoreSeries;
	/** Parses a file of simulated scenes; `where` names it in messages. */
	readRollout(json: Uint8Array, where: string): CoreRollout;
	/** Returns a rollout of one scene. */
	rolloutOf(scene: CoreSimulatedScene): CoreRollout;
	/** Prepares a scene for several reviews. */
	makeReviewScene(tracks: CoreSceneTracks): CoreReviewScene;
	makeComparison(): CoreComparison;
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
export type Subject =
	| "vehicle"
	| "cyclist"
	| "pedestrian"
	| "other"
	| "ego"
	| "unlabelled";

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

/** The predictions of one scene, sorted by frame, then by track. */
export interface CoreReviewReport {
	readonly breakdown: Breakdown;
	readonly rows: readonly ReviewedRow[];
	readonly frames: readonly ReviewedFrame[];
	/** `ade`, `fde`, `nll`: indexes into `rows` and `frames`, largest value first. */
	readonly row_orders: readonly CoreArray[];
	readonly frame_orders: readonly CoreArray[];
	/** Likewise, with only the first row of each track. */
	readonly track_orders: readonly CoreArray[];
	readonly mean: Score;
	/** Predictions that could be compared; those of them that end more than 2 m off. */
	readonly compared: number;
	readonly missed: number;
	/** Predictions with a recorded position at one step at least. */
	readonly begun: number;
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

/** Parses a file of predictions incrementally. */
export interface CorePredictionReader {
	/** Parses the file's next bytes; they may end anywhere. */
	add(bytes: Uint8Array): void;
	finish(): CoreReview;
	delete(): void;
}

/**
 * How predicted steps without a recorded position count. `l5kit`: as steps without error; a
 * prediction without any recorded position has no score. `recorded`: not at all, and a
 * prediction has a score only if its last step is recorded.
 */
export type Counting = "recorded" | "l5kit";

/** Predictions compared with one scene at a time. */
export interface CoreReview {
	shape(): ReviewShape;
	/** `l5kit` by default. */
	count(counting: Counting): void;
	lookAt(scene: CoreSceneTracks): void;
	lookAtScene(scene: CoreReviewScene): void;
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
	addScene(scene: number, tracks: CoreReviewScene): void;
	/** Returns the lines of a frame of the scene added last, as `CoreReview.lines`. */
	lines(frame: number): readonly CoreArray[];
	report(): RankingReport;
	delete(): void;
}

/** Frames and agents of one scene; 64-bit integers and 32-bit floats are bytes. */
export interface CoreSceneRows extends CoreSceneTracks {
	/** (n, 3, 3). */
	ego_rotation: Float64Array;
	/** (rows). */
	yaws: Uint8Array;
	/** (rows, 3). */
	extents: Uint8Array;
	label_probabilities: Uint8Array;
	/** (n): 0 nothing, 1 the frame's agents, 2 the frame is absent. */
	absent: Uint8Array;
}

/** Lines as in `Polylines`. */
export interface CoreLines {
	points: Float64Array;
	offsets: Uint32Array;
}

/** Quantities of a scene's tracks over time. A track is undefined for the ego. */
export interface CoreSeries {
	/** Sets the boundaries of the lanes for `lane_offset`. */
	setLanes(left: CoreLines, right: CoreLines): void;
	/** Sets the threshold of agents that may be ahead. */
	setThreshold(threshold: number): void;
	/** Returns one value per frame; NaN if unknown. */
	values(track: bigint | undefined, quantity: string): Float64Array;
	/**
	 * Returns the row of each frame's agent, relative to the scene's first, or of the ego
	 * the frame; -1 in frames without it.
	 */
	rows(track: bigint | undefined): Float64Array;
	delete(): void;
}

/** Recorded frames of a scene that a rollout is compared with. */
export interface CoreRecordedScene extends CoreSceneTracks {
	/** (n, 3, 3). */
	ego_rotation: Float64Array;
}

/** A simulated scene; 64-bit integers are passed as bytes. */
export interface CoreSimulatedScene {
	scene: number;
	first_frame: number;
	/** (n), or none. */
	timestamps: Uint8Array;
	ego_x: Float64Array;
	ego_y: Float64Array;
	ego_yaw: Float64Array;
	/** (n) agents per frame. */
	counts: Uint32Array;
	track_id: Uint8Array;
	x: Float64Array;
	y: Float64Array;
	yaw: Float64Array;
	length: Float64Array;
	width: Float64Array;
}

/** Simulated scenes. */
export interface CoreRollout {
	name(): string;
	/** The numbers of the scenes, ascending. */
	scenes(): Float64Array;
	/**
	 * Compares a scene with the recorded one; docs/rollouts.md defines the arrays.
	 *
	 * @param lanes both sides of the lanes; undefined without a map
	 */
	compare(
		scene: number,
		recorded: CoreRecordedScene,
		lanes: { readonly left: CoreLines; readonly right: CoreLines } | undefined,
	): readonly CoreArray[];
	delete(): void;
}

/** A scene prepared for several reviews. */
export interface CoreReviewScene {
	delete(): void;
}

/** The comparison of two models as arrays; orders are limited to `most` elements. */
export interface CoreComparisonReport {
	/**
	 * `scenes`, `frames`, `track_ids` or `counts`, `a`, `b`; `ade`, `fde`, `nll`: indexes by
	 * difference, largest first.
	 */
	readonly rows: readonly CoreArray[];
	readonly frames: readonly CoreArray[];
	/** `ade`, `fde`, `nll`: of `rows`, only the first of each track of a scene. */
	readonly track_orders: readonly CoreArray[];
	readonly only_a: number;
	readonly only_b: number;
	readonly compared: number;
	readonly mean_a: Score;
	readonly mean_b: Score;
}

/** Accumulates the pairs of two models, scene by scene. */
export interface CoreComparison {
	add(scene: number, a: CoreReview, b: CoreReview): void;
	addRanked(scene: number, a: CoreRanking, b: CoreRanking): void;
	report(most: number): CoreComparisonReport;
	delete(): void;
}
