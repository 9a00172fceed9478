import { describe, expect, it } from "vitest";
import type { Brush, Pen, Picture } from "../../../src/elements/draw/picture.js";
import { tracePolyline } from "../../../src/elements/draw/polyline.js";

type Place = readonly [x: number, y: number];

/** Returns the points drawn for `points`, in metres, at `scale` pixels per metre. */
function traced(points: readonly Place[], scale = 1): Place[] {
	const drawn: Place[] = [];
	const to = (x: number, y: number) => {
		drawn.push([x / scale, y / scale]);
	};
	const ctx = { moveTo: to, lineTo: to } as unknown as Pen;
	const projection = { a: scale, b: 0, c: 0, d: scale, e: 0, f: 0 };
	const brush: Brush = { ctx, projection, picture: {} as Picture };
	tracePolyline(brush, Float64Array.from(points.flat()), 0, points.length);
	return drawn;
}

/** Returns the distance of `[x, y]` to the nearest segment of `line`. */
function distance([x, y]: Place, line: readonly Place[]): number {
	const pieces = line.slice(1).map(([bx, by], i) => {
		const [ax, ay] = line[i] ?? [0, 0];
		const [dx, dy] = [bx - ax, by - ay];
		const share = ((x - ax) * dx + (y - ay) * dy) / Math.max(1e-12, dx * dx + dy * dy);
		const t = Math.min(1, Math.max(0, share));
		return Math.hypot(ax + t * dx - x, ay + t * dy - y);
	});
	return Math.min(...pieces);
}

const circle = Array.from(
	{ length: 200 },
	(_, k): Place => [80 * Math.cos(k / 30), 80 * Math.sin(k / 30)],
);

describe("a polyline", () => {
	it("omits points on a straight line, except the ends", () => {
		const straight = Array.from({ length: 9 }, (_, k): Place => [3 * k, 2 * k]);
		expect(traced(straight)).toEqual([straight[0], straight[8]]);
	});

	it("deviates from no point by more than a tenth of a pixel", () => {
		for (const scale of [0.3, 1, 2]) {
			const line = traced(circle, scale);
			expect(line.length).toBeLessThan(circle.length);
			const off = Math.max(...circle.map((at) => distance(at, line)));
			expect(off * scale).toBeLessThan(0.1 + 1e-9);
		}
	});

	it("keeps every point when zoomed in", () => {
		expect(traced(circle, 200)).toHaveLength(circle.length);
	});

	it("keeps the ends of reversals and closed lines", () => {
		const there: Place[] = [
			[0, 0],
			[5, 0],
			[9, 0],
			[4, 0],
		];
		expect(traced(there)).toEqual([there[0], there[2], there[3]]);
		const square: Place[] = [
			[0, 0],
			[4, 0],
			[4, 4],
			[0, 4],
			[0, 0],
		];
		expect(traced(square)).toEqual(square);
	});

	it("reduces a standing track to few points", () => {
		const parked = Array.from({ length: 20 }, (_, k): Place => [0.01 * (k % 2), 0]);
		const line = traced(parked);
		expect(line.length).toBeLessThan(6);
		expect(line[0]).toEqual([0, 0]);
	});
});
