import "../base/dispose.js";
import type { AbortOptions } from "../api.js";
import type { Polylines } from "./frame-view.js";

/** Options of a lane's lines. */
export interface LaneLinesOptions extends AbortOptions {
	/** Number of points; without it, `metres` is the distance between points. */
	count?: number | undefined;
	/** Distance between points. */
	metres?: number | undefined;
}

/** Rows of (x, y, z), metres in world. */
export interface LaneLines {
	/** The left boundary. */
	readonly left: Float64Array;
	/** The right boundary. */
	readonly right: Float64Array;
	/** The line between them. */
	readonly mid: Float64Array;
}

/** A position on the earth (WGS 84). */
export interface Geodetic {
	/** Degrees. */
	readonly latitude: number;
	/** Degrees. */
	readonly longitude: number;
	/** Metres above the ellipsoid. */
	readonly altitude: number;
}

/** Queries that only the core can answer about a map. */
export interface MapQuestions {
	/**
	 * Returns the rows of lanes whose bounds, grown by `radius` metres, contain the world
	 * point.
	 */
	lanesNear(
		x: number,
		y: number,
		radius: number,
		options?: AbortOptions,
	): Promise<Uint32Array>;
	/** Returns the rows of crosswalks, likewise. */
	crosswalksNear(
		x: number,
		y: number,
		radius: number,
		options?: AbortOptions,
	): Promise<Uint32Array>;
	/**
	 * Returns a lane's lines at equal distances, by number of points or by distance in
	 * metres.
	 */
	laneLines(lane: number, options: LaneLinesOptions): Promise<LaneLines>;
	/**
	 * Returns L5Kit's feature of a lane if the faces `lit` are active: 0 to 3, or 4
	 * without a traffic light.
	 */
	lightFeature(
		lane: number,
		lit: readonly string[],
		options?: AbortOptions,
	): Promise<number>;
	/** Converts a world point to geodetic coordinates, degrees and metres. */
	geodetic(x: number, y: number, z?: number, options?: AbortOptions): Promise<Geodetic>;
	/**
	 * Returns one value per lane if the faces `lit` are active: 0 none, 1 red, 2 yellow,
	 * 3 green.
	 */
	laneColours(lit: readonly string[], options?: AbortOptions): Promise<Uint8Array>;
}

/**
 * One side of every lane. Line kinds are the numbers of L5Kit's schema: 0 unknown, 1
 * none, 2 to 9 painted lines, 10 to 12 curbs; see `map::Divider` in
 * core/map/elements.hpp.
 */
export interface LaneBoundaries extends Polylines {
	/** Heights of the points in metres, comparable only within a lane. */
	readonly z: Float64Array;
	/** The first line kind of each lane; 0 if it has none. */
	readonly divider: Uint8Array;
	/** All line kinds; those of lane i start at `dividers_first[i]`. */
	readonly dividers: Uint8Array;
	readonly dividers_first: Uint32Array;
	/**
	 * Distances along the line, in centimetres, at which the next line kind begins; those
	 * of lane i start at `changes_first[i]`.
	 */
	readonly changes_cm: Int32Array;
	readonly changes_first: Uint32Array;
}

