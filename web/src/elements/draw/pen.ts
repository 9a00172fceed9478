import type { MapView } from "../../map-view.js";
import type { Affine } from "./affine.js";
import type { LaneShape, MapShape } from "./map-shapes.js";

/** An aerial image to draw. */
export interface Aerial {
	readonly image: ImageBitmap;
	/** (3, 3), row-major: world metres to image pixels. */
	readonly fromWorld: Affine;
}

/**
 * The drawing interface of layers: the subset of a 2D context that every painter
 * implements. The calls for a picture, in order, are its draw list. Units are CSS
 * pixels.
 */
export type Pen = Pick<
	CanvasRenderingContext2D,
	| ("fillStyle" | "strokeStyle" | "globalAlpha" | "lineWidth" | "lineJoin" | "lineCap")
	| ("beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "setLineDash")
	| ("fill" | "stroke")
>;

/**
 * Draws the ground in a painter-specific representation, with the colour, width and
 * opacity set on its pen.
 */
export interface GroundPen {
	/** Fills each of the areas. */
	fillAreas(map: MapView, areas: readonly MapShape[]): void;
	/** Strokes both sides of each lane as one path; lane ends are not drawn. */
	strokeSides(map: MapView, lanes: readonly LaneShape[]): void;
	drawAerial(aerial: Aerial): void;
}
