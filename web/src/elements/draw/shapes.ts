import type { Brush } from "./picture.js";

/** A box on the screen; corners are front left, rear left, rear right, front right. */
export interface ScreenBox {
	readonly x: readonly [number, number, number, number];
	readonly y: readonly [number, number, number, number];
	readonly cx: number;
	readonly cy: number;
	/** CSS pixels. */
	readonly length: number;
	readonly width: number;
	/** Unit vector of the heading on the screen. */
	readonly hx: number;
	readonly hy: number;
}

/** Minimum size of a box in CSS pixels. */
export const SMALLEST = 4;

/**
 * Returns box `i` of `corners` (n, 4, 2) on the screen, scaled up to `SMALLEST` if
 * smaller.
 */
export function screenBox(
	{ projection: p }: Brush,
	corners: Float64Array,
	i: number,
): ScreenBox {
	const at = 8 * i;
	const px = (k: number) =>
		p.a * (corners[at + 2 * k] ?? 0) + p.c * (corners[at + 2 * k + 1] ?? 0) + p.e;
	const py = (k: number) =>
		p.b * (corners[at + 2 * k] ?? 0) + p.d * (corners[at + 2 * k + 1] ?? 0) + p.f;
	const x = [px(0), px(1), px(2), px(3)] as const;
	const y = [py(0), py(1), py(2), py(3)] as const;
	const cx = (x[0] + x[2]) / 2;
	const cy = (y[0] + y[2]) / 2;
	const length = Math.hypot(x[0] - x[1], y[0] - y[1]);
	const width = Math.hypot(x[0] - x[3], y[0] - y[3]);
	const grow = Math.max(1, SMALLEST / Math.max(length, width, 1e-6));
	const gx = (v: number) => cx + (v - cx) * grow;
	const gy = (v: number) => cy + (v - cy) * grow;
	return {
		x: [gx(x[0]), gx(x[1]), gx(x[2]), gx(x[3])],
		y: [gy(y[0]), gy(y[1]), gy(y[2]), gy(y[3])],
		cx,
		cy,
		length: length * grow,
		width: width * grow,
		hx: length > 1e-9 ? (x[0] - x[1]) / length : 1,
		hy: length > 1e-9 ? (y[0] - y[1]) / length : 0,
	};
}

export function traceBox({ ctx }: Brush, box: ScreenBox): void {
	ctx.moveTo(box.x[0], box.y[0]);
	ctx.lineTo(box.x[1], box.y[1]);
	ctx.lineTo(box.x[2], box.y[2]);
	ctx.lineTo(box.x[3], box.y[3]);
	ctx.closePath();
}

/**
 * Traces a rhombus through the centres of the box's sides; its width is at least half
 * its length, so that narrow boxes stay visible.
 */
export function traceDiamond({ ctx }: Brush, box: ScreenBox): void {
	const ahead = Math.max(box.length, 7) / 2;
	const aside = Math.max(box.width, box.length / 2, 5) / 2;
	ctx.moveTo(box.cx + box.hx * ahead, box.cy + box.hy * ahead);
	ctx.lineTo(box.cx - box.hy * aside, box.cy + box.hx * aside);
	ctx.lineTo(box.cx - box.hx * ahead, box.cy - box.hy * ahead);
	ctx.lineTo(box.cx + box.hy * aside, box.cy - box.hx * aside);
	ctx.closePath();
}

export function circleRadius(box: ScreenBox): number {
	return Math.max(box.length, box.width, 5) / 2;
}

export function traceCircle({ ctx }: Brush, box: ScreenBox): void {
	const radius = circleRadius(box);
	ctx.moveTo(box.cx + radius, box.cy);
	ctx.arc(box.cx, box.cy, radius, 0, 2 * Math.PI);
}

/** Traces a tick from the front of the box in its heading. */
export function traceHeading({ ctx }: Brush, box: ScreenBox): void {
	const front = Math.max(box.length / 2, SMALLEST / 2);
	const end = front + Math.min(10, Math.max(3, box.length * 0.28));
	ctx.moveTo(box.cx + box.hx * front, box.cy + box.hy * front);
	ctx.lineTo(box.cx + box.hx * end, box.cy + box.hy * end);
}

/** Traces a line across the box near its front, which distinguishes front and rear. */
export function traceWindscreen({ ctx }: Brush, box: ScreenBox): void {
	const back = 0.3;
	const [fl, rl, rr, fr] = [0, 1, 2, 3] as const;
	ctx.moveTo(
		box.x[fl] + (box.x[rl] - box.x[fl]) * back,
		box.y[fl] + (box.y[rl] - box.y[fl]) * back,
	);
	ctx.lineTo(
		box.x[fr] + (box.x[rr] - box.x[fr]) * back,
		box.y[fr] + (box.y[rr] - box.y[fr]) * back,
	);
}
