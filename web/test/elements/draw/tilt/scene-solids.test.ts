import { describe, expect, it } from "vitest";
import { heightOf, solidOf } from "../../../../src/elements/draw/tilt/scene-solids.js";
import { screenFromWorld } from "../../../../src/elements/scene-view/camera.js";
import { frame, picture, TILT } from "./tilted-picture.js";

describe("heights", () => {
	it("are the recorded ones", () => {
		expect(heightOf(frame, 0)).toBeCloseTo(1.6, 6);
		expect(heightOf(frame, 2)).toBe(3);
	});

	it("have a default by class where the data has none", () => {
		const extent = frame.agents.extent.map((value, i) => (i % 3 === 2 ? 0 : value));
		const agents = { ...frame.agents, extent };
		const heights = [0, 3, 4, 5].map((i) => heightOf({ ...frame, agents }, i));
		expect(heights).toEqual([1.6, 1.7, 1.75, 1.5]);
		extent[2] = Number.NaN;
		expect(heightOf({ ...frame, agents }, 0)).toBe(1.6);
	});

	it("reach up by the sine of the tilt", () => {
		const of = picture();
		const solid = solidOf(of, 3n);
		const metres = 3;
		expect(solid?.high).toBeCloseTo(
			metres * Math.sin(TILT) * of.view.pixelsPerMetre,
			4,
		);
	});
});

describe("a box of the frame", () => {
	it("has the footprints where the ground is", () => {
		const of = picture();
		const solid = solidOf(of, "ego");
		const { ego } = frame;
		for (const k of [0, 1, 2, 3] as const) {
			const [wx = 0, wy = 0] = ego.corners.subarray(2 * k, 2 * k + 2);
			const at = screenFromWorld(of.view, wx, wy);
			expect(solid?.box.x[k]).toBeCloseTo(at.x, 6);
			expect(solid?.box.y[k]).toBeCloseTo(at.y, 6);
		}
	});
});
