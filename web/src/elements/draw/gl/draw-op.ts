import type { Aerial } from "../paint-aerial.js";
import type { IndexRange } from "./mesh.js";

/** One fill or stroke of triangles: in CSS pixels, or in metres from the map's origin. */
export interface MeshOp {
	readonly of: "screen" | "map";
	readonly kind: "fan" | "strip";
	readonly range: IndexRange;
	readonly colour: string;
	readonly alpha: number;
	/** CSS pixels; of lines of the map, which are widened as they are drawn. */
	readonly width: number;
}

export interface AerialOp {
	readonly of: "aerial";
	readonly aerial: Aerial;
	readonly alpha: number;
}

/** What a picture is drawn of, bottom to top. */
export type DrawOp = MeshOp | AerialOp;
