import { describe, expect, it } from "vitest";
import {
	idsAt,
	partFrame,
	partsOf,
} from "../../../src/elements/futures/scene-parts.js";
import type { FuturesScene } from "../../../src/reviewing/remote-futures.js";

const ROWS = { attributes: "{}" } as FuturesScene;
const PARTS = [
	{ id: "a_s2", frame: 2 },
	{ id: "a_s4", frame: 4 },
	{ id: "b_s4", frame: 4 },
];

describe("elements/futures/scene-parts", () => {
	it("shows the latest predictions until a frame, before them the first ones", () => {
		expect([0, 2, 3, 4, 90].map((frame) => partFrame(PARTS, frame))).toEqual([
			...[2, 2, 2, 4, 4],
		]);
		expect(idsAt(PARTS, 3)).toEqual(["a_s2"]);
		expect(idsAt(PARTS, 7)).toEqual(["a_s4", "b_s4"]);
		expect(partFrame([], 3)).toBeUndefined();
		expect(idsAt([], 3)).toEqual([]);
	});

	it("asks submissions whose ids are not those of scenes", async () => {
		const parts = async () => PARTS;
		expect(await partsOf({ hasParts: true, parts }, "s", ROWS)).toBe(PARTS);
		const others = { hasParts: false, parts };
		expect(await partsOf(others, "s", ROWS)).toEqual([{ id: "s", frame: 0 }]);
		expect(await partsOf(others, undefined, ROWS)).toEqual([]);
	});
});
