import { describe, expect, it } from "vitest";
import { benchmarkOf } from "../../../src/elements/scenes/benchmark.js";

const of = (...scenes: unknown[]) => ({ bevscope: { scenes } });

describe("benchmark", () => {
	it("has the tracks and the anchor frame of Argoverse 2", () => {
		const attrs = of({}, { focal: 7, scored: [8, 9], unscored: [1], anchor_frame: 49 });
		const { anchor, roles } = benchmarkOf(attrs, 1);
		expect(anchor).toBe(49);
		expect([...roles]).toEqual([
			[8n, "scored"],
			[9n, "scored"],
			[7n, "focal"],
		]);
	});

	it("takes tracks of Waymo that are also of interest as focal", () => {
		const attrs = of({ scored: [7, 8], objects_of_interest: [8, 20], anchor_frame: 0 });
		const { anchor, roles } = benchmarkOf(attrs, 0);
		expect(anchor).toBe(0);
		expect(Object.fromEntries(roles)).toEqual({ 7: "scored", 8: "focal" });
	});

	it("is empty for other data, and for values of other types", () => {
		const others = [
			undefined,
			{},
			{ bevscope: null },
			{ bevscope: { scenes: "abc" } },
			of(),
			of(null),
			of({ focal: "7", scored: { 0: 1 }, anchor_frame: "3" }),
			of({ focal: 1.5, scored: [null, 2 ** 60, "8"], anchor_frame: 0.5 }),
		];
		for (const attrs of others) {
			const { anchor, roles } = benchmarkOf(attrs, 0);
			expect(anchor).toBeUndefined();
			expect([...roles]).toEqual([]);
		}
	});

	it("is read once per scene", () => {
		const attrs = of({ focal: 7 });
		expect(benchmarkOf(attrs, 0)).toBe(benchmarkOf(attrs, 0));
	});
});
