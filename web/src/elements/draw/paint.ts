import { paintAerial } from "./paint-aerial.js";
import { paintAgents } from "./paint-agents.js";
import { paintFootprint } from "./paint-footprint.js";
import { paintLabels } from "./paint-labels.js";
import { paintMap } from "./paint-map.js";
import { paintMarks } from "./paint-marks.js";
import { paintMeasure } from "./paint-measure.js";
import { paintHeldFrom, paintPredictions } from "./paint-predictions.js";
import { paintTrails } from "./paint-trails.js";
import { type Brush, type GroundBrush, type Picture, projectionOf } from "./picture.js";

/** Everything that stands still, bottom to top. */
export function paintStill(brush: GroundBrush): void {
	paintAerial(brush);
	paintMap(brush);
}

/** Everything that moves, over it. */
export function paintMoving(brush: Brush): void {
	paintTrails(brush);
	paintPredictions(brush);
	paintAgents(brush);
}

/** Outlines and words above all: by Canvas2D, whichever painter drew the rest. */
export function paintOver(ctx: CanvasRenderingContext2D, picture: Picture): void {
	const brush = { ctx, picture, projection: projectionOf(picture.view) };
	paintMarks(brush);
	paintFootprint(brush);
	paintHeldFrom(brush);
	paintLabels(brush);
	paintMeasure(brush);
}
