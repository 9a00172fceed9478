import { describe, expect, it } from "vitest";
import {
	type PageLayer,
	type PageLayerView,
	paintPageLayers,
} from "../../../src/elements/draw/page-layer.js";
import { pointWords } from "../../../src/elements/sensors/point-words.js";
import {
	plotPoints,
	transformOf,
	WORLD,
} from "../../../src/elements/sensors/points-layer.js";
import type { RowPoints, Shown } from "../../../src/elements/sensors/sensors-view.js";

const points = (width: number, ...values: number[]): RowPoints => ({
	data: Float32Array.from(values),
	width,
	release: () => {},
});

function noop(): void {}

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

	it("raises points in a tilted picture by their heights above the ground", () => {
		const canvas = { width: 300 };
		let shown: PageLayerView | undefined;
		const layer = { name: "", draw: (_: unknown, of: PageLayerView) => (shown = of) };
		const context = new Proxy(
			{},
			{ get: (_, name) => (name === "canvas" ? canvas : noop) },
		);
		const view = {
			...{ x: 0, y: 0, pixelsPerMetre: 10, rotation: 0, tilt: Math.PI / 6 },
			...{ width: 300, height: 200 },
		};
		const what = { view, frame: undefined };
		paintPageLayers(
			context as CanvasRenderingContext2D,
			[layer as PageLayer],
			what,
			noop,
		);
		if (!shown) throw new Error("not drawn");
		const { rotation } = WORLD;
		const pose = { translation: [1, 2, 305], rotation };
		const [along, ahead, up, origin] = transformOf(shown, 1, pose, 300);
		const squeezed = 10 * Math.cos(Math.PI / 6);
		expect(along).toEqual([10, 0]);
		expect(ahead[1]).toBeCloseTo(-squeezed, 9);
		expect(up[1]).toBeCloseTo(-5, 9);
		expect(origin[0]).toBe(160);
		expect(origin[1]).toBeCloseTo(100 - 2 * squeezed - 5 * 5, 9);
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
