import type { Point } from "../pure/camera.js";
import { paintTag } from "./paint-labels.js";
import type { Brush, TextBrush } from "./picture.js";

const TICK = 5;

function onScreen({ projection: p }: Brush, { x, y }: Point): Point {
	return { x: p.a * x + p.c * y + p.e, y: p.b * x + p.d * y + p.f };
}

/** A cross at each end and, from the second on, a line with its length. */
export function paintMeasure(brush: TextBrush): void {
	const { ctx, picture } = brush;
	const { measured, palette } = picture;
	const [from, to] = measured;
	if (!from) return;
	ctx.beginPath();
	for (const point of measured) {
		const { x, y } = onScreen(brush, point);
		ctx.moveTo(x - TICK, y);
		ctx.lineTo(x + TICK, y);
		ctx.moveTo(x, y - TICK);
		ctx.lineTo(x, y + TICK);
	}
	const a = onScreen(brush, from);
	const b = to && onScreen(brush, to);
	if (b) {
		ctx.moveTo(a.x, a.y);
		ctx.lineTo(b.x, b.y);
	}
	for (const [colour, width] of [
		[palette.ground, 4],
		[palette.ink, 1.5],
	] as const) {
		ctx.strokeStyle = colour;
		ctx.lineWidth = width;
		ctx.stroke();
	}
	if (!to || !b) return;
	const metres = Math.hypot(to.x - from.x, to.y - from.y);
	const middle = { x: (a.x + b.x) / 2 + 8, y: (a.y + b.y) / 2 - 30 };
	paintTag(brush, middle, `${metres.toFixed(2)} m`);
}
