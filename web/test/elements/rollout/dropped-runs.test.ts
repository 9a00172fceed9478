import { describe, expect, it } from "vitest";
import { beyondWords } from "../../../src/elements/rollout/dropped-runs.js";
import { leftOut } from "../../../src/elements/rollout/planner-run.js";

describe("elements/rollout/dropped-runs", () => {
	it("names the simulations and scenes that are left out", () => {
		expect(beyondWords([])).toEqual([]);
		expect(beyondWords([{ name: "ab" }])).toEqual([
			"1 simulation left out (ab): at most 64 are joined at once",
		]);
		const many = ["a", "b", "c", "d"].map((name) => ({ name }));
		expect(beyondWords(many)).toEqual([
			"4 simulations left out (a, b, c, …): at most 64 are joined at once",
		]);
		expect(leftOut("ab", [])).toBe("");
		expect(leftOut("ab", [70])).toBe(
			"ab: 1 scene left out (70); it is joined with at most 64",
		);
		expect(leftOut("ab", [70, 71, 90])).toBe(
			"ab: 3 scenes left out (among 70–90); it is joined with at most 64",
		);
	});
});
