// Made by scripts/operations.mjs from the table of operations: do not edit.

import type { Arrays, Handle } from "./types.js";

type Nothing = Record<never, never>;

/** The core's operations: what each takes and returns. */
export interface Operations {
	/** L5Kit's transform_points: (N, dims) */
	transform_points: [
		given: { points: Float64Array; matrices: Float64Array; dims: number },
		result: Float64Array,
	];
	/** L5Kit's angular_distance: (N) */
	angular_distances: [
		given: { a: Float64Array; b: Float64Array },
		result: Float64Array,
	];
	/** L5Kit's rotation33_as_yaw: (N) */
	yaws_of_rotations: [given: { rotations: Float64Array }, result: Float64Array];
	/** L5Kit's yaw_as_rotation33: (N, 3, 3) */
	rotations_of_yaws: [given: { yaws: Float64Array }, result: Float64Array];
	/** L5Kit's compute_agent_pose: (N, 3, 3) */
	agent_poses: [
		given: { centroids: Float64Array; yaws: Float64Array },
		result: Float64Array,
	];
	/** L5Kit's vertical_flip: (N, 3, 3) */
	vertical_flips: [
		given: { matrices: Float64Array; height: number },
		result: Float64Array,
	];
	/** L5Kit's angle_between_vectors: (N) */
	angles_between: [
		given: { a: Float64Array; b: Float64Array; dims: number },
		result: Float64Array,
	];
	/** L5Kit's compute_yaw_around_north_from_direction: (N) */
	yaws_around_north: [given: { directions: Float64Array }, result: Float64Array];
	/** L5Kit's ecef_to_geodetic: (N, 3) */
	geodetic_of_ecef: [given: { points: Float64Array }, result: Float64Array];
	/** L5Kit's geodetic_to_ecef: (N, 3) */
	ecef_of_geodetic: [given: { places: Float64Array }, result: Float64Array];
	/** L5Kit's points_within_bounds: 1 or 0 (N) */
	points_within_bounds: [
		given: { points: Float64Array; shape: Float64Array },
		result: Float64Array,
	];
	/** L5Kit's voxel_coords_to_intensity_grid, in C order */
	intensity_grid: [
		given: { cells: Float64Array; shape: Float64Array },
		result: Float64Array,
	];
	/** L5Kit's normalize_intensity: (N) */
	normalized_intensity: [
		given: { values: Float64Array; greatest: number },
		result: Float64Array,
	];
	/** rows of the points (N, 2) on a lane */
	points_on_lane: [
		given: { left: Float64Array; right: Float64Array; points: Float64Array },
		result: Float64Array,
	];
	/** rows of the points (N, 2) in an outline */
	points_in_outline: [
		given: { outline: Float64Array; points: Float64Array },
		result: Float64Array,
	];
	/** lanes whose lanes ahead include this one */
	lanes_behind: [
		given: { ahead: Uint32Array; ahead_first: Uint32Array; lane: number },
		result: Float64Array,
	];
	/** L5Kit's filter_agents_by_labels */
	rows_above_threshold: [
		given: { probabilities: Float64Array; threshold: number },
		result: Float64Array,
	];
	/** L5Kit's filter_agents_by_distance, nearest first */
	rows_within: [
		given: { centroids: Float64Array; x: number; y: number; max_distance: number },
		result: Float64Array,
	];
	/** L5Kit's filter_tl_faces_by_status */
	rows_with_state: [
		given: { statuses: Float64Array; state: number },
		result: Float64Array,
	];
	/** L5Kit's filter_agents_by_track_id */
	rows_of_track: [
		given: { track_ids: BigUint64Array; track_id: bigint },
		result: Float64Array,
	];
	/** L5Kit's get_other_agents_ids */
	other_track_ids: [
		given: {
			all: BigUint64Array;
			priority: BigUint64Array;
			selected?: bigint | undefined;
			most: number;
		},
		result: BigUint64Array,
	];
	/** L5Kit's read_gt_csv */
	read_truths: [
		given: { csv: string },
		result: {
			readonly timestamps: BigInt64Array;
			readonly track_ids: BigInt64Array;
			readonly weights: Float64Array;
			readonly coords: Float64Array;
		},
	];
	/** L5Kit's write_gt_csv */
	write_truths: [
		given: {
			timestamps?: BigInt64Array | undefined;
			track_ids?: BigInt64Array | undefined;
			weights?: Float64Array | undefined;
			coords?: Float64Array | undefined;
			steps: number;
		},
		result: string,
	];
	/** L5Kit's read_pred_csv */
	read_predictions: [
		given: { csv: string; modes: number },
		result: {
			readonly timestamps: BigInt64Array;
			readonly track_ids: BigInt64Array;
			readonly weights: Float64Array;
			readonly coords: Float64Array;
		},
	];
	/** L5Kit's write_pred_csv */
	write_predictions: [
		given: {
			timestamps?: BigInt64Array | undefined;
			track_ids?: BigInt64Array | undefined;
			weights?: Float64Array | undefined;
			coords?: Float64Array | undefined;
			steps: number;
			modes: number;
		},
		result: string,
	];
	/** L5Kit's compute_metrics_csv: means over the records, by metric */
	metrics: [
		given: { truths: string; predictions: string; modes: number },
		result: Arrays,
	];
	/** predictions of a text */
	read_review: [given: { csv: string; name: string }, result: Handle<"Review">];
	/** predictions of arrays */
	review_of: [
		given: {
			timestamps?: BigInt64Array | undefined;
			track_ids?: BigInt64Array | undefined;
			weights?: Float64Array | undefined;
			coords?: Float64Array | undefined;
		},
		result: Handle<"Review">,
	];
	/** reads a file of predictions in pieces */
	prediction_reader: [given: { name: string }, result: Handle<"PredictionReader">];
	/** parses the file's next bytes */
	add_predictions: [
		given: { reader: Handle<"PredictionReader">; piece: Uint8Array },
		result: undefined,
	];
	/** the predictions of the whole file */
	finish_predictions: [
		given: { reader: Handle<"PredictionReader"> },
		result: Handle<"Review">,
	];
	/** prepares a scene for several reviews */
	review_scene: [
		given: {
			timestamps?: BigInt64Array | undefined;
			ego_translation?: Float64Array | undefined;
			agent_index_interval?: BigInt64Array | undefined;
			track_ids?: BigUint64Array | undefined;
			centroids?: Float64Array | undefined;
			label_probabilities?: Float32Array | undefined;
		},
		result: Handle<"ReviewScene">,
	];
	/** numbers of predictions, modes and steps */
	review_shape: [
		given: { review: Handle<"Review"> },
		result: { readonly size: number; readonly modes: number; readonly steps: number },
	];
	/** how scenes are scored from now on: recorded or l5kit */
	set_counting: [
		given: { review: Handle<"Review">; counting: string },
		result: undefined,
	];
	/** scores a scene; at most `most` rows in each order */
	review: [
		given: { review: Handle<"Review">; scene: Handle<"ReviewScene">; most: number },
		result: Arrays,
	];
	/** predicted and recorded paths */
	review_lines: [
		given: { review: Handle<"Review">; frame: number },
		result: {
			readonly points: Float64Array;
			readonly offsets: Uint32Array;
			readonly confidences: Float64Array;
			readonly track_ids: BigInt64Array;
			readonly truth: Float64Array;
			readonly truth_offsets: Uint32Array;
			readonly truth_track_ids: BigInt64Array;
		},
	];
	/** ranks predictions over several scenes */
	ranking: [
		given: { review: Handle<"Review">; most: number },
		result: Handle<"Ranking">,
	];
	/** whether there are predictions at one of the times */
	ranking_wants: [
		given: { ranking: Handle<"Ranking">; timestamps: BigInt64Array },
		result: boolean,
	];
	/** adds a scene */
	rank_scene: [
		given: { ranking: Handle<"Ranking">; scene: number; tracks: Handle<"ReviewScene"> },
		result: undefined,
	];
	/** the worst predictions of the scenes */
	ranking_report: [given: { ranking: Handle<"Ranking"> }, result: Arrays];
	/** paths in a frame of the scene added last */
	ranking_lines: [
		given: { ranking: Handle<"Ranking">; frame: number },
		result: {
			readonly points: Float64Array;
			readonly offsets: Uint32Array;
			readonly confidences: Float64Array;
			readonly track_ids: BigInt64Array;
			readonly truth: Float64Array;
			readonly truth_offsets: Uint32Array;
			readonly truth_track_ids: BigInt64Array;
		},
	];
	/** compares two models */
	comparison: [given: Nothing, result: Handle<"Comparison">];
	/** adds the pairs of a scene */
	compare_reviews: [
		given: {
			comparison: Handle<"Comparison">;
			scene: number;
			a: Handle<"Review">;
			b: Handle<"Review">;
		},
		result: undefined,
	];
	/** adds the pairs of the scene added last to both */
	compare_rankings: [
		given: {
			comparison: Handle<"Comparison">;
			scene: number;
			a: Handle<"Ranking">;
			b: Handle<"Ranking">;
		},
		result: undefined,
	];
	/** pairs and frames, and their orders by difference */
	comparison_report: [
		given: { comparison: Handle<"Comparison">; most: number },
		result: Arrays,
	];
	/** quantities of a scene's tracks */
	scene_series: [
		given: {
			timestamps?: BigInt64Array | undefined;
			ego_translation?: Float64Array | undefined;
			ego_rotation?: Float64Array | undefined;
			agent_index_interval?: BigInt64Array | undefined;
			track_ids?: BigUint64Array | undefined;
			centroids?: Float64Array | undefined;
			yaws?: Float32Array | undefined;
			extents?: Float32Array | undefined;
			label_probabilities?: Float32Array | undefined;
			absent?: Uint8Array | undefined;
		},
		result: Handle<"SceneSeries">,
	];
	/** sets the lanes' sides, for lane_offset */
	set_series_lanes: [
		given: {
			series: Handle<"SceneSeries">;
			left: Float64Array;
			left_offsets: Uint32Array;
			right: Float64Array;
			right_offsets: Uint32Array;
		},
		result: undefined,
	];
	/** sets the threshold of agents that may be ahead */
	set_series_threshold: [
		given: { series: Handle<"SceneSeries">; threshold: number },
		result: undefined,
	];
	/** one value per frame, NaN if unknown; no track: the ego */
	series_values: [
		given: {
			series: Handle<"SceneSeries">;
			track?: bigint | undefined;
			quantity: string;
		},
		result: Float64Array,
	];
	/** the row of each frame's agent, -1 in frames without it */
	series_rows: [
		given: { series: Handle<"SceneSeries">; track?: bigint | undefined },
		result: Float64Array,
	];
	/** a file of simulated scenes */
	read_rollout: [given: { json: Uint8Array; where: string }, result: Handle<"Rollout">];
	/** one simulated scene from arrays */
	rollout_of: [
		given: {
			scene?: number | undefined;
			first_frame?: number | undefined;
			timestamps?: BigInt64Array | undefined;
			ego_x?: Float64Array | undefined;
			ego_y?: Float64Array | undefined;
			ego_yaw?: Float64Array | undefined;
			counts?: Uint32Array | undefined;
			track_id?: BigUint64Array | undefined;
			x?: Float64Array | undefined;
			y?: Float64Array | undefined;
			yaw?: Float64Array | undefined;
			length?: Float64Array | undefined;
			width?: Float64Array | undefined;
		},
		result: Handle<"Rollout">,
	];
	/** name in the file, or none */
	rollout_name: [given: { rollout: Handle<"Rollout"> }, result: string];
	/** numbers of the scenes, ascending */
	rollout_scenes: [given: { rollout: Handle<"Rollout"> }, result: Float64Array];
	/** compares a simulated scene with the recorded one: docs/rollouts.md */
	compare_rollout: [
		given: {
			rollout: Handle<"Rollout">;
			scene: number;
			timestamps?: BigInt64Array | undefined;
			ego_translation?: Float64Array | undefined;
			ego_rotation?: Float64Array | undefined;
			agent_index_interval?: BigInt64Array | undefined;
			track_ids?: BigUint64Array | undefined;
			centroids?: Float64Array | undefined;
			left?: Float64Array | undefined;
			left_offsets?: Uint32Array | undefined;
			right?: Float64Array | undefined;
			right_offsets?: Uint32Array | undefined;
		},
		result: {
			readonly first_frame: Uint32Array;
			readonly counts: Uint32Array;
			readonly track_id: BigUint64Array;
			readonly moved: Uint8Array;
			readonly displacement: Float64Array;
			readonly reference_distance: Float64Array;
			readonly yaw_error: Float64Array;
			readonly speed_difference: Float64Array;
			readonly simulated_miles: Float64Array;
			readonly recorded_miles: Float64Array;
			readonly collision: Uint8Array;
			readonly collision_track: BigUint64Array;
			readonly off_road: Uint8Array;
			readonly agents_displacement: Float64Array;
			readonly outlines: Float64Array;
		},
	];
	/** converts a scenario; the file's name is kept */
	converter: [given: { file: string }, result: Handle<"Converter">];
	/** columns of an Argoverse 2 scenario: those that all have, or the others */
	argoverse2_columns: [given: { required: boolean }, result: readonly string[]];
	/** passes a column; text begins at the integers */
	add_column: [
		given: {
			converter: Handle<"Converter">;
			name: string;
			numbers?: Float64Array | undefined;
			integers?: BigInt64Array | undefined;
			text?: Uint8Array | undefined;
		},
		result: undefined,
	];
	/** reads the columns that were passed */
	read_argoverse2: [given: { converter: Handle<"Converter"> }, result: undefined];
	/** reads the scenario's map, after its columns */
	read_argoverse2_map: [
		given: { converter: Handle<"Converter">; json: Uint8Array },
		result: undefined,
	];
	/** size of a TFRecord from its first 12 bytes */
	record_size: [given: { head: Uint8Array; offset: number }, result: number];
	/** reads a record of Waymo, with its head and checksums */
	read_waymo: [
		given: {
			converter: Handle<"Converter">;
			record: Uint8Array;
			offset: number;
			index: number;
		},
		result: undefined,
	];
	/** completes the data set; returns the report, JSON */
	finish_conversion: [given: { converter: Handle<"Converter"> }, result: string];
	/** the data set's objects by key */
	converted_objects: [given: { converter: Handle<"Converter"> }, result: Arrays];
}
