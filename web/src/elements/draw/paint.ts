import type { Size } from "../scene-view/camera.js";
import { paintAgents } from "./paint-agents.js";
import { paintGrid } from "./paint-grid.js";
import { paintLabels } from "./paint-labels.js";
import { paintMap } from "./paint-map.js";
import {
	paintFootprint,
	paintMarks,
	paintMeasure,
	paintPageOverlays,
} from "./paint-overlays.js";
import { paintTrails } from "./paint-trails.js";
import { type Brush, type GroundBrush, type Picture, projectionOf } from "./picture.js";

/** Paints the aerial image over the ground with the theme's opacity. */
function paintAerial({ ctx, ground, picture }: GroundBrush): void {
	const { aerial, palette } = picture;
	if (!aerial) return;
	ctx.globalAlpha = Number(palette.aerial);
	ground.drawAerial(aerial);
	ctx.globalAlpha = 1;
}

/** Paints the static layers, bottom to top. */
export function paintStill(brush: GroundBrush): void {
	if (brush.picture.grid) paintGrid(brush);
	paintAerial(brush);
	paintMap(brush);
}

/** Paints the moving layers above them. */
export function paintMoving(brush: Brush): void {
	const { predictionPainter, solids } = brush.picture;
	paintTrails(brush);
	predictionPainter?.paint(brush);
	if (solids) solids.paint(brush);
	else paintAgents(brush);
}

/** Paints outlines and text on top, with Canvas2D for every painter. */
export function paintOver(ctx: CanvasRenderingContext2D, picture: Picture): void {
	const brush = { ctx, picture, projection: projectionOf(picture.view) };
	paintMarks(brush);
	paintFootprint(brush);
	picture.predictionPainter?.paintOver(brush);
	paintPageOverlays(brush);
	picture.solids?.paintOver(brush);
	paintLabels(brush);
	paintMeasure(brush);
}

/**
 * Sizes the canvas to the view. Assigning a size clears the canvas, so only changes are
 * assigned.
 */
export function fitCanvas(
	canvas: HTMLCanvasElement,
	view: Size,
	density: number,
): void {
	const width = Math.round(view.width * density);
	const height = Math.round(view.height * density);
	if (canvas.width !== width) canvas.width = width;
	if (canvas.height !== height) canvas.height = height;
}
