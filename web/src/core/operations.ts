// Made by scripts/operations.mjs from the table of operations: do not edit.

import type { Arrays, CoreRequest, Handle } from "./types.js";

type Nothing = Record<never, never>;

/** The core's operations: what each takes and returns. */
export interface Operations {
	/** an engine; missing: fill or error, for absent chunks */
	engine: [
		given: { byte_budget: number; missing?: string | undefined },
		result: Handle<"Engine">,
	];
	/** reads the metadata */
	open: [given: { engine: Handle<"Engine"> }, result: Handle<"Query">];
	/** rows of an array by range, list or mask; or a box of it */
	rows: [
		given: {
			engine: Handle<"Engine">;
			array: string;
			begin?: number | undefined;
			end?: number | undefined;
			step?: number | undefined;
			indices?: Float64Array | undefined;
			mask?: Uint8Array | undefined;
			fields?: readonly string[] | undefined;
			layout?: string | undefined;
			axes?: Float64Array | undefined;
		},
		result: Handle<"Query">,
	];
	/** a frame prepared for drawing: core/engine/README.md */
	frame: [
		given: {
			engine: Handle<"Engine">;
			scene: number;
			frame: number;
			past?: number | undefined;
			future?: number | undefined;
			threshold?: number | undefined;
			sequential?: boolean | undefined;
			agents?: boolean | undefined;
			lights?: boolean | undefined;
		},
		result: Handle<"Query">,
	];
	/** a scene over time: core/engine/README.md */
	timeline: [
		given: {
			engine: Handle<"Engine">;
			scene: number;
			track?: bigint | undefined;
			agents?: boolean | undefined;
			lights?: boolean | undefined;
		},
		result: Handle<"Query">,
	];
	/** L5Kit's table of a data set */
	summary: [given: { engine: Handle<"Engine"> }, result: Handle<"Query">];
	/** supplies requested bytes; begin -1 for the whole object */
	supply: [
		given: {
			engine: Handle<"Engine">;
			key: string;
			begin: number;
			end: number;
			bytes: Uint8Array;
		},
		result: undefined,
	];
	/** says that an object does not exist */
	supply_absent: [given: { engine: Handle<"Engine">; key: string }, result: undefined];
	/** lets a chunk, or all with an empty key, be read again; the damaged objects */
	forget_failures: [
		given: { engine: Handle<"Engine">; key: string },
		result: readonly string[],
	];
	/** the metadata as JSON */
	describe: [given: { engine: Handle<"Engine"> }, result: string];
	/** of encoded chunks: bytes held, byte budget, hits, misses, evictions */
	cache: [given: { engine: Handle<"Engine"> }, result: Float64Array];
	/** number of absent chunks */
	absent_count: [given: { engine: Handle<"Engine"> }, result: number];
	/** keys of absent chunks */
	absent_chunks: [given: { engine: Handle<"Engine"> }, result: readonly string[]];
	/** parses a semantic map */
	map: [given: { pb: Uint8Array; meta: Uint8Array }, result: Handle<"Map">];
	/** the whole map: core/engine/map_query.hpp */
	map_arrays: [given: { map: Handle<"Map"> }, result: Arrays];
	/** lanes whose bounds, grown by a radius, contain a point */
	lanes_near: [
		given: { map: Handle<"Map">; x: number; y: number; radius: number },
		result: { readonly values: Uint32Array },
	];
	/** likewise */
	crosswalks_near: [
		given: { map: Handle<"Map">; x: number; y: number; radius: number },
		result: { readonly values: Uint32Array },
	];
	/** a lane's lines, resampled to a number of points */
	lane_by_count: [
		given: { map: Handle<"Map">; lane: number; count: number },
		result: {
			readonly left: Float64Array;
			readonly right: Float64Array;
			readonly mid: Float64Array;
		},
	];
	/** a lane's lines, resampled at equal distances */
	lane_by_metres: [
		given: { map: Handle<"Map">; lane: number; step: number },
		result: {
			readonly left: Float64Array;
			readonly right: Float64Array;
			readonly mid: Float64Array;
		},
	];
	/** 0 to 3 by the colour of the lane's active faces, 4 without a traffic light */
	light_feature: [
		given: { map: Handle<"Map">; lane: number; faces: readonly string[] },
		result: { readonly values: Uint8Array },
	];
	/** latitude, longitude, altitude */
	geodetic: [
		given: { map: Handle<"Map">; x: number; y: number; z: number },
		result: { readonly values: Float64Array },
	];
	/** per lane if faces are active: 0 none, 1 red, 2 yellow, 3 green */
	lane_colours: [
		given: { map: Handle<"Map">; faces: readonly string[] },
		result: { readonly values: Uint8Array },
	];
	/** an aerial image, black at first */
	aerial: [
		given: { width: number; height: number; meta: Uint8Array },
		result: Handle<"Aerial">,
	];
	/** copies whole rows */
	put_aerial_rows: [
		given: { aerial: Handle<"Aerial">; first: number; rgba: Uint8Array },
		result: undefined,
	];
	/** L5Kit's samples; kind: ego, agent or ego_agent; image: none, f32, u8 or rgba */
	samples: [
		given: {
			engine: Handle<"Engine">;
			config?: string | undefined;
			kind?: string | undefined;
			image?: string | undefined;
			vectorized?: boolean | undefined;
			eval?: boolean | undefined;
			scene?: number | undefined;
			perturbed?: boolean | undefined;
			probability?: number | undefined;
			mean?: Float64Array | undefined;
			deviation?: Float64Array | undefined;
			seed?: number | undefined;
			offset_seed?: number | undefined;
			min_displacement?: number | undefined;
			map?: Handle<"Map"> | undefined;
			aerial?: Handle<"Aerial"> | undefined;
			valid_agents?: Handle<"AgentItems"> | undefined;
		},
		result: Handle<"Samples">,
	];
	/** selects a frame, the agent in a row, or in a scene's state the ego or a track */
	select_sample: [
		given: {
			samples: Handle<"Samples">;
			frame?: number | undefined;
			agent?: number | undefined;
			scene?: number | undefined;
			state?: number | undefined;
			track?: bigint | undefined;
		},
		result: undefined,
	];
	/** whether later samples follow in order; the channel of rgba images, or all */
	set_sampling: [
		given: {
			samples: Handle<"Samples">;
			sequential: boolean;
			channel?: number | undefined;
		},
		result: undefined,
	];
	/** what the image's channels are */
	sample_channels: [given: { samples: Handle<"Samples"> }, result: readonly string[]];
	/** unpins the chunks of a sample not built */
	release_pins: [given: { samples: Handle<"Samples"> }, result: undefined];
	/** files of a config: meta, semantic map, aerial image, or empty */
	data_keys: [
		given: { config: string; vectorized: boolean },
		result: readonly string[],
	];
	/** L5Kit's agent selection, scene by scene */
	selection: [
		given: {
			engine: Handle<"Engine">;
			label_threshold?: number | undefined;
			max_yaw_step_deg?: number | undefined;
			max_extent_ratio?: number | undefined;
			max_distance_to_ego?: number | undefined;
			first_scene?: number | undefined;
		},
		result: Handle<"Selection">,
	];
	/** goes to the next scene; false at the end */
	next_selected: [given: { selection: Handle<"Selection"> }, result: boolean];
	/** JSON: scene, scenes, agents and the report so far */
	selection_info: [given: { selection: Handle<"Selection"> }, result: string];
	/** the items of an agent data set; the config has the label threshold */
	agent_index: [
		given: {
			engine: Handle<"Engine">;
			config: string;
			label_threshold?: number | undefined;
			max_yaw_step_deg?: number | undefined;
			max_extent_ratio?: number | undefined;
			max_distance_to_ego?: number | undefined;
			min_frame_history?: number | undefined;
			min_frame_future?: number | undefined;
			use_stored?: boolean | undefined;
		},
		result: Handle<"AgentIndex">,
	];
	/** agents examined, and of how many */
	agent_index_progress: [given: { index: Handle<"AgentIndex"> }, result: Float64Array];
	/** JSON: rejected agents by reason; or empty */
	agent_index_report: [given: { index: Handle<"AgentIndex"> }, result: string];
	/** the items of a whole index */
	agent_items: [given: { index: Handle<"AgentIndex"> }, result: Handle<"AgentItems">];
	/** items of a mask of agents */
	items_of_mask: [given: { mask: Uint8Array }, result: Handle<"AgentItems">];
	/** items of the numbers of past and future frames */
	items_of_counts: [
		given: {
			counts: Uint32Array;
			min_frame_history?: number | undefined;
			min_frame_future?: number | undefined;
		},
		result: Handle<"AgentItems">,
	];
	/** rows of the items in `agents` */
	item_rows: [
		given: { items: Handle<"AgentItems"> },
		result: { readonly agents_indices: BigInt64Array },
	];
	/** the items in a scene */
	items_of_scene: [
		given: { engine: Handle<"Engine">; items: Handle<"AgentItems">; index: number },
		result: Handle<"Query">,
	];
	/** the items in a frame */
	items_of_frame: [
		given: { engine: Handle<"Engine">; items: Handle<"AgentItems">; index: number },
		result: Handle<"Query">,
	];
	/** a zip archive */
	archive: [given: { name: string; size: number }, result: Handle<"Archive">];
	/** the next range of its directory */
	archive_missing: [
		given: { archive: Handle<"Archive"> },
		result: readonly CoreRequest[],
	];
	/** supplies the range */
	archive_supply: [
		given: { archive: Handle<"Archive">; bytes: Uint8Array },
		result: undefined,
	];
	/** path of the zarr store in it, with a slash */
	archive_store: [given: { archive: Handle<"Archive">; name: string }, result: string];
	/** paths of all zarr stores, shortest first */
	archive_stores: [given: { archive: Handle<"Archive"> }, result: readonly string[]];
	/** reads a member, or a range of it; nothing if absent */
	archive_read: [
		given: {
			archive: Handle<"Archive">;
			name: string;
			begin?: number | undefined;
			end?: number | undefined;
		},
		result: Handle<"ArchiveRead">,
	];
	/** bytes of a member; -1 if absent */
	archive_size: [given: { archive: Handle<"Archive">; name: string }, result: number];
	/** CRC-32 of a member; -1 if absent */
	archive_crc: [given: { archive: Handle<"Archive">; name: string }, result: number];
	/** the next range to read */
	read_missing: [
		given: { read: Handle<"ArchiveRead"> },
		result: readonly CoreRequest[],
	];
	/** supplies the range */
	read_supply: [
		given: { read: Handle<"ArchiveRead">; bytes: Uint8Array },
		result: undefined,
	];
	/** whether the whole member is read instead of the range */
	read_is_whole: [given: { read: Handle<"ArchiveRead"> }, result: boolean];
	/** the bytes that were read */
	read_take: [given: { read: Handle<"ArchiveRead"> }, result: Uint8Array];
	/** fields of Petastorm's pickled schema, JSON */
	unischema: [given: { pickled: Uint8Array }, result: string];
	/** batches of a plan's items from a state or position; or only their counts */
	reader: [
		given: {
			engine: Handle<"Engine">;
			plan: string;
			counts: boolean;
			map?: Handle<"Map"> | undefined;
			aerial?: Handle<"Aerial"> | undefined;
			state?: string | undefined;
			epoch?: number | undefined;
			items?: number | undefined;
		},
		result: Handle<"Reader">,
	];
	/** goes on to the next batch */
	advance_reader: [given: { reader: Handle<"Reader"> }, result: undefined];
	/** whether the epoch has no further batch */
	reader_at_end: [given: { reader: Handle<"Reader"> }, result: boolean];
	/** items of the batch */
	batch_size: [given: { reader: Handle<"Reader"> }, result: number];
	/** blocks done, and of how many */
	reader_progress: [given: { reader: Handle<"Reader"> }, result: Float64Array];
	/** JSON: position, state and work; items: those of the batch */
	reader_info: [
		given: { reader: Handle<"Reader">; items?: number | undefined },
		result: string,
	];
	/** JSON: the position */
	reader_state: [given: { reader: Handle<"Reader"> }, result: string];
	/** JSON: the plan, columns, and what was read */
	explain_reader: [given: { reader: Handle<"Reader"> }, result: string];
	/** describes the fields of a plan, by a column's values */
	reader_description: [
		given: { engine: Handle<"Engine">; plan: string; by?: string | undefined },
		result: Handle<"ReaderDescription">,
	];
	/** what to read before a step */
	description_missing: [
		given: { description: Handle<"ReaderDescription"> },
		result: readonly CoreRequest[],
	];
	/** uses what was read; false after the last rows */
	description_step: [
		given: { description: Handle<"ReaderDescription"> },
		result: boolean,
	];
	/** blocks done, and of how many */
	description_progress: [
		given: { description: Handle<"ReaderDescription"> },
		result: Float64Array,
	];
	/** JSON: the description */
	description_json: [
		given: { description: Handle<"ReaderDescription"> },
		result: string,
	];
	/** JSON: which reader the next batch comes from; or the state of them all */
	reader_order: [
		given: {
			mixture?: string | undefined;
			state?: string | undefined;
			exhausted: number;
			readers: readonly string[];
			chooses: boolean;
		},
		result: string,
	];
	/** the states of several readers in a state */
	reader_states: [
		given: { mixture?: string | undefined; state: string; readers: number },
		result: readonly string[],
	];
	/** facts of one scene after the other */
	facts: [
		given: { engine: Handle<"Engine">; map?: Handle<"Map"> | undefined },
		result: Handle<"Facts">,
	];
	/** goes to a scene */
	seek_facts: [given: { facts: Handle<"Facts">; scene: number }, result: undefined];
	/** goes to a scene whose rows follow the previous ones */
	add_facts: [given: { facts: Handle<"Facts">; scene: number }, result: undefined];
	/** leaves out the scene, and keeps the rows so far */
	leave_out_facts: [given: { facts: Handle<"Facts"> }, result: undefined];
	/** keys of the scenes' chunks; none if unknown */
	fact_chunks: [given: { facts: Handle<"Facts"> }, result: readonly string[]];
	/** a mark of a map, for open_fact_file */
	map_mark: [given: { pb: Uint8Array; meta: Uint8Array }, result: string];
	/** begins to read the facts beside the data set, which has this address */
	open_fact_file: [
		given: { facts: Handle<"Facts">; size: number; map: string; address: string },
		result: undefined,
	];
	/** reads what fact_thumbnail needs also if published */
	need_fact_states: [given: { facts: Handle<"Facts"> }, result: undefined];
	/** what to read before the next step */
	fact_file_missing: [
		given: { facts: Handle<"Facts"> },
		result: readonly CoreRequest[],
	];
	/** keys of the objects to check */
	fact_file_objects: [given: { facts: Handle<"Facts"> }, result: readonly string[]];
	/** compares the objects: sizes (-1 absent), seconds newer than the file, CRC-32 in an archive; NaN for unknown */
	check_fact_file: [
		given: {
			facts: Handle<"Facts">;
			sizes: Float64Array;
			newer: Float64Array;
			zip_crcs: Float64Array;
		},
		result: undefined,
	];
	/** uses the file as if no object had changed */
	believe_fact_file: [given: { facts: Handle<"Facts"> }, result: undefined];
	/** whether the address of the data set is named after its content */
	fact_file_is_published: [given: { facts: Handle<"Facts"> }, result: boolean];
	/** why not all facts of it are used */
	fact_file_notice: [given: { facts: Handle<"Facts"> }, result: string];
	/** whether any facts of it are used */
	fact_file_is_used: [given: { facts: Handle<"Facts"> }, result: boolean];
	/** end of the scenes from one on that it has; negative: that it does not have */
	fact_file_scenes: [given: { facts: Handle<"Facts">; scene: number }, result: number];
	/** key of the archive that has a scene's picture, and name in it; none if changed */
	fact_thumbnail: [
		given: { facts: Handle<"Facts">; scene: number },
		result: readonly string[],
	];
	/** chooses rows of such scenes */
	select_fact_file: [
		given: {
			facts: Handle<"Facts">;
			table: string;
			where: string;
			columns: readonly string[];
			begin: number;
			end: number;
		},
		result: undefined,
	];
	/** the rows */
	fact_file_rows: [given: { facts: Handle<"Facts"> }, result: Arrays];
	/** chooses rows of a table of facts */
	fact_choice: [
		given: { engine: Handle<"Engine">; table: string; where: string },
		result: Handle<"FactChoice">,
	];
	/** passes the table's next column */
	add_fact_column: [
		given: { choice: Handle<"FactChoice">; column: Uint8Array },
		result: undefined,
	];
	/** all columns of the rows that pass */
	choose_facts: [given: { choice: Handle<"FactChoice"> }, result: Arrays];
	/** JSON: names, types and units of all facts */
	describe_facts: [given: Nothing, result: string];
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
	/** the URL of an address hf://, s3:// or gs://; of other servers than the public ones */
	address_url: [
		given: {
			address: string;
			s3_endpoint?: string | undefined;
			s3_region?: string | undefined;
			hf_endpoint?: string | undefined;
		},
		result: string,
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
			readonly truth_steps: Uint32Array;
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
			readonly truth_steps: Uint32Array;
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
	/** compares the scene that both have scored last */
	compare_scene: [
		given: { scene: number; a: Handle<"Review">; b: Handle<"Review">; most: number },
		result: Arrays,
	];
	/** pairs and frames, and their orders by difference */
	comparison_report: [
		given: { comparison: Handle<"Comparison">; most: number },
		result: Arrays,
	];
	/** a model's predictions that pass, worst first; of a scene also its frames */
	kept_report: [
		given: {
			table: Handle<"Distribution">;
			model: number;
			scene?: number | undefined;
			by: string;
			most: number;
		},
		result: Arrays,
	];
	/** review_lines of the predictions that pass */
	kept_lines: [
		given: {
			table: Handle<"Distribution">;
			review: Handle<"Review">;
			model: number;
			scene: number;
			frame: number;
		},
		result: {
			readonly points: Float64Array;
			readonly offsets: Uint32Array;
			readonly confidences: Float64Array;
			readonly track_ids: BigInt64Array;
			readonly truth: Float64Array;
			readonly truth_steps: Uint32Array;
			readonly truth_offsets: Uint32Array;
			readonly truth_track_ids: BigInt64Array;
		},
	];
	/** like comparison_report, of pairs of which one prediction passes */
	kept_comparison: [
		given: {
			table: Handle<"Distribution">;
			a: number;
			b: number;
			scene?: number | undefined;
			most: number;
		},
		result: Arrays,
	];
	/** a table; categories 0 for a column of numbers */
	distribution: [
		given: { names: readonly string[]; categories: Uint32Array },
		result: Handle<"Distribution">,
	];
	/** a table of predictions' scores */
	prediction_distribution: [given: Nothing, result: Handle<"Distribution">];
	/** names of the columns */
	distribution_columns: [
		given: { table: Handle<"Distribution"> },
		result: readonly string[],
	];
	/** adds rows: values of one column after the other */
	add_distribution: [
		given: {
			table: Handle<"Distribution">;
			scenes?: Uint32Array | undefined;
			frames?: Uint32Array | undefined;
			track_ids?: BigInt64Array | undefined;
			values: Float64Array;
		},
		result: undefined,
	];
	/** adds the predictions of the scene ranked last */
	distribute_ranked: [
		given: {
			table: Handle<"Distribution">;
			ranking: Handle<"Ranking">;
			scene: number;
			model: number;
		},
		result: undefined,
	];
	/** chooses a column's values: low <= v < high, or categories */
	set_brush: [
		given: {
			table: Handle<"Distribution">;
			column: number;
			low?: number | undefined;
			high?: number | undefined;
			chosen?: Uint32Array | undefined;
			missing?: boolean | undefined;
		},
		result: undefined,
	];
	/** chooses all values of a column */
	clear_brush: [
		given: { table: Handle<"Distribution">; column: number },
		result: undefined,
	];
	/** rows by bin of each column: of all, and of those that pass other brushes */
	distribution_counts: [
		given: { table: Handle<"Distribution">; by?: number | undefined },
		result: {
			readonly sizes: Uint32Array;
			readonly edges: Float64Array;
			readonly all: Uint32Array;
			readonly passing: Uint32Array;
			readonly rows: number;
			readonly kept: number;
		},
	];
	/** means with 95 % intervals, and quantiles, of the rows that pass */
	distribution_summary: [
		given: { table: Handle<"Distribution">; column: number; by?: number | undefined },
		result: {
			readonly groups: Uint32Array;
			readonly missing: Uint32Array;
			readonly means: Float64Array;
			readonly quantiles: Float64Array;
		},
	];
	/** A, B and B - A over pairs of rows that pass */
	distribution_pair: [
		given: {
			table: Handle<"Distribution">;
			column: number;
			by: number;
			a: number;
			b: number;
		},
		result: {
			readonly means: Float64Array;
			readonly missing: number;
			readonly alone: number;
			readonly lower: number;
			readonly equal: number;
		},
	];
	/** passing rows in order of a column */
	distribution_rows: [
		given: { table: Handle<"Distribution">; column: number; most: number },
		result: {
			readonly scenes: Uint32Array;
			readonly frames: Uint32Array;
			readonly track_ids: BigInt64Array;
			readonly values: Float64Array;
			readonly rows: Uint32Array;
		},
	];
	/** passing rows from row `first` on */
	distribution_slice: [
		given: { table: Handle<"Distribution">; first: number; most: number },
		result: {
			readonly scenes: Uint32Array;
			readonly frames: Uint32Array;
			readonly track_ids: BigInt64Array;
			readonly values: Float64Array;
			readonly rows: Uint32Array;
		},
	];
	/** passing rows of a scene */
	distribution_scene: [
		given: { table: Handle<"Distribution">; scene: number },
		result: {
			readonly scenes: Uint32Array;
			readonly frames: Uint32Array;
			readonly track_ids: BigInt64Array;
			readonly values: Float64Array;
			readonly rows: Uint32Array;
		},
	];
	/** passing rows with both values; evenly chosen ones */
	distribution_points: [
		given: { table: Handle<"Distribution">; x: number; y: number; most: number },
		result: {
			readonly count: number;
			readonly scenes: Uint32Array;
			readonly frames: Uint32Array;
			readonly track_ids: BigInt64Array;
			readonly values: Float64Array;
			readonly rows: Uint32Array;
		},
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
			ego_is_virtual?: boolean | undefined;
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
			ego_box?: Float64Array | undefined;
		},
		result: Handle<"Rollout">,
	];
	/** adds a simulated scene */
	add_simulated: [
		given: {
			rollout: Handle<"Rollout">;
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
			ego_box?: Float64Array | undefined;
		},
		result: undefined,
	];
	/** a file of the scenes, as JSON */
	write_rollout: [
		given: { rollout: Handle<"Rollout">; name?: string | undefined },
		result: string,
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
	/** a submission to a challenge, without files at first */
	submission: [given: Nothing, result: Handle<"Submission">];
	/** begins with a file of so many bytes, and its side file NAME.index.json, which may be older */
	index_shard: [
		given: {
			submission: Handle<"Submission">;
			name: string;
			size: number;
			side_file?: string | undefined;
			is_older?: boolean | undefined;
		},
		result: undefined,
	];
	/** begin and end of the file's bytes to supply next; none: it is indexed */
	missing_of_shard: [given: { submission: Handle<"Submission"> }, result: Float64Array];
	/** supplies these bytes */
	supply_shard: [
		given: { submission: Handle<"Submission">; bytes: Uint8Array },
		result: undefined,
	];
	/** joins the files; returns kind, method, affiliation, https link, parameters, and why side files are ignored */
	open_submission: [
		given: { submission: Handle<"Submission"> },
		result: readonly string[],
	];
	/** ids of its scenarios */
	submitted_scenarios: [
		given: { submission: Handle<"Submission"> },
		result: readonly string[],
	];
	/** file, begin and end of a scenario's bytes; none: it is absent */
	find_submitted: [
		given: { submission: Handle<"Submission">; scenario: string },
		result: Float64Array,
	];
	/** the futures of a scenario from these bytes */
	read_futures: [
		given: { submission: Handle<"Submission">; scenario: string; bytes: Uint8Array },
		result: Handle<"Futures">,
	];
	/** adds those of another prediction of the same sample */
	read_more_futures: [
		given: {
			futures: Handle<"Futures">;
			submission: Handle<"Submission">;
			scenario: string;
			bytes: Uint8Array;
		},
		result: undefined,
	];
	/** what it has of a scene: frame and id of each, "9 DR_A/1"; of nuScenes many */
	scene_parts: [
		given: {
			submission: Handle<"Submission">;
			timestamps?: BigInt64Array | undefined;
			ego_translation?: Float64Array | undefined;
			ego_rotation?: Float64Array | undefined;
			agent_index_interval?: BigInt64Array | undefined;
			track_ids?: BigUint64Array | undefined;
			centroids?: Float64Array | undefined;
			yaws?: Float32Array | undefined;
			extents?: Float32Array | undefined;
			velocities?: Float32Array | undefined;
			label_probabilities?: Float32Array | undefined;
			attributes: string;
		},
		result: readonly string[],
	];
	/** joins futures with their scene by ids; returns what does not match, a line per kind */
	join_scene: [
		given: {
			futures: Handle<"Futures">;
			timestamps?: BigInt64Array | undefined;
			ego_translation?: Float64Array | undefined;
			ego_rotation?: Float64Array | undefined;
			agent_index_interval?: BigInt64Array | undefined;
			track_ids?: BigUint64Array | undefined;
			centroids?: Float64Array | undefined;
			yaws?: Float32Array | undefined;
			extents?: Float32Array | undefined;
			velocities?: Float32Array | undefined;
			label_probabilities?: Float32Array | undefined;
			attributes: string;
			left?: Float64Array | undefined;
			left_offsets?: Uint32Array | undefined;
			right?: Float64Array | undefined;
			right_offsets?: Uint32Array | undefined;
		},
		result: string,
	];
	/** first step, stride, x and y of the origin, 1 if rollouts are joint, their number, and seconds from the current step to the last recorded one */
	futures_frame: [given: { futures: Handle<"Futures"> }, result: Float64Array];
	/** rows of the agents that the challenge evaluates */
	evaluated_futures: [given: { futures: Handle<"Futures"> }, result: Float64Array];
	/** ids <u8 (a); poses <f4 (r, a, 4 or 2, t) m, rad; sizes <f4 (a, 3) or per step; valid |u1 (r, a, t); scores <f4 (r) or (r, a) */
	futures_arrays: [given: { futures: Handle<"Futures"> }, result: Arrays];
	/** agents, evaluated, rollouts, mismatches, ade, min_ade, fde, min_fde, collision_rate, off_lane_rate and best_rollout, as `bevscope score` writes them, of so many seconds after the current step, of all without; NaN: not known */
	futures_score: [
		given: { futures: Handle<"Futures">; seconds?: number | undefined },
		result: Float64Array,
	];
	/** distances of the evaluated agents from the recording by step; the least of joint rollouts, else the mean of the agents' own */
	futures_curves: [
		given: { futures: Handle<"Futures"> },
		result: { readonly mean: Float64Array; readonly least: Float64Array },
	];
	/** measures of so many seconds after the current step, of all without; NaN if the futures end before: docs/results.md */
	futures_measures: [
		given: { futures: Handle<"Futures">; seconds?: number | undefined },
		result: {
			readonly evaluated: Float64Array;
			readonly agent_ade: Float64Array;
			readonly agent_fde: Float64Array;
			readonly collision_step: Float64Array;
			readonly collision_with: Float64Array;
			readonly off_lane_step: Float64Array;
			readonly ade: Float64Array;
			readonly fde: Float64Array;
			readonly colliding: Float64Array;
			readonly leaving: Float64Array;
		},
	];
	/** speeds, and how far apart rollouts are; seconds per frame */
	futures_motion: [
		given: { futures: Handle<"Futures">; seconds: number },
		result: {
			readonly speed: Float32Array;
			readonly acceleration: Float32Array;
			readonly spread: Float64Array;
			readonly final_spread: Float64Array;
		},
	];
	/** what a file of scores has, by its ends: scenarios, planners, or nothing */
	score_file: [given: { head: Uint8Array; tail: Uint8Array }, result: string];
	/** reads files of scores, CSV or Parquet */
	scores: [given: Nothing, result: Handle<"Scores">];
	/** adds a file */
	add_score_file: [
		given: { scores: Handle<"Scores">; file: Uint8Array; where: string },
		result: undefined,
	];
	/** names of the tables: files of submissions, then planners */
	finish_scores: [given: { scores: Handle<"Scores"> }, result: readonly string[]];
	/** names of a table's columns */
	score_columns: [
		given: { scores: Handle<"Scores">; table: number },
		result: readonly string[],
	];
	/** ids of a table's scenarios */
	scored_scenarios: [
		given: { scores: Handle<"Scores">; table: number },
		result: readonly string[],
	];
	/** the rows of each scenario; NaN is missing */
	score_values: [
		given: { scores: Handle<"Scores">; table: number },
		result: {
			readonly first_row: Uint32Array;
			readonly values: Float64Array;
			readonly is_of_futures: number;
			readonly is_of_planner: number;
		},
	];
	/** binds inputs of a model to samples, recognizes its outputs: docs/models.md */
	bind_model: [
		given: {
			name: string;
			signature: string;
			settings?: string | undefined;
			settings_name?: string | undefined;
		},
		result: Handle<"ModelContract">,
	];
	/** the same as JSON */
	model_contract: [given: { contract: Handle<"ModelContract"> }, result: string];
	/** JSON: what feeds each input, from a sample's arrays */
	model_feeds: [
		given: { contract: Handle<"ModelContract">; arrays: string; batched: boolean },
		result: string,
	];
	/** values of an input by the model's mean and std */
	normalised_input: [
		given: {
			contract: Handle<"ModelContract">;
			input: number;
			values: Float32Array;
			shape: Uint32Array;
		},
		result: Float32Array,
	];
	/** a model's outputs for a batch, in the world */
	predicted_in_world: [
		given: {
			contract: Handle<"ModelContract">;
			positions?: Float64Array | undefined;
			positions_shape?: Uint32Array | undefined;
			confidences?: Float64Array | undefined;
			confidences_shape?: Uint32Array | undefined;
			yaws?: Float64Array | undefined;
			yaws_shape?: Uint32Array | undefined;
			world_from_agent?: Float64Array | undefined;
			centroids?: Float64Array | undefined;
			headings?: Float64Array | undefined;
		},
		result: {
			readonly positions: Float64Array;
			readonly yaws: Float64Array;
			readonly confidences: Float64Array;
			readonly modes: number;
			readonly steps: number;
		},
	];
	/** a model's outputs for a batch as L5Kit's predictions: offsets from centroids */
	predicted_records: [
		given: {
			contract: Handle<"ModelContract">;
			positions?: Float64Array | undefined;
			positions_shape?: Uint32Array | undefined;
			confidences?: Float64Array | undefined;
			confidences_shape?: Uint32Array | undefined;
			yaws?: Float64Array | undefined;
			yaws_shape?: Uint32Array | undefined;
			world_from_agent?: Float64Array | undefined;
			centroids?: Float64Array | undefined;
			headings?: Float64Array | undefined;
		},
		result: {
			readonly coords: Float64Array;
			readonly confidences: Float64Array;
			readonly modes: number;
			readonly steps: number;
		},
	];
	/** where a closed loop moves a batch, relative to its poses */
	first_steps: [
		given: {
			contract: Handle<"ModelContract">;
			positions?: Float64Array | undefined;
			positions_shape?: Uint32Array | undefined;
			confidences?: Float64Array | undefined;
			confidences_shape?: Uint32Array | undefined;
			yaws?: Float64Array | undefined;
			yaws_shape?: Uint32Array | undefined;
			world_from_agent?: Float64Array | undefined;
			centroids?: Float64Array | undefined;
			headings?: Float64Array | undefined;
		},
		result: { readonly positions: Float64Array; readonly yaws: Float64Array },
	];
	/** reads a scene, to be changed, or for its columns */
	scene_arrays: [
		given: { engine: Handle<"Engine">; scene: number },
		result: Handle<"SceneArrays">,
	];
	/** a simulation by L5Kit's SimulationConfig, without scenes yet; the samples' config has the threshold of agents */
	simulate: [
		given: {
			use_ego_gt?: boolean | undefined;
			use_agents_gt?: boolean | undefined;
			disable_new_agents?: boolean | undefined;
			distance_th_far?: number | undefined;
			distance_th_close?: number | undefined;
			filter_agents_threshold?: number | undefined;
			start_frame_index?: number | undefined;
			num_simulation_steps?: number | undefined;
			config?: string | undefined;
		},
		result: Handle<"Simulation">,
	];
	/** adds a scene that was read, before all other questions */
	add_scene: [
		given: { simulation: Handle<"Simulation">; arrays: Handle<"SceneArrays"> },
		result: undefined,
	];
	/** reads a scene, and adds it with its build */
	simulated_scene: [
		given: {
			simulation: Handle<"Simulation">;
			engine: Handle<"Engine">;
			scene: number;
		},
		result: Handle<"SceneArrays">,
	];
	/** number of simulated frames */
	simulation_frames: [given: { simulation: Handle<"Simulation"> }, result: number];
	/** the data set with simulated scenes, or with those before the simulation */
	simulation_engine: [
		given: {
			simulation: Handle<"Simulation">;
			engine: Handle<"Engine">;
			recorded: boolean;
		},
		result: Handle<"Engine">,
	];
	/** agents that are controlled in a frame, and then up to distance_th_far */
	controlled_agents: [
		given: { simulation: Handle<"Simulation">; frame: number },
		result: { readonly scenes: Uint32Array; readonly tracks: BigUint64Array },
	];
	/** scenes whose ego vehicle is controlled in a frame */
	controlled_egos: [
		given: { simulation: Handle<"Simulation">; frame: number },
		result: { readonly scenes: Uint32Array },
	];
	/** moves tracks, or ego vehicles, by the first of (n, steps, 2) positions and (n, steps) yaws relative to their poses */
	take_steps: [
		given: {
			simulation: Handle<"Simulation">;
			frame: number;
			scenes: Uint32Array;
			tracks?: BigUint64Array | undefined;
			positions: Float64Array;
			yaws: Float64Array;
			steps: number;
		},
		result: undefined,
	];
	/** a simulated scene, or frames of it, as rollout_of takes it */
	simulation_rollout: [
		given: {
			simulation: Handle<"Simulation">;
			scene: number;
			begin?: number | undefined;
			end?: number | undefined;
		},
		result: {
			readonly first_frame: Uint32Array;
			readonly timestamps: BigInt64Array;
			readonly ego_x: Float64Array;
			readonly ego_y: Float64Array;
			readonly ego_yaw: Float64Array;
			readonly counts: Uint32Array;
			readonly track_id: BigUint64Array;
			readonly x: Float64Array;
			readonly y: Float64Array;
			readonly yaw: Float64Array;
			readonly length: Float64Array;
			readonly width: Float64Array;
		},
	];
	/** agents that a model predicts: above the config's threshold, of some labels, the nearest to the ego vehicle */
	subjects: [
		given: {
			config: string;
			labels?: readonly string[] | undefined;
			most?: number | undefined;
		},
		result: Handle<"Subjects">,
	];
	/** reads the scene of the subjects, with its build */
	scene_of_subjects: [
		given: { subjects: Handle<"Subjects">; engine: Handle<"Engine">; scene: number },
		result: Handle<"SceneArrays">,
	];
	/** the subjects in a frame of the scene, the nearest first */
	subjects_of_frame: [
		given: { subjects: Handle<"Subjects">; frame: number },
		result: { readonly tracks: BigUint64Array },
	];
	/** edits of scenes: docs/patches.md */
	patch: [given: { json: string }, result: Handle<"Patch">];
	/** the patch as JSON without blanks, for links */
	patch_text: [given: { patch: Handle<"Patch"> }, result: string];
	/** the scenes that a patch edits */
	patch_scenes: [
		given: { patch: Handle<"Patch">; engine: Handle<"Engine"> },
		result: Uint32Array,
	];
	/** edits a scene that was read */
	patch_scene: [
		given: { patch: Handle<"Patch">; arrays: Handle<"SceneArrays"> },
		result: undefined,
	];
	/** reads a scene, and edits it with its build */
	patched_scene: [
		given: { patch: Handle<"Patch">; engine: Handle<"Engine">; scene: number },
		result: Handle<"SceneArrays">,
	];
	/** the data set with the edited scenes, which all were read */
	patched_engine: [
		given: { patch: Handle<"Patch">; engine: Handle<"Engine"> },
		result: Handle<"Engine">,
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
	/** reads a scenario of ScenarioNet */
	read_scenarionet: [
		given: { converter: Handle<"Converter">; pickle: Uint8Array },
		result: undefined,
	];
	/** reads a scenario of CommonRoad; the obstacle `ego` is the ego vehicle */
	read_commonroad: [
		given: {
			converter: Handle<"Converter">;
			xml: Uint8Array;
			ego?: string | undefined;
		},
		result: undefined,
	];
	/** paths of the scenarios in a folder of ScenarioNet, by its lists */
	scenarionet_files: [
		given: { summary?: Uint8Array | undefined; mapping?: Uint8Array | undefined },
		result: readonly string[],
	];
	/** reads the simulation; the id is for scenes */
	read_simulation: [
		given: {
			converter: Handle<"Converter">;
			files: Handle<"SimulationFiles">;
			id: string;
		},
		result: undefined,
	];
	/** a log of nuPlan */
	log_file: [given: { name: string; size: number }, result: Handle<"LogFile">];
	/** the next ranges of what tells its scenes; none: it is open */
	log_missing: [given: { log: Handle<"LogFile"> }, result: readonly CoreRequest[]];
	/** supplies a range; its key is the file. All are supplied before the next run */
	log_supply: [
		given: { log: Handle<"LogFile">; file: string; offset: number; bytes: Uint8Array },
		result: undefined,
	];
	/** names of the scenes, by time */
	log_scenes: [given: { log: Handle<"LogFile"> }, result: readonly string[]];
	/** begin and end of each scene, nanoseconds */
	log_times: [given: { log: Handle<"LogFile"> }, result: BigInt64Array];
	/** tables that are read whole, because rows have neither index nor order */
	log_scanned: [given: { log: Handle<"LogFile"> }, result: readonly string[]];
	/** the next ranges of the tags of its scenes; none: they are read */
	log_missing_tags: [given: { log: Handle<"LogFile"> }, result: readonly CoreRequest[]];
	/** JSON: the tags of each scene */
	log_tags: [given: { log: Handle<"LogFile"> }, result: string];
	/** adds the map of the log's city */
	log_map: [given: { log: Handle<"LogFile">; size: number }, result: undefined];
	/** reads a scene; returns the next ranges that it needs, none if it is read */
	read_nuplan: [
		given: { converter: Handle<"Converter">; log: Handle<"LogFile">; scene: number },
		result: readonly CoreRequest[],
	];
	/** names of the files of a version of nuScenes, in order */
	version_files: [given: Nothing, result: readonly string[]];
	/** a version of nuScenes */
	tables_version: [given: Nothing, result: Handle<"TablesVersion">];
	/** begins a file */
	version_begin: [
		given: { version: Handle<"TablesVersion">; file: string },
		result: undefined,
	];
	/** passes the next part of its text */
	version_push: [
		given: { version: Handle<"TablesVersion">; text: Uint8Array },
		result: undefined,
	];
	/** ends the file */
	version_end: [given: { version: Handle<"TablesVersion"> }, result: undefined];
	/** names of the scenes */
	version_scenes: [
		given: { version: Handle<"TablesVersion"> },
		result: readonly string[],
	];
	/** location of each scene; "" if it cannot have a map */
	version_locations: [
		given: { version: Handle<"TablesVersion"> },
		result: readonly string[],
	];
	/** JSON: the tags of each scene */
	version_tags: [given: { version: Handle<"TablesVersion"> }, result: string];
	/** passes the map of a location */
	version_map: [
		given: { version: Handle<"TablesVersion">; location: string; json: Uint8Array },
		result: undefined,
	];
	/** reads a scene */
	read_nuscenes: [
		given: {
			converter: Handle<"Converter">;
			version: Handle<"TablesVersion">;
			scene: number;
		},
		result: undefined,
	];
	/** begin and end of the rows of each scenario in a track file of INTERACTION */
	interaction_cases: [given: { text: Uint8Array }, result: Float64Array];
	/** location, pedestrians and map of a track file, by names; "" for none */
	interaction_names: [
		given: { path: string; maps: readonly string[] },
		result: readonly string[],
	];
	/** reads a scenario, with the file's first line; the track `ego` is the ego vehicle */
	read_interaction: [
		given: {
			converter: Handle<"Converter">;
			path: string;
			head: Uint8Array;
			rows: Uint8Array;
			pedestrians?: Uint8Array | undefined;
			map?: Uint8Array | undefined;
			ego?: string | undefined;
		},
		result: undefined,
	];
	/** completes the data set; returns the report, JSON */
	finish_conversion: [given: { converter: Handle<"Converter"> }, result: string];
	/** the data set's objects by key */
	converted_objects: [given: { converter: Handle<"Converter"> }, result: Arrays];
	/** files of a simulation of nuPlan */
	simulation_files: [given: Nothing, result: Handle<"SimulationFiles">];
	/** begins a file */
	simulation_begin: [
		given: { files: Handle<"SimulationFiles">; name: string },
		result: undefined,
	];
	/** passes its next bytes, inflated; those of the file that were read so far */
	simulation_push: [
		given: { files: Handle<"SimulationFiles">; bytes: Uint8Array; read: number },
		result: undefined,
	];
	/** reads the file */
	simulation_end: [given: { files: Handle<"SimulationFiles"> }, result: undefined];
	/** the simulation; the folder PLANNER/TYPE/LOG/NAME names scenes */
	planner_run: [
		given: { files: Handle<"SimulationFiles">; folder: string },
		result: Handle<"PlannerRun">,
	];
	/** scenario, log, type, map and planner; "": unknown */
	run_names: [given: { run: Handle<"PlannerRun"> }, result: readonly string[]];
	/** scenes that it may have frames of, by begin, end and log of each */
	run_scenes: [
		given: { run: Handle<"PlannerRun">; times: BigInt64Array; logs: readonly string[] },
		result: Uint32Array,
	];
	/** its frames of a recorded scene, as rollout_of takes them, plans and expert */
	run_in_scene: [
		given: { run: Handle<"PlannerRun">; timestamps: BigInt64Array; attributes: string },
		result: {
			readonly first_frame: Uint32Array;
			readonly timestamps: BigInt64Array;
			readonly ego_x: Float64Array;
			readonly ego_y: Float64Array;
			readonly ego_yaw: Float64Array;
			readonly counts: Uint32Array;
			readonly track_id: BigUint64Array;
			readonly x: Float64Array;
			readonly y: Float64Array;
			readonly yaw: Float64Array;
			readonly length: Float64Array;
			readonly width: Float64Array;
			readonly ego_box: Float64Array;
			readonly plan_first: Uint32Array;
			readonly plan: Float64Array;
			readonly expert: Float64Array;
			readonly frames: Uint32Array;
			readonly interpolated: number;
		},
	];
	/** nuPlan's collisions, each track once; type 255 and NaN are unknown */
	run_collisions: [
		given: { run: Handle<"PlannerRun"> },
		result: {
			readonly frames: Uint32Array;
			readonly track_id: BigUint64Array;
			readonly type: Uint8Array;
			readonly no_ego_at_fault_collisions: number;
		},
	];
	/** nuPlan's time to collision ahead in some frames; NaN is unknown */
	run_times_to_collision: [
		given: { run: Handle<"PlannerRun">; frames: Uint32Array },
		result: {
			readonly ahead: Float64Array;
			readonly least: number;
			readonly time_to_collision_within_bound: number;
		},
	];
	/** nuPlan's dynamics of all frames, smoothed; empty and NaN if unknown */
	run_comfort: [
		given: { run: Handle<"PlannerRun"> },
		result: {
			readonly lon_acceleration: Float64Array;
			readonly lat_acceleration: Float64Array;
			readonly lon_jerk: Float64Array;
			readonly jerk: Float64Array;
			readonly yaw_rate: Float64Array;
			readonly yaw_acceleration: Float64Array;
			readonly ego_is_comfortable: number;
		},
	];
	/** checks a configuration; JSON with all members */
	normal_config: [given: { config: string }, result: string];
	/** JSON: settings of the first saver; zattrs of the data set there, or empty */
	first_settings: [
		given: { config: string; mode: string; zattrs: string; where: string },
		result: string,
	];
	/** compares the settings of savers with those of another */
	check_settings: [
		given: { settings: string; config: string; mode: string; where: string },
		result: undefined,
	];
	/** name of a saver's part */
	part_name: [given: { saver: number }, result: string];
	/** whether this is the name of a part */
	is_part: [given: { name: string }, result: boolean];
	/** a saver: core/save/part_session.hpp */
	saver: [given: { config: string; saver: number }, result: Handle<"Saver">];
	/** continues from its journal */
	resume_saver: [given: { saver: Handle<"Saver">; journal: string }, result: undefined];
	/** key of the next object to be supplied, if any */
	saver_needs: [given: { saver: Handle<"Saver"> }, result: readonly string[]];
	/** supplies it */
	saver_supply: [
		given: { saver: Handle<"Saver">; bytes: Uint8Array },
		result: undefined,
	];
	/** passes an array of a batch; dtype empty: the attribute's */
	saver_add: [
		given: { saver: Handle<"Saver">; name: string; dtype: string; bytes: Uint8Array },
		result: undefined,
	];
	/** forgets the batch */
	saver_clear: [given: { saver: Handle<"Saver"> }, result: undefined];
	/** saves the batch */
	saver_save: [given: { saver: Handle<"Saver"> }, result: undefined];
	/** attaches a file */
	saver_attach: [
		given: { saver: Handle<"Saver">; name: string; bytes: Uint8Array },
		result: undefined,
	];
	/** completes the last chunks */
	saver_flush: [given: { saver: Handle<"Saver"> }, result: undefined];
	/** the next object to write by its key, or nothing */
	saver_take: [given: { saver: Handle<"Saver"> }, result: Arrays];
	/** its journal */
	saver_journal: [given: { saver: Handle<"Saver">; complete: boolean }, result: string];
	/** the journal is written; keys that are no longer used */
	saver_confirm: [given: { saver: Handle<"Saver"> }, result: readonly string[]];
	/** rows and batches saved */
	saver_counts: [given: { saver: Handle<"Saver"> }, result: Float64Array];
	/** joins parts: core/save/part_commit.hpp */
	commit: [
		given: { settings: string; zattrs: string; where: string },
		result: Handle<"Commit">,
	];
	/** adds a part, before all else */
	commit_add: [
		given: { commit: Handle<"Commit">; manifest: string },
		result: undefined,
	];
	/** whether the parts are those of the data set there */
	commit_is_published: [given: { commit: Handle<"Commit"> }, result: boolean];
	/** keys of parts and of the data set there */
	commit_missing: [given: { commit: Handle<"Commit"> }, result: readonly string[]];
	/** supplies one */
	commit_supply: [
		given: { commit: Handle<"Commit">; key: string; bytes: Uint8Array },
		result: undefined,
	];
	/** the next object to write by its key, or nothing */
	commit_next: [given: { commit: Handle<"Commit"> }, result: Arrays];
	/** whether all was returned */
	commit_is_complete: [given: { commit: Handle<"Commit"> }, result: boolean];
	/** rows of the data set */
	commit_rows: [given: { commit: Handle<"Commit"> }, result: number];
	/** writes a zip archive */
	archive_writer: [given: Nothing, result: Handle<"ArchiveWriter">];
	/** bytes to append for an object */
	archive_put: [
		given: { writer: Handle<"ArchiveWriter">; key: string; bytes: Uint8Array },
		result: Uint8Array,
	];
	/** the last bytes */
	archive_finish: [given: { writer: Handle<"ArchiveWriter"> }, result: Uint8Array];
	/** loads rows: core/save/load_session.hpp */
	loader: [
		given: {
			metadata: string;
			where: string;
			byte_budget: number;
			attributes?: readonly string[] | undefined;
		},
		result: Handle<"Loader">,
	];
	/** JSON: config, commit, rows, chunkRows, attachments */
	describe_loader: [given: { loader: Handle<"Loader"> }, result: string];
	/** key of an attached file */
	attachment_key: [given: { loader: Handle<"Loader">; name: string }, result: string];
	/** compares a file with what was attached */
	check_attachment: [
		given: { loader: Handle<"Loader">; name: string; bytes: Uint8Array },
		result: undefined,
	];
	/** asks for rows */
	loader_ask: [
		given: { loader: Handle<"Loader">; begin: number; end: number },
		result: undefined,
	];
	/** asks for rows; negative indices count from the end */
	loader_ask_rows: [
		given: { loader: Handle<"Loader">; indices: Float64Array },
		result: undefined,
	];
	/** keys to be read next */
	loader_missing: [given: { loader: Handle<"Loader"> }, result: readonly string[]];
	/** supplies one */
	loader_supply: [
		given: { loader: Handle<"Loader">; key: string; bytes: Uint8Array },
		result: undefined,
	];
	/** the rows by attribute */
	loader_take: [given: { loader: Handle<"Loader"> }, result: Arrays];
	/** removes all chunks */
	loader_clear: [given: { loader: Handle<"Loader"> }, result: undefined];
	/** chunks supplied, and bytes held */
	loader_stats: [given: { loader: Handle<"Loader"> }, result: Float64Array];
	/** an array that changes: core/save/array_session.hpp */
	writable: [
		given: { path: string; place: string; has_locks: boolean },
		result: Handle<"Writable">,
	];
	/** begins to open it */
	writable_open: [given: { array: Handle<"Writable"> }, result: undefined];
	/** begins to create and open it; existing: refuse, keep, replace */
	writable_create: [
		given: {
			array: Handle<"Writable">;
			existing: string;
			shape?: Float64Array | undefined;
			dtype?: string | undefined;
			chunks?: Float64Array | undefined;
			codec?: string | undefined;
			level?: number | undefined;
			fill?: string | undefined;
			order?: string | undefined;
			format?: number | undefined;
		},
		result: undefined,
	];
	/** begins to read the metadata again */
	writable_refresh: [given: { array: Handle<"Writable"> }, result: undefined];
	/** passes values; dtype empty: as stored */
	writable_values: [
		given: {
			array: Handle<"Writable">;
			field: string;
			dtype: string;
			bytes: Uint8Array;
		},
		result: undefined,
	];
	/** passes one value for all elements, as JSON */
	writable_value: [
		given: { array: Handle<"Writable">; field: string; value: string },
		result: undefined,
	];
	/** forgets the values */
	writable_clear: [given: { array: Handle<"Writable"> }, result: undefined];
	/** begins to assign the values */
	writable_assign: [
		given: {
			array: Handle<"Writable">;
			axes?: Float64Array | undefined;
			indices?: Float64Array | undefined;
			mask?: Uint8Array | undefined;
			where?: Uint8Array | undefined;
		},
		result: undefined,
	];
	/** begins to append the values as rows */
	writable_append: [given: { array: Handle<"Writable"> }, result: undefined];
	/** begins to change the shape */
	writable_resize: [
		given: { array: Handle<"Writable">; shape: Float64Array },
		result: undefined,
	];
	/** begins to read elements */
	writable_read: [
		given: {
			array: Handle<"Writable">;
			axes?: Float64Array | undefined;
			indices?: Float64Array | undefined;
			mask?: Uint8Array | undefined;
		},
		result: undefined,
	];
	/** begins to count the objects */
	writable_use: [given: { array: Handle<"Writable"> }, result: undefined];
	/** JSON: what the host does next, in this order; [] at the end */
	writable_next: [given: { array: Handle<"Writable"> }, result: string];
	/** bytes that a request writes */
	writable_content: [
		given: { array: Handle<"Writable">; request: number },
		result: Uint8Array,
	];
	/** answers a read; without bytes: absent */
	writable_supply: [
		given: {
			array: Handle<"Writable">;
			request: number;
			bytes?: Uint8Array | undefined;
			tag: string;
		},
		result: undefined,
	];
	/** answers a conditional replacement */
	writable_replaced: [
		given: { array: Handle<"Writable">; request: number; replaced: boolean },
		result: undefined,
	];
	/** answers a list */
	writable_listed: [
		given: {
			array: Handle<"Writable">;
			request: number;
			keys: readonly string[];
			sizes: Float64Array;
		},
		result: undefined,
	];
	/** the elements read, by field */
	writable_take: [given: { array: Handle<"Writable">; field: string }, result: Arrays];
	/** the metadata as a .zarray */
	describe_writable: [given: { array: Handle<"Writable"> }, result: string];
	/** chunks, those stored, and bytes of the objects */
	writable_counts: [given: { array: Handle<"Writable"> }, result: Float64Array];
}
