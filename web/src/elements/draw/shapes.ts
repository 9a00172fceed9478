import type { Brush, ScreenBox } from "./picture.js";

/** Minimum size of a box in CSS pixels. */
export const SMALLEST = 4;

/**
 * Returns box `i` of `corners` (n, 4, 2) on the screen, scaled up to `SMALLEST` if
 * smaller.
 */
export function screenBox(
	{ projection: p }: Pick<Brush, "projection">,
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

/** Radius of a box's corners in CSS pixels, and the length from which they are round. */
const CORNER = 2;
const ROUND_FROM = 10;
/** Points of a rounded corner as shares of its radius along both sides. */
const ARC = [
	[1, 0],
	[0.3, 0.3],
	[0, 1],
] as const;

/** Traces a box; if it is large enough, with rounded corners. */
export function traceRounded(brush: Brush, box: ScreenBox): void {
	const { length, width, x, y } = box;
	if (length < ROUND_FROM || width < 3 * CORNER) {
		traceBox(brush, box);
		return;
	}
	const { ctx } = brush;
	// Sides 0 to 1 and 2 to 3 run along the box, the others across.
	const [along, across] = [CORNER / length, CORNER / width];
	for (let k = 0; k < 4; k += 1) {
		const [before, after] = [(k + 3) % 4, (k + 1) % 4];
		const [p, q] = k % 2 === 0 ? [across, along] : [along, across];
		const [cx = 0, cy = 0] = [x[k], y[k]];
		const [bx, by] = [(x[before] ?? 0) - cx, (y[before] ?? 0) - cy];
		const [ax, ay] = [(x[after] ?? 0) - cx, (y[after] ?? 0) - cy];
		for (const [u, v] of ARC) {
			const px = cx + u * p * bx + v * q * ax;
			const py = cy + u * p * by + v * q * ay;
			if (k === 0 && u === 1) ctx.moveTo(px, py);
			else ctx.lineTo(px, py);
		}
	}
	ctx.closePath();
}

/** A windscreen's edges as shares of the box: distance from the front, margin at the side. */
const SCREEN = { front: 0.18, back: 0.38, frontMargin: 0.2, backMargin: 0.1 };

/** Traces the windscreen, a trapezoid near the front. */
export function traceWindscreen({ ctx }: Brush, { x, y }: ScreenBox): void {
	const [fl, rl, rr, fr] = [0, 1, 2, 3] as const;
	const to = (back: number, aside: number, isFirst = false): void => {
		const lx = x[fl] + (x[rl] - x[fl]) * back;
		const ly = y[fl] + (y[rl] - y[fl]) * back;
		const px = lx + (x[fr] + (x[rr] - x[fr]) * back - lx) * aside;
		const py = ly + (y[fr] + (y[rr] - y[fr]) * back - ly) * aside;
		if (isFirst) ctx.moveTo(px, py);
		else ctx.lineTo(px, py);
	};
	const { front, back, frontMargin, backMargin } = SCREEN;
	to(front, frontMargin, true);
	to(back, backMargin);
	to(back, 1 - backMargin);
	to(front, 1 - frontMargin);
	ctx.closePath();
}

/** Traces a brake light at each rear corner. */
export function traceBrakes({ ctx }: Brush, box: ScreenBox): void {
	const { x, y, length, width } = box;
	const radius = Math.max(1.5, Math.min(length, width) * 0.14);
	const [rl, rr] = [1, 2] as const;
	const inset = Math.min(0.3, radius / Math.max(width, 1e-6));
	for (const [from, to] of [
		[rl, rr],
		[rr, rl],
	] as const) {
		const px = x[from] + (x[to] - x[from]) * inset;
		const py = y[from] + (y[to] - y[from]) * inset;
		ctx.moveTo(px + radius, py);
		ctx.arc(px, py, radius, 0, 2 * Math.PI);
	}
}

/** Size of a velocity vector's head in CSS pixels. */
const HEAD = 4;

/**
 * Traces a vector from the front of the box, or from its centre if `isRound`; (vx, vy) is
 * its extent on the screen.
 */
export function traceVelocity(
	{ ctx }: Brush,
	box: ScreenBox,
	[vx, vy]: readonly [number, number],
	isRound: boolean,
): void {
	const size = Math.hypot(vx, vy);
	if (!(size > 1)) return;
	const front = isRound ? 0 : Math.max(box.length, SMALLEST) / 2;
	const [x, y] = [box.cx + box.hx * front, box.cy + box.hy * front];
	const [ex, ey] = [x + vx, y + vy];
	ctx.moveTo(x, y);
	ctx.lineTo(ex, ey);
	const [dx, dy] = [(vx / size) * HEAD, (vy / size) * HEAD];
	if (size < 2 * HEAD) return;
	ctx.moveTo(ex - dx - dy * 0.7, ey - dy + dx * 0.7);
	ctx.lineTo(ex, ey);
	ctx.lineTo(ex - dx + dy * 0.7, ey - dy - dx * 0.7);
}
