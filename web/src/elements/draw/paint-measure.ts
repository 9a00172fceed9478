import type { Point } from "../scene-view/camera.js";
import { stepBetween } from "../scene-view/path.js";
import { paintTag } from "./paint-labels.js";
import type { Brush, TextBrush } from "./picture.js";

const TICK = 5;

function onScreen({ projection: p }: Brush, { x, y }: Point): Point {
	return { x: p.a * x + p.c * y + p.e, y: p.b * x + p.d * y + p.f };
}

/** Paints a cross at each measured point, and each segment with its length. */
export function paintMeasure(brush: TextBrush): void {
	const { ctx, picture } = brush;
	const { measured, palette } = picture;
	if (measured.length === 0) return;
	const path = measured.map((point) => onScreen(brush, point));
	ctx.beginPath();
	path.forEach(({ x, y }, k) => {
		const before = path[k - 1];
		ctx.moveTo(x - TICK, y);
		ctx.lineTo(x + TICK, y);
		ctx.moveTo(x, y - TICK);
		ctx.lineTo(x, y + TICK);
		if (!before) return;
		ctx.moveTo(before.x, before.y);
		ctx.lineTo(x, y);
	});
	for (const [colour, width] of [
		[palette.ground, 4],
		[palette.ink, 1.5],
	] as const) {
		ctx.strokeStyle = colour;
		ctx.lineWidth = width;
		ctx.stroke();
	}
	measured.forEach((point, k) => {
		const [from, a, b] = [measured[k - 1], path[k - 1], path[k]];
		if (!from || !a || !b) return;
		const middle = { x: (a.x + b.x) / 2 + 8, y: (a.y + b.y) / 2 - 30 };
		paintTag(brush, middle, `${stepBetween(from, point).metres.toFixed(2)} m`);
	});
}
