import { describe, expect, it } from "vitest";
import { lastStep, lengthOf } from "../../../src/elements/scene-view/path.js";

const path = [
	{ x: 1, y: 1 },
	{ x: 4, y: 5 },
	{ x: 4, y: 3 },
];

describe("a measured path", () => {
	it("returns its last step and total length", () => {
		expect(lastStep(path)).toEqual({ dx: 0, dy: -2, metres: 2, heading: -Math.PI / 2 });
		expect(lengthOf(path)).toBe(7);
	});

	it("has no step before its second point", () => {
		expect(lastStep(path.slice(0, 1))).toBeUndefined();
		expect(lastStep([])).toBeUndefined();
		expect(lengthOf(path.slice(0, 1))).toBe(0);
	});
});
