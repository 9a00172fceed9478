import type { Aerial } from "../pen.js";
import type { IndexRange } from "./mesh.js";

/**
 * One fill or stroke of triangles, in CSS pixels or in metres from the map's origin.
 */
export interface MeshOp {
	readonly of: "screen" | "map";
	readonly kind: "fan" | "strip";
	readonly range: IndexRange;
	readonly colour: string;
	readonly alpha: number;
	/** CSS pixels; only for lines of the map, which the shader widens. */
	readonly width: number;
}

export interface AerialOp {
	readonly of: "aerial";
	readonly aerial: Aerial;
	readonly alpha: number;
}

/** Draw operations of a picture, bottom to top. */
export type DrawOp = MeshOp | AerialOp;
