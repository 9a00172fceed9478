import { describe, expect, it } from "vitest";
import { futuresLegend } from "../../../src/elements/futures/futures-legend.js";
import { START } from "../../../src/elements/futures/futures-view.js";
import type { SceneFutures } from "../../../src/reviewing/remote-futures.js";

const A = { name: "a", index: 0 };
const B = { name: "b", index: 1 };
const names = (...given: Parameters<typeof futuresLegend>) =>
	futuresLegend(...given).map(({ name }) => name);

describe("elements/futures/futures-legend", () => {
	it("names time for one submission, and the submissions if there are two", () => {
		expect(names([A], START)).toEqual(["a: first step", "last step"]);
		expect(names([A, B], START)).toEqual(["a", "b"]);
		expect(names([], START)).toEqual([]);
		const [a, b] = futuresLegend([A, B], START);
		expect(a?.colour).not.toBe(b?.colour);
	});

	it("names the shown future, which is of the active submission", () => {
		const view = { ...START, rollout: 5, active: 1 };
		expect(names([A, B], view)).toEqual(["b, future 5"]);
		expect(names([B], view)).toEqual(["b, future 5: first step", "last step"]);
		expect(names([A], view)).toEqual([]);
	});

	it("names both futures of split pictures", () => {
		const of = (...ade: number[]) =>
			({ rollouts: ade.length, measures: { ade } }) as unknown as SceneFutures;
		const sets = [
			{ ...A, here: of(1, 2) },
			{ ...B, here: of(4, 3) },
		];
		const view = { ...START, rollout: 1, split: true };
		expect(names(sets, view)).toEqual(["a, future 1", "b, future 0"]);
		expect(names(sets, { ...view, split: false })).toEqual(["a, future 1"]);
	});

	it("names outcomes", () => {
		const view = { ...START, colour: "outcome" } as const;
		expect(names([A], view)).toEqual(["a", "collides", "leaves the lanes"]);
		expect(names([], view)).toEqual([]);
	});
});
