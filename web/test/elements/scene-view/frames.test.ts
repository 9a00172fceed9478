import { describe, expect, it } from "vitest";
import {
	type Axes,
	hasCoords,
	localFrom,
	nextCoords,
	placeIn,
	poseIn,
} from "../../../src/elements/scene-view/frames.js";
import { fakeFrame } from "../../support/fake-dataset.js";

const frame = fakeFrame(0, 10, 6);

function axes(
	shown: Axes["shown"],
	selection: Axes["selection"],
	fromWorld?: Float64Array,
): Axes {
	return { shown, selection, raster: { picture: fromWorld && { fromWorld } } };
}

describe("frames of coordinates", () => {
	it("has x ahead and y to the left", () => {
		const pose = { x: 10, y: 20, yaw: Math.PI / 2 };
		const local = localFrom(pose, { x: 7, y: 24 });
		expect(local.x).toBeCloseTo(4, 9);
		expect(local.y).toBeCloseTo(3, 9);
	});

	it("has its origin at the ego's and the agent's centroid", () => {
		for (const [coords, at] of [
			["ego", frame.ego.centroid],
			["agent", frame.agents.centroid.subarray(4, 6)],
		] as const) {
			const pose = poseIn(coords, frame, 3n);
			if (!pose) throw new Error("there is no pose");
			const [x = 0, y = 0] = at;
			expect(localFrom(pose, { x, y })).toEqual({ x: 0, y: 0 });
		}
		expect(poseIn("world", undefined, undefined)).toEqual({ x: 0, y: 0, yaw: 0 });
	});

	it("has no agent frame without a selected track in the frame", () => {
		for (const selection of [undefined, "ego", 99n] as const) {
			expect(poseIn("agent", frame, selection)).toBeUndefined();
			expect(nextCoords("ego", axes(frame, selection))).toBe("world");
		}
		expect(nextCoords("ego", axes(frame, 3n))).toBe("agent");
		expect(nextCoords("world", axes(undefined, 3n))).toBe("world");
	});

	it("returns pixels of the displayed raster, if any", () => {
		const of = axes(frame, undefined, Float64Array.of(2, 0, 10, 0, -2, 30, 0, 0, 1));
		expect(placeIn("raster", of, { x: 3, y: 4 })).toEqual({ x: 16, y: 22 });
		expect(nextCoords("ego", of)).toBe("raster");
		expect(hasCoords("raster", axes(frame, undefined))).toBe(false);
	});
});
