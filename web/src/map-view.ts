import "./dispose.js";
import type { AbortOptions } from "./api.js";
import type { Polylines } from "./frame-view.js";

/** A semantic map in world coordinates. */
export interface MapView extends Disposable {
	readonly lanes: {
		readonly length: number;
		readonly id: readonly string[];
		readonly left: Polylines;
		readonly right: Polylines;
		/** Ids of the traffic controls; those of lane i start at `controls_first[i]`. */
		readonly controls: readonly string[];
		readonly controls_first: Uint32Array;
		readonly in_junction: Uint8Array;
		/** Of the map's list: rows of the lanes ahead; those of lane i start at `ahead_first[i]`. */
		readonly ahead: Uint32Array;
		readonly ahead_first: Uint32Array;
	};
	readonly crosswalks: Polylines & {
		readonly length: number;
		readonly id: readonly string[];
	};
	readonly faces: {
		readonly length: number;
		readonly id: readonly string[];
		/** 0 red, 1 green, 2 yellow. */
		readonly colour: Uint8Array;
	};
	/** (2, 2): least x, y, then greatest. */
	readonly bounds: Float64Array;
	/** One value a lane, 0 none, 1 red, 2 yellow, 3 green, where the faces `lit` are lit. */
	laneColours(lit: readonly string[], options?: AbortOptions): Promise<Uint8Array>;
	/** Frees the map. The arrays are empty afterwards. */
	release(): void;
}
