import { mapShapes } from "./map-shapes.js";
import { projectionOf, type TextBrush } from "./picture.js";

/**
 * Paints outlines of the selected lanes and crosswalks, and of the lanes that a
 * selected light controls.
 */
export function paintMarks({ ctx, picture }: TextBrush): void {
	const { map, marks, view, palette } = picture;
	const shapes = map && mapShapes(map);
	if (!shapes || !marks || marks.lanes.length + marks.crosswalks.length === 0) return;
	const { a, b, c, d, e, f } = projectionOf(view);
	const { originX: x, originY: y } = shapes;
	ctx.save();
	ctx.transform(a, b, c, d, a * x + c * y + e, b * x + d * y + f);
	ctx.lineJoin = "round";
	const rows = [
		...marks.lanes.map((row) => shapes.lanes[row]),
		...marks.crosswalks.map((row) => shapes.crosswalks[row]),
	];
	for (const [colour, width] of [
		[palette.ground, 4],
		[palette.ink, 2],
	] as const) {
		ctx.strokeStyle = colour;
		ctx.lineWidth = width / view.pixelsPerMetre;
		for (const shape of rows) if (shape) ctx.stroke(shape.area);
	}
	ctx.restore();
}
