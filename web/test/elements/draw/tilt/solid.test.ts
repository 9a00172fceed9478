import { describe, expect, it } from "vitest";
import { pickedSolid } from "../../../../src/elements/draw/tilt/pick-solids.js";
import {
	backToFront,
	entryOf,
	hullOf,
	type Solid,
	spanAt,
} from "../../../../src/elements/draw/tilt/solid.js";
import { type Body, bodiesWithout, randomly, solidOf, upright } from "./bodies.js";

describe("a box", () => {
	it("spans a column of its footprint, and no other", () => {
		const { box } = upright(10, 20, 4, 6, 5);
		expect(spanAt(box, 10)).toEqual([17, 23]);
		expect(spanAt(box, 12)).toEqual([17, 23]);
		expect(spanAt(box, 12.1)).toEqual([Infinity, -Infinity]);
	});

	it("is entered at its top above the ground, and at its front side", () => {
		const solid = upright(10, 20, 4, 6, 5);
		// The picture's point is 5 pixels above the ground that the line of sight passes over.
		expect(entryOf(solid, { x: 10, y: 13 })).toBe(18);
		expect(entryOf(solid, { x: 10, y: 22 })).toBe(23);
		expect(entryOf(solid, { x: 10, y: 23.1 })).toBeUndefined();
		expect(entryOf(solid, { x: 10, y: 11.9 })).toBeUndefined();
		expect(entryOf({ ...solid, low: 2 }, { x: 10, y: 22 })).toBeUndefined();
	});

	it("has the outline of footprint and top", () => {
		expect(hullOf(upright(10, 20, 4, 6, 5))).toEqual([8, 12, 12, 12, 12, 23, 8, 23]);
	});

	it("is its footprint if it is flat", () => {
		expect(hullOf(upright(10, 20, 4, 6, 0))).toEqual([8, 17, 12, 17, 12, 23, 8, 23]);
	});
});

describe("boxes", () => {
	it("are painted back to front: a bus does not hide a pedestrian before its rear", () => {
		const bus = { ...upright(0, 0, 40, 4, 10), box: slanted() };
		const pedestrian = upright(-16, -6, 2, 2, 6);
		// Its centre is behind the bus's, but it is before the bus's rear.
		expect(pedestrian.box.cy).toBeLessThan(bus.box.cy);
		expect(backToFront([pedestrian, bus])).toEqual([bus, pedestrian]);
		expect(backToFront([bus, pedestrian])).toEqual([bus, pedestrian]);
	});

	it("that hide each other in part are painted such that the front-most is on top", () => {
		const random = randomly(7);
		let hits = 0;
		for (let scene = 0; scene < 60; scene += 1) {
			const bodies = bodiesWithout("overlaps", random, 40);
			const tilt = (Math.PI / 3) * random();
			const solids = bodies.map((body) => solidOf(body, tilt));
			const painted = backToFront(solids);
			expect(painted).toHaveLength(solids.length);
			for (let k = 0; k < 60; k += 1) {
				const p = { x: 80 * random() - 40, y: 80 * random() - 40 };
				const top = painted.filter((solid) => entryOf(solid, p) !== undefined).at(-1);
				expect(top).toBe(pickedSolid(solids, p, 0));
				if (top) hits += 1;
			}
		}
		expect(hits).toBeGreaterThan(500);
	});

	it("are all painted, in any order, if footprints overlap in circles", () => {
		const random = randomly(3);
		const bodies: Body[] = bodiesWithout("checks", random, 300);
		const solids = bodies.map((body) => solidOf(body, 0.8));
		expect(new Set(backToFront(solids)).size).toBe(300);
	});

	it("are ordered by their centres if there are more than 1,000", () => {
		const solids = Array.from({ length: 1001 }, (_, i) =>
			upright(0, 1001 - i, 1, 9, 5),
		);
		const ys = backToFront(solids).map(({ box }) => box.cy);
		expect(ys).toEqual([...ys].sort((a, b) => a - b));
	});
});

/** A long box whose right end is nearer to the viewer. */
function slanted(): Solid["box"] {
	const { cos, sin } = { cos: Math.cos(0.5), sin: Math.sin(0.5) };
	const corners = [
		[20, 2],
		[-20, 2],
		[-20, -2],
		[20, -2],
	].map(([u = 0, v = 0]) => [cos * u + sin * v, sin * u - cos * v] as const);
	const of = (k: 0 | 1) => corners.map((corner) => corner[k]);
	type Four = Solid["box"]["x"];
	return {
		...{ x: of(0) as unknown as Four, y: of(1) as unknown as Four },
		...{ cx: 0, cy: 0, length: 40, width: 4, hx: cos, hy: sin },
	};
}
