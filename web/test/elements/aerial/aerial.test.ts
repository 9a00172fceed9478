import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { imageFromWorld } from "../../../src/elements/aerial/aerial.js";
import { mapped } from "../../../src/elements/draw/picture.js";

const LAST = [0, 0, 0, 1];
/** ECEF axes are world axes, translated; an image row is 2 m from north to south. */
const META = {
	world_to_ecef: [[1, 0, 0, 1000], [0, 1, 0, 2000], [0, 0, 1, 3000], LAST],
	ecef_to_aerial: [[0, -0.5, 0, 1100], [0.5, 0, 0.25, -1250], [0, 0, 0, 0], LAST],
};
const text = (changes: object) => JSON.stringify({ ...META, ...changes });

describe("the place of an aerial image", () => {
	it("maps column and row, from the first pixel's centre, at a height", () => {
		const map = imageFromWorld(text({}));
		// Row 1100 - 1000 - 0.5 y, column 0.5 (1000 + x) + 0.25 (3000 + z) - 1250.
		expect(mapped(map(0), { x: 8, y: 20 })).toEqual({ x: 4.5, y: 90.5 });
		expect(mapped(map(4), { x: 8, y: 20 })).toEqual({ x: 5.5, y: 90.5 });
	});

	it.each([
		["{", "meta.json: invalid (expected a JSON object)"],
		["[]", "meta.json: world_to_ecef: invalid matrix (found missing"],
		[
			text({ ecef_to_aerial: undefined }),
			"meta.json: ecef_to_aerial: invalid matrix (found missing",
		],
		[
			text({ ecef_to_aerial: [[1, 2]] }),
			"meta.json: ecef_to_aerial: invalid matrix (found [[1,2]], expected",
		],
		[
			text({ world_to_ecef: [["1", 0, 0, 0], LAST, LAST] }),
			"world_to_ecef: invalid matrix (found [[",
		],
	])("rejects meta.json %s", (meta, message) => {
		expect(() => imageFromWorld(meta)).toThrow(BevError);
		expect(() => imageFromWorld(meta)).toThrow(message);
	});
});
