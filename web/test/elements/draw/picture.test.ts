import { describe, expect, it } from "vitest";
import { inverse, mapped, scaleOf } from "../../../src/elements/draw/picture.js";

describe("affine maps", () => {
	it("are undone by their inverse", () => {
		const map = Float64Array.of(0, 2, 5, -2, 0, 7, 0, 0, 1);
		const there = mapped(map, { x: 3, y: -4 });
		expect(there).toEqual({ x: -3, y: 1 });
		expect(mapped(inverse(map), there)).toEqual({ x: 3, y: -4 });
		expect(scaleOf(map)).toBe(2);
	});

	it("have no inverse if degenerate", () => {
		const flat = inverse(Float64Array.of(1, 1, 0, 1, 1, 0, 0, 0, 1));
		expect(mapped(flat, { x: 1, y: 2 }).x).toBeNaN();
	});
});
