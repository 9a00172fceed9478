import { describe, expect, it } from "vitest";
import { approachWords, lightNames } from "../../../src/elements/map/light-names.js";

const lights = (
	specs: readonly (readonly [id: string, from: number, turns: number])[],
) => ({
	lights: {
		length: specs.length,
		id: specs.map(([id]) => id),
		position: new Float64Array(2 * specs.length),
		from_deg: Float32Array.from(specs.map(([, from]) => from)),
		movements: Uint8Array.from(specs.map(([, , turns]) => turns)),
	},
});

describe("map/light-names", () => {
	it.each([
		[0, 0, "North arm"],
		[22, 2, "North arm, left turn"],
		[359.9, 4, "North arm, right turn"],
		[90, 1, "East arm, ahead"],
		[134, 5, "South-east arm, ahead and right"],
		[180, 11, "South arm, ahead, left and U-turn"],
		[270, 7, "West arm"],
		[315, 15, "North-west arm"],
	])("from %d degrees, movements %d: %s", (from, movements, name) => {
		expect(approachWords(lights([["a", from, movements]]), 0)).toBe(name);
	});

	it("an unknown direction or light has no name", () => {
		expect(approachWords(lights([["a", Number.NaN, 2]]), 0)).toBeUndefined();
		expect(approachWords(lights([]), -1)).toBeUndefined();
	});

	it("equal names are numbered, lights without a name have their id", () => {
		const map = lights([
			["a", 0, 7],
			["b", 1, 7],
			["c", 90, 7],
			["d", Number.NaN, 0],
		]);
		expect([...lightNames(map, ["b", "x", "a", "d", "c"])]).toEqual([
			["b", "North arm 1"],
			["x", "x"],
			["a", "North arm 2"],
			["d", "d"],
			["c", "East arm"],
		]);
	});
});
