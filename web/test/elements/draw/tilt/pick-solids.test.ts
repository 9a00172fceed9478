import { describe, expect, it } from "vitest";
import {
	pickedAgent,
	pickedLight,
	pickedSolid,
} from "../../../../src/elements/draw/tilt/pick-solids.js";
import {
	lightSolids,
	solidOf as solidIn,
} from "../../../../src/elements/draw/tilt/scene-solids.js";
import { bodiesWithout, bruteForce, randomly, solidOf, upright } from "./bodies.js";
import { frame, lit, mapWith, picture, pose } from "./tilted-picture.js";

describe("picking", () => {
	it("finds the box that a ray through the world meets first", () => {
		const random = randomly(11);
		let hits = 0;
		for (let scene = 0; scene < 80; scene += 1) {
			// Also boxes that intersect each other.
			const bodies = bodiesWithout("checks", random, 25);
			const tilt = (Math.PI / 3) * random();
			const solids = bodies.map((body) => solidOf(body, tilt));
			for (let k = 0; k < 80; k += 1) {
				const p = { x: 80 * random() - 40, y: 80 * random() - 40 };
				const expected = bruteForce(bodies, p, tilt);
				const found = pickedSolid(solids, p, 0);
				expect(found === undefined ? -1 : solids.indexOf(found)).toBe(expected);
				if (found) hits += 1;
			}
		}
		expect(hits).toBeGreaterThan(1000);
	});

	it("takes the nearest outline within the tolerance, if there is no box", () => {
		const [near, far] = [upright(0, 0, 4, 4, 6), upright(20, 0, 4, 4, 6)];
		const at = { x: 5, y: 0 };
		expect(pickedSolid([far, near], at, 2)).toBeUndefined();
		expect(pickedSolid([far, near], at, 4)).toBe(near);
		expect(pickedSolid([far, near], { x: 0, y: -11 }, 4)).toBe(near);
		expect(pickedSolid([far, near], { x: 0, y: -13 }, 4)).toBeUndefined();
	});
});

describe("picking in a tilted picture", () => {
	it("finds an agent at its top, and none where it is hidden", () => {
		const of = picture();
		const solid = solidIn(of, 3n);
		const at = { x: solid?.box.cx ?? 0, y: (solid?.box.cy ?? 0) - (solid?.high ?? 0) };
		const { visibility, view } = of;
		const pickable = { frame, visibility, ego: true };
		expect(pickedAgent(pickable, view, at, 0)).toBe(3n);
		const hidden = { ...pickable, visibility: new Uint8Array(12) };
		expect(pickedAgent(hidden, view, at, 0)).toBeUndefined();
	});
});

describe("traffic lights", () => {
	const { x, y } = pose;
	const map = mapWith("light", [x + 5, y]);

	it("are picked at their box", () => {
		const of = picture({ map, frame: lit("light", 0) });
		const [solid] = lightSolids(of.view, lit("light", 0), map);
		const at = { x: solid?.box.cx ?? 0, y: (solid?.box.cy ?? 0) - (solid?.high ?? 0) };
		const none = new Uint8Array(12);
		const what = { frame: lit("light", 0), visibility: none, ego: false };
		expect(pickedLight(what, of.view, at, map)).toBe("light");
		const below = { ...at, y: at.y + 30 };
		expect(pickedLight(what, of.view, below, map)).toBeUndefined();
	});

	it("are not picked behind an agent", () => {
		const extent = frame.agents.extent.slice();
		extent[8] = 30; // of agent 2, which hides the light
		const tall = { ...lit("light", 0), agents: { ...frame.agents, extent } };
		const [cx = 0, cy = 0] = frame.agents.centroid.subarray(4, 6);
		const [dx, dy] = [6 * Math.cos(pose.yaw), 6 * Math.sin(pose.yaw)];
		const behind = mapWith("light", [cx + dx, cy + dy]);
		const { view } = picture();
		const [solid] = lightSolids(view, tall, behind);
		if (!solid) throw new Error("the light is not in the picture");
		const at = { x: solid.box.cx, y: solid.box.cy - (solid.low + solid.high) / 2 };
		const pickedWith = (visible: number) => {
			const visibility = new Uint8Array(12);
			visibility[2] = visible;
			const what = { frame: tall, visibility, ego: false };
			return pickedLight(what, view, at, behind);
		};
		expect(pickedWith(1)).toBeUndefined();
		expect(pickedWith(0)).toBe("light");
	});
});
