import { expect, it } from "vitest";
import { paintTrails } from "../../../src/elements/draw/paint-trails.js";
import type { Brush, Picture } from "../../../src/elements/draw/picture.js";
import { fakeFrame } from "../../support/fake-dataset.js";

/** Returns the widths of the strokes of the ego vehicle's trail. */
function widthsOf(trail: readonly number[]): Set<number> {
	const widths = new Set<number>();
	let points = 0;
	const ctx = {
		...{ strokeStyle: "", lineWidth: 0, globalAlpha: 1, lineJoin: "" },
		setLineDash: () => {},
		beginPath: () => {
			points = 0;
		},
		moveTo: () => {
			points += 1;
		},
		lineTo: () => {
			points += 1;
		},
		stroke: () => {
			if (points > 0) widths.add(ctx.lineWidth);
		},
	};
	const frame = fakeFrame(0, 0, 0);
	const ego = { ...frame.ego, trail: Float64Array.from(trail) };
	const picture = {
		frame: { ...frame, ego },
		layers: new Set(["past", "ego"]),
		palette: { ego: "orange" },
		visibility: [],
	} as unknown as Picture;
	const projection = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
	paintTrails({ ctx, picture, projection } as unknown as Brush);
	return widths;
}

it("trails are wider, the faster the track moved", () => {
	const path = (metres: number) =>
		[...Array(11).keys()].flatMap((k) => [k * metres, 0]);
	expect(widthsOf(path(0))).toEqual(new Set([1.75]));
	expect(widthsOf(path(0.7))).toEqual(new Set([2.5]));
	expect(widthsOf(path(1.5))).toEqual(new Set([3.5]));
	expect(widthsOf([...path(1.5), 15, 9, 15, 10])).toContain(3.5);
	expect(widthsOf([...path(1.5), ...Array(20).fill(15)])).toEqual(new Set([1.75, 3.5]));
	expect(widthsOf([0, 0])).toEqual(new Set());
});
