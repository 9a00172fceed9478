import type { MapView } from "../../map-view.js";
import type { LaneShape, MapShape } from "./map-shapes.js";
import type { Aerial } from "./paint-aerial.js";

/**
 * What layers draw with: the part of a 2D context that every painter has. The calls of one
 * picture, in their order, are its draw list. Units are CSS pixels.
 */
export type Pen = Pick<
	CanvasRenderingContext2D,
	| ("fillStyle" | "strokeStyle" | "globalAlpha" | "lineWidth" | "lineJoin" | "lineCap")
	| ("beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "setLineDash")
	| ("fill" | "stroke")
>;

/**
 * Draws what a painter keeps in a form of its own, in the colours, widths and opacity that
 * are set on its pen.
 */
export interface GroundPen {
	/** Fills each of the areas. */
	fillAreas(map: MapView, areas: readonly MapShape[]): void;
	/** Strokes both sides of each lane, all as one line: the ends of a lane are no lines on the road. */
	strokeSides(map: MapView, lanes: readonly LaneShape[]): void;
	drawAerial(aerial: Aerial): void;
}
