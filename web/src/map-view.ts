import "./dispose.js";
import type { AbortOptions } from "./api.js";
import type { Polylines } from "./frame-view.js";

export interface LaneLinesOptions extends AbortOptions {
	/** Number of points; without it, `metres` is the distance between points. */
	count?: number | undefined;
	metres?: number | undefined;
}

/** Rows of (x, y, z), metres in world. */
export interface LaneLines {
	readonly left: Float64Array;
	readonly right: Float64Array;
	readonly mid: Float64Array;
}

export interface Geodetic {
	readonly latitude: number;
	readonly longitude: number;
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

/** A semantic map in world coordinates. */
export interface MapView extends MapQuestions, Disposable {
	/** The lanes. */
	readonly lanes: {
		readonly length: number;
		readonly id: readonly string[];
		readonly left: Polylines;
		readonly right: Polylines;
		/** Ids of the traffic controls; those of lane i start at `controls_first[i]`. */
		readonly controls: readonly string[];
		readonly controls_first: Uint32Array;
		readonly in_junction: Uint8Array;
		/**
		 * Rows of the lanes ahead, from the map's own list; those of lane i start at
		 * `ahead_first[i]`.
		 */
		readonly ahead: Uint32Array;
		readonly ahead_first: Uint32Array;
	};
	/** Outlines of the crosswalks. */
	readonly crosswalks: Polylines & {
		readonly length: number;
		readonly id: readonly string[];
	};
	/** The faces of traffic lights. */
	readonly faces: {
		readonly length: number;
		readonly id: readonly string[];
		/** 0 red, 1 green, 2 yellow. */
		readonly colour: Uint8Array;
	};
	/** (2, 2): minimum x, y, then maximum. */
	readonly bounds: Float64Array;
	/** Frees the map. The arrays are empty afterwards. */
	release(): void;
}
