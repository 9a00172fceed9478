import { type MapBitmap, paintGround } from "./map-bitmap.js";
import { paintAgents } from "./paint-agents.js";
import { paintLabels } from "./paint-labels.js";
import { paintMeasure } from "./paint-measure.js";
import { paintPredictions } from "./paint-predictions.js";
import { paintTrails } from "./paint-trails.js";
import { type Brush, type Picture, projectionOf } from "./picture.js";

/** Draws one picture, bottom to top. Nothing of an earlier one remains but the bitmap. */
export function paint(
	ctx: CanvasRenderingContext2D,
	picture: Picture,
	bitmap?: MapBitmap,
): void {
	const brush: Brush = { ctx, picture, projection: projectionOf(picture.view) };
	if (bitmap) bitmap.paint(ctx, picture);
	else paintGround(ctx, picture);
	paintTrails(brush);
	paintPredictions(brush);
	paintAgents(brush);
	paintLabels(brush);
	paintMeasure(brush);
}
