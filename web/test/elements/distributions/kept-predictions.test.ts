import { describe, expect, it } from "vitest";
import { keptListOf } from "../../../src/elements/distributions/kept-predictions.js";
import {
	NO_REVIEW,
	type RankedRows,
	type ReviewList,
} from "../../../src/elements/review/review-state.js";

/** Returns what the table is asked for a list of model 5, and of 5 and 8. */
async function asked(list: ReviewList, ids: readonly number[] = [3, 5, 8]) {
	const calls: unknown[][] = [];
	const call =
		(name: string) =>
		async (...given: unknown[]) => {
			calls.push([name, ...given]);
			return name;
		};
	const table = { kept: call("report"), keptPairs: call("comparison") };
	const review = { ...NO_REVIEW, list, active: 5, pair: { a: 5, b: 8 } };
	const rows = { table, ids } as unknown as RankedRows;
	return { calls, found: await keptListOf(rows, review, 2) };
}

describe("distributions/kept-predictions", () => {
	it("asks for a model's predictions of the scene, or of all scenes", async () => {
		const { calls, found } = await asked("frames");
		expect(calls).toEqual([["report", 1, "ade", { scene: 2, most: 1000 }]]);
		expect(found).toMatchObject({ list: "frames", by: "ade", active: 5, scene: 2 });
		expect(found).toMatchObject({ report: "report", comparison: undefined });
		const all = await asked("all-tracks");
		expect(all.calls).toEqual([["report", 1, "ade", { scene: undefined, most: 200 }]]);
		expect(all.found).toMatchObject({ scene: undefined });
	});

	it("asks for the pairs of lists that compare", async () => {
		const { calls, found } = await asked("worse-all-frames");
		expect(calls).toEqual([["comparison", 1, 2, { scene: undefined, most: 200 }]]);
		expect(found).toMatchObject({ report: undefined, comparison: "comparison" });
	});

	it("asks for no model that the table does not have", async () => {
		const { calls, found } = await asked("agents", [3]);
		expect(calls).toEqual([]);
		expect(found).toMatchObject({ report: undefined });
		expect((await asked("worse", [5])).calls).toEqual([]);
	});
});
