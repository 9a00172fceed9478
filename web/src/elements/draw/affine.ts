import type { Point } from "../scene-view/camera.js";

/** (3, 3), row-major; the last row is 0 0 1. */
export type Affine = ArrayLike<number>;

export function mapped(m: Affine, { x, y }: Point): Point {
	const [a = 0, b = 0, tx = 0, c = 0, d = 0, ty = 0] = Array.from(m);
	return { x: a * x + b * y + tx, y: c * x + d * y + ty };
}

/** Returns the inverse of `m`; NaN or infinite if singular. */
export function inverse(m: Affine): Float64Array {
	const [a = 0, b = 0, tx = 0, c = 0, d = 0, ty = 0] = Array.from(m);
	const det = a * d - b * c;
	const [ia, ib, ic, id] = [d / det, -b / det, -c / det, a / det];
	const rows = [ia, ib, -(ia * tx + ib * ty), ic, id, -(ic * tx + id * ty), 0, 0, 1];
	return Float64Array.from(rows);
}

/** Returns the length scale of a similarity transform. */
export function scaleOf(m: Affine): number {
	return Math.hypot(m[0] ?? 0, m[3] ?? 0);
}
