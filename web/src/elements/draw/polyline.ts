import type { Brush } from "./picture.js";

/** Default distance in CSS pixels between a simplified line and its points, at most. */
const OFF = 0.1;
/**
 * Maximum number of consecutive points left out; each is checked again for every
 * following point.
 */
const MAX_SKIPPED = 8;

/**
 * Returns whether the points between `from` and `to` are within `off` of the straight
 * segment.
 */
function isStraight(
	points: Float64Array,
	from: number,
	to: number,
	off: number,
): boolean {
	const x = points[2 * from] ?? 0;
	const y = points[2 * from + 1] ?? 0;
	const dx = (points[2 * to] ?? 0) - x;
	const dy = (points[2 * to + 1] ?? 0) - y;
	const length2 = dx * dx + dy * dy;
	const off2 = off * off;
	for (let k = from + 1; k < to; k += 1) {
		const qx = (points[2 * k] ?? 0) - x;
		const qy = (points[2 * k + 1] ?? 0) - y;
		const aside = qx * dy - qy * dx;
		const far2 = qx * qx + qy * qy;
		if (aside * aside > off2 * length2) return false;
		// Before the start or beyond the end: the line reverses.
		if (qx * dx + qy * dy < 0 && far2 > off2) return false;
		if (far2 > length2 + off2) return false;
	}
	return true;
}

/**
 * Adds points `begin` to `end - 1` to the path, projected. Leaves out points that are
 * not visibly off the line, since the cost is per segment; most lanes and trails are
 * straight.
 */
export function tracePolyline(
	{ ctx, projection: p }: Pick<Brush, "ctx" | "projection">,
	points: Float64Array,
	begin: number,
	end: number,
	tolerance = OFF,
): void {
	const off = tolerance / Math.hypot(p.a, p.b);
	let last = begin;
	for (let i = begin; i < end; i += 1) {
		const inside = i > begin && i + 1 < end && i - last < MAX_SKIPPED;
		if (inside && isStraight(points, last, i + 1, off)) continue;
		const x = points[2 * i] ?? 0;
		const y = points[2 * i + 1] ?? 0;
		const sx = p.a * x + p.c * y + p.e;
		const sy = p.b * x + p.d * y + p.f;
		if (i === begin) ctx.moveTo(sx, sy);
		else ctx.lineTo(sx, sy);
		last = i;
	}
}