/** A semantic map in world coordinates. Rows are -1 if there is none. */
export interface MapView extends MapQuestions, Disposable {
	/** The lanes. */
	readonly lanes: {
		/** Number of elements. */
		readonly length: number;
		/** Each element's id in the map. */
		readonly id: readonly string[];
		/** Left boundaries, in the direction of the lane. */
		readonly left: LaneBoundaries;
		/** Right boundaries, in the direction of the lane. */
		readonly right: LaneBoundaries;
		/**
		 * Centre lines that the data set gave to the converter; empty in L5Kit's maps, where
		 * the middle of both boundaries counts (`laneLines`).
		 */
		readonly centre: Polylines & {
			/** Heights of the points in metres, comparable only within a lane. */
			readonly z: Float64Array;
		};
		/** Ids of the traffic controls; those of lane i start at `controls_first[i]`. */
		readonly controls: readonly string[];
		/** Index in `controls` of each lane's first control, and the total. */
		readonly controls_first: Uint32Array;
		/** 1 if the lane is in a junction. */
		readonly in_junction: Uint8Array;
		/**
		 * Rows of the lanes ahead, from the map's own list; those of lane i start at
		 * `ahead_first[i]`.
		 */
		readonly ahead: Uint32Array;
		/** Index in `ahead` of each lane's first lane ahead, and the total. */
		readonly ahead_first: Uint32Array;
		/** Rows of the neighbouring lanes to which changing is allowed. */
		readonly adjacent_left: Int32Array;
		/** As `adjacent_left`, to the right. */
		readonly adjacent_right: Int32Array;
		/** Row of the junction, or of the segment, that contains the lane. */
		readonly junction: Int32Array;
		/** Row of the segment that contains the lane; -1 if none does. */
		readonly segment: Int32Array;
		/** Metres per second in the lane's direction; NaN without a limit. */
		readonly speed_limit: Float32Array;
		/** 1 through, 2 left, 3 sharp left, 4 right, 5 sharp right, 6 u-turn. */
		readonly turn: Uint8Array;
		/** 1 no restriction, 2 HOV, 3 bus, 4 bike, 5 turn only. */
		readonly access: Uint8Array;
		/** 1 two-way, 2 one-way forward, 3 one-way backward, 4 reversible. */
		readonly orientation: Uint8Array;
		/** 1 if cars may park on the lane. */
		readonly can_have_parked_cars: Uint8Array;
		/**
		 * Each lane's part of the line at which its traffic lights stop vehicles: x, y of the
		 * left end, then of the right end; NaN without one.
		 */
		readonly stop_line: Float64Array;
	};
	/** Outlines of the crosswalks. */
	readonly crosswalks: Polylines & {
		/** Number of elements. */
		readonly length: number;
		/** Each element's id in the map. */
		readonly id: readonly string[];
		/** Height of each point, in metres. */
		readonly z: Float64Array;
	};
	/** The traffic lights. */
	readonly lights: {
		/** Number of elements. */
		readonly length: number;
		/** Each element's id in the map. */
		readonly id: readonly string[];
		/** Rows of (x, y), metres in world. */
		readonly position: Float64Array;
		/**
		 * Direction from which the traffic comes that the light controls, in degrees
		 * clockwise from north; NaN if it is not known or there are several.
		 */
		readonly from_deg: Float32Array;
		/**
		 * The traffic's movements through the junction: the sum of 1 through, 2 left,
		 * 4 right and 8 u-turn; 0 if they are not known.
		 */
		readonly movements: Uint8Array;
	};
	/** The junctions. */
	readonly junctions: {
		/** Number of elements. */
		readonly length: number;
		/** Each element's id in the map. */
		readonly id: readonly string[];
		/** 1 for an intersection that is not trivial. */
		readonly is_intersection: Uint8Array;
		/** Rows of its lanes; those of junction i start at `lanes_first[i]`. */
		readonly lanes: Uint32Array;
		/** Index in `lanes` of each junction's first lane, and the total. */
		readonly lanes_first: Uint32Array;
	};
	/** Stretches of road between junctions; speeds as `lanes.speed_limit`. */
	readonly segments: {
		/** Number of elements. */
		readonly length: number;
		/** Each element's id in the map. */
		readonly id: readonly string[];
		/** Speed limit in the segment's direction, in metres per second. */
		readonly speed_limit: Float32Array;
		/** Speed limit in the other direction, in metres per second. */
		readonly speed_limit_backward: Float32Array;
	};
	/** The faces of traffic lights. */
	readonly faces: {
		/** Number of elements. */
		readonly length: number;
		/** Each element's id in the map. */
		readonly id: readonly string[];
		/** 0 red, 1 green, 2 yellow. */
		readonly colour: Uint8Array;
	};
	/** (2, 2): minimum x, y, then maximum. */
	readonly bounds: Float64Array;
	/** Frees the map. The arrays are empty afterwards. */
	release(): void;
}
