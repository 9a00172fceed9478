import { describe, expect, it } from "vitest";
import { pointWords } from "../../../src/elements/sensors/point-words.js";
import { plotPoints } from "../../../src/elements/sensors/points-layer.js";
import type { RowPoints, Shown } from "../../../src/elements/sensors/sensors-view.js";

const points = (width: number, ...values: number[]): RowPoints => ({
	data: Float32Array.from(values),
	width,
	release: () => {},
});

const AS_IT_IS = [
	[1, 0],
	[0, 1],
	[0, 0],
	[0, 0],
] as const;

/** Returns the set pixels of a canvas of 6 by 4, as `x,y`. */
function plotted(
	of: RowPoints,
	side: number,
	transform: Parameters<typeof plotPoints>[2],
) {
	const data = new Uint32Array(24);
	plotPoints({ data, width: 6, height: 4, side }, of, transform);
	return [...data.keys()]
		.filter((i) => data[i] !== 0)
		.map((i) => `${i % 6},${Math.floor(i / 6)}`);
}

describe("points-layer", () => {
	it("sets a square per point, and nothing for points outside or without a place", () => {
		const of = points(
			2,
			2.5,
			1.5,
			-1,
			1,
			9,
			1,
			3,
			-4,
			3,
			9,
			Number.NaN,
			1,
			1,
			Infinity,
		);
		expect(plotted(of, 1, AS_IT_IS)).toEqual(["2,1"]);
		expect(plotted(points(2, 3, 2), 2, AS_IT_IS)).toEqual(["2,1", "3,1", "2,2", "3,2"]);
	});

	it("skips further values of a point", () => {
		const of = points(4, 1.5, 0.5, 7, 7, 4.5, 3.5, 7, 7);
		expect(plotted(of, 1, AS_IT_IS)).toEqual(["1,0", "4,3"]);
	});

	it("turns points with their axes, including the height", () => {
		const tilted = [
			[0, -1],
			[1, 0],
			[0.5, 0],
			[2.5, 3.5],
		] as const;
		expect(plotted(points(3, 1, 2, -4, 0, 0, 0), 1, tilted)).toEqual(["2,2", "2,3"]);
	});

	it("is described by the number of points, or why there are none", () => {
		const current = (of: RowPoints): Shown<RowPoints> => ({
			state: "current",
			value: of,
		});
		const huge = { ...points(2), data: new Float32Array(2 * 600_000) };
		expect(pointWords([])).toBe("");
		expect(pointWords([current(points(2, 1, 1, 2, 2)), { state: "null" }])).toBe("2");
		expect(pointWords([current(huge)])).toBe("500000 of 600000");
		expect(pointWords([{ state: "late" }, current(huge)])).toBe("reading");
		expect(pointWords([{ state: "failed", why: "x" }])).toBe("failed");
		expect(pointWords([{ state: "absent", why: "x" }])).toBe("none");
	});
});
