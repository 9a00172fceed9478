import { describe, expect, it } from "vitest";
import { errorSeries } from "../../../src/elements/review/error-lane.js";
import {
	type ModelState,
	NO_REVIEW,
	type ReviewState,
} from "../../../src/elements/review/review-state.js";
import type { ComparisonReport } from "../../../src/tools/comparison.js";

const score = (ade: number) => ({ ade, fde: 2 * ade, nll: 3 * ade });

const model = (id: number, name: string): ModelState => ({
	...{ id, name, address: undefined, slot: id, visible: true, phase: "ready" },
	...{ reading: undefined, shape: undefined, report: undefined, lines: undefined },
	...{ linesDue: false, problem: undefined },
});

/** B is worse than A in frame 4 by 82 m; frame 6 is unknown. */
const comparison = {
	frames: {
		scenes: Uint32Array.of(0, 0, 0),
		frames: Uint32Array.of(2, 4, 6),
		counts: Uint32Array.of(1, 1, 1),
		a: Float64Array.of(1, 2, 3, 1, 2, 3, Number.NaN, 0, 0),
		b: Float64Array.of(0.5, 2, 3, 83, 2, 4, 1, 0, 0),
	},
} as unknown as ComparisonReport;

const REVIEW = {
	...NO_REVIEW,
	...{ phase: "ready", models: [model(1, "good"), model(2, "bad")] },
	...{ active: 1, name: "good", pair: { a: 1, b: 2 }, comparison },
	report: {
		frames: [
			{ frame: 2, count: 1, ...score(1) },
			{ frame: 4, count: 1, ...score(Number.NaN) },
		],
	},
} as unknown as ReviewState;

describe("review/error-lane", () => {
	it("is of the active model, which it names among several", () => {
		const points = [[2, 1]];
		expect(errorSeries(REVIEW)).toEqual({ of: "good", points, differs: false });
		const alone = { ...REVIEW, models: [model(1, "good")] };
		expect(errorSeries(alone)?.of).toBe("predictions");
	});

	it("is B minus A while models are compared, by the ranking measure", () => {
		for (const list of ["worse", "worse-frames", "worse-all-tracks"] as const) {
			expect(errorSeries({ ...REVIEW, list })).toEqual({
				of: "B \u2212 A",
				points: [
					[2, -0.5],
					[4, 82],
				],
				differs: true,
			});
		}
		const nll = errorSeries({ ...REVIEW, list: "worse", by: "nll" });
		expect(nll?.points).toEqual([
			[2, 0],
			[4, 1],
			[6, 0],
		]);
	});

	it("is of no other model until the pair is compared", () => {
		const waiting = { ...REVIEW, list: "worse", comparison: undefined } as const;
		expect(errorSeries(waiting)).toBeUndefined();
	});
});
