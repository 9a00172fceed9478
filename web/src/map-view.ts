import type { Polylines } from "./frame-view.js";

/** A semantic map in world coordinates. */
export interface MapView {
	readonly lanes: {
		readonly length: number;
		readonly id: readonly string[];
		readonly left: Polylines;
		readonly right: Polylines;
		/** Ids of the traffic controls; those of lane i start at `controls_first[i]`. */
		readonly controls: readonly string[];
		readonly controls_first: Uint32Array;
		readonly in_junction: Uint8Array;
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
}
