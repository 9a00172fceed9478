import { paintAgents } from "./paint-agents.js";
import { paintLabels } from "./paint-labels.js";
import { paintMap } from "./paint-map.js";
import { paintTrails } from "./paint-trails.js";
import { type Brush, type Picture, projectionOf } from "./picture.js";

/** Draws one picture, bottom to top. Nothing of an earlier one remains. */
export function paint(ctx: CanvasRenderingContext2D, picture: Picture): void {
	const { view, density, palette } = picture;
	const brush: Brush = { ctx, picture, projection: projectionOf(view) };
	ctx.setTransform(density, 0, 0, density, 0, 0);
	ctx.globalAlpha = 1;
	ctx.fillStyle = palette.ground;
	ctx.fillRect(0, 0, view.width, view.height);
	paintMap(brush);
	paintTrails(brush);
	paintAgents(brush);
	paintLabels(brush);
}
