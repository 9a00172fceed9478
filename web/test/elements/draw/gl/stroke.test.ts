import { describe, expect, it } from "vitest";
import { Mesh, RESTART } from "../../../../src/elements/draw/gl/mesh.js";
import {
	addFan,
	addStroke,
	dashed,
	type StrokeStyle,
	type SubPath,
} from "../../../../src/elements/draw/gl/stroke.js";

const line = (...points: number[]): SubPath => ({ points, closed: false });
const style = (changes: Partial<StrokeStyle> = {}): StrokeStyle => ({
	width: 2,
	join: "miter",
	dash: [],
	round: false,
	...changes,
});

/** Returns the strips of a mesh as corners. */
function strips(mesh: Mesh): number[][][] {
	const all: number[][][] = [[]];
	for (const index of mesh.indices) {
		if (index === RESTART) all.push([]);
		else all.at(-1)?.push([...mesh.vertices.subarray(2 * index, 2 * index + 2)]);
	}
	return all.filter((strip) => strip.length > 0);
}

function stroked(path: SubPath, changes: Partial<StrokeStyle> = {}): number[][][] {
	const mesh = new Mesh(2);
	addStroke(mesh, path, style(changes));
	return strips(mesh);
}

describe("a stroke as triangles", () => {
	it("has the given width and ends with the line", () => {
		expect(stroked(line(0, 0, 10, 0))).toEqual([
			[
				[0, 1],
				[0, -1],
				[10, 1],
				[10, -1],
			],
		]);
	});

	it("has round caps if requested", () => {
		const [, begin = [], end = []] = stroked(line(0, 0, 10, 0), { round: true });
		expect(begin.at(-1)).toEqual([-1, 0]);
		expect(end.at(-1)).toEqual([11, 0]);
		for (const [x = 0, y = 0] of end) expect(Math.hypot(x - 10, y)).toBeCloseTo(1, 6);
	});

	it("has miter, round or bevel joins", () => {
		const bend = line(0, 0, 10, 0, 10, 10);
		const outside = (join: CanvasLineJoin) => stroked(bend, { join })[1]?.[2];
		expect(outside("miter")).toEqual([11, -1]);
		const [x = 0, y = 0] = outside("round") ?? [];
		expect(Math.hypot(x - 10, y)).toBeCloseTo(1, 6);
		expect(outside("bevel")).toEqual([10.5, -0.5]);
	});

	it("bevels long miters and draws no join at a reversal", () => {
		const sharp = stroked(line(0, 0, 10, 0, 0, 0.1));
		expect(Math.max(...sharp.flat().map(([x = 0]) => x))).toBeLessThan(11);
		const back = stroked(line(0, 0, 10, 0, 0, 0));
		expect(back.flat(2).every(Number.isFinite)).toBe(true);
	});

	it("closes a ring with a segment and a join, and skips repeated points", () => {
		const ring = { points: [0, 0, 4, 0, 4, 0, 0, 3], closed: true };
		expect(stroked(ring)).toHaveLength(6); // three sides, three corners
	});
});

describe("a dash", () => {
	it("continues around corners and restarts with each line", () => {
		const parts = dashed(line(0, 0, 4, 0, 4, 10), [3, 2]);
		expect(parts.map(({ points }) => points)).toEqual([
			[0, 0, 3, 0],
			[4, 1, 4, 4],
			[4, 6, 4, 9],
		]);
		const bent = dashed(line(0, 0, 2, 0, 2, 5), [4, 9]);
		expect(bent.map(({ points }) => points)).toEqual([[0, 0, 2, 0, 2, 2]]);
	});

	it("with an odd count is repeated, without lengths is a solid line", () => {
		const parts = dashed(line(0, 0, 7, 0), [1, 2, 3]);
		expect(parts.map(({ points }) => points)).toEqual([
			[0, 0, 1, 0],
			[3, 0, 6, 0],
		]);
		expect(stroked(line(0, 0, 7, 0), { dash: [0, 0] })).toHaveLength(1);
	});
});

describe("a mesh", () => {
	it("grows, returns added ranges, and offsets indices", () => {
		const mesh = new Mesh(2);
		const ring = line(...Array.from({ length: 4000 }, (_, k) => k));
		expect(mesh.range(() => addFan(mesh, ring))).toEqual({ begin: 0, end: 2001 });
		expect(mesh.vertices).toHaveLength(4000);
		expect(mesh.vertices.at(-1)).toBe(3999);
		const picked = new Mesh(2);
		picked.addIndices(mesh.indices.subarray(5, 7));
		expect([...picked.indices]).toEqual([5, 6]);
		mesh.clear();
		expect(mesh.range(() => addFan(mesh, line(0, 0, 1, 1)))).toEqual({
			begin: 0,
			end: 0,
		});
	});
});
