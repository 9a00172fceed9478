import type { Core } from "../core/core.js";

/**
 * The functions of L5Kit's `geometry`, `data/filter` and `evaluation`, for typed arrays.
 * Arrays are flat, in C order; the number of values N follows from an array's length.
 * Units are metres and radians, and degrees for latitude and longitude.
 *
 * Every function throws a BevError `invalid_argument` if an array's length is not a
 * multiple of its values' size, or if two arrays have different N.
 */
export interface ArrayTools {
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
	/** Returns the rows whose track id is `trackId`: `filter_agents_by_track_id`. */
	rowsOfTrack(trackIds: BigUint64Array, trackId: bigint): Float64Array;
	/**
	 * Returns up to `most` track ids other than `selected`: those of `priority` first,
	 * then those of `all`, each in the order of a Python set (`get_other_agents_ids`).
	 */
	otherTrackIds(
		all: BigUint64Array,
		priority: BigUint64Array,
		selected: bigint | undefined,
		most: number,
	): BigUint64Array;
}

/** Returns the functions on a module. */
export function arrayToolsOf(core: Core): ArrayTools {
	return {
		transformPoints: (points, matrices, dims) =>
			core.run("transform_points", { points, matrices, dims }),
		angularDistances: (a, b) => core.run("angular_distances", { a, b }),
		yawsOfRotations: (rotations) => core.run("yaws_of_rotations", { rotations }),
		rotationsOfYaws: (yaws) => core.run("rotations_of_yaws", { yaws }),
		agentPoses: (centroids, yaws) => core.run("agent_poses", { centroids, yaws }),
		verticalFlips: (matrices, height) =>
			core.run("vertical_flips", { matrices, height }),
		anglesBetween: (a, b, dims) => core.run("angles_between", { a, b, dims }),
		yawsAroundNorth: (directions) => core.run("yaws_around_north", { directions }),
		geodeticOfEcef: (points) => core.run("geodetic_of_ecef", { points }),
		ecefOfGeodetic: (places) => core.run("ecef_of_geodetic", { places }),
		pointsWithinBounds: (points, shape) =>
			core.run("points_within_bounds", { points, shape }),
		intensityGrid: (cells, shape) => core.run("intensity_grid", { cells, shape }),
		normalizedIntensity: (values, greatest) =>
			core.run("normalized_intensity", { values, greatest }),
		rowsKept: (probabilities, threshold) =>
			core.run("rows_above_threshold", {
				probabilities: Float64Array.from(probabilities),
				threshold,
			}),
		rowsWithin: (centroids, x, y, maxDistance) =>
			core.run("rows_within", { centroids, x, y, max_distance: maxDistance }),
		rowsWithState: (statuses, state) =>
			core.run("rows_with_state", { statuses: Float64Array.from(statuses), state }),
		pointsOnLane: (left, right, points) =>
			core.run("points_on_lane", { left, right, points }),
		pointsInOutline: (outline, points) =>
			core.run("points_in_outline", { outline, points }),
		lanesBehind: (ahead, aheadFirst, lane) =>
			core.run("lanes_behind", { ahead, ahead_first: aheadFirst, lane }),
		rowsOfTrack: (trackIds, trackId) =>
			core.run("rows_of_track", { track_ids: trackIds, track_id: trackId }),
		otherTrackIds: (all, priority, selected, most) =>
			core.run("other_track_ids", { all, priority, selected, most }),
	};
}
