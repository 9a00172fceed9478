import { describe, expect, it } from "vitest";
import {
	comparedLines,
	listedCount,
} from "../../../src/elements/review/compared-rows.js";
import {
	type KeptPredictions,
	NO_REVIEW,
	type ReviewList,
} from "../../../src/elements/review/review-state.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import type { ComparisonReport } from "../../../src/tools/comparison.js";

/** Pairs of which `known` have a known difference; lists contain at most 200. */
function stateOf(pairs: number, known: number, list: ReviewList) {
	const order = Uint32Array.from({ length: Math.min(200, known) }, (_, i) => i);
	const worst = { ade: order, fde: order, nll: order };
	const columns = {
		scenes: new Uint32Array(pairs),
		frames: new Uint32Array(pairs),
		a: new Float64Array(3 * pairs),
		b: new Float64Array(3 * pairs).fill(1),
		worst,
	};
	const rows = {
		...{ ...columns, tracks: new BigInt64Array(pairs), worstTracks: worst },
		seen: new Uint32Array(pairs).fill(50),
	};
	const frames = { ...columns, counts: new Uint32Array(pairs) };
	const comparison = { rows, frames, compared: known } as unknown as ComparisonReport;
	return { ...EMPTY_STATE, review: { ...NO_REVIEW, list, comparison } };
}

describe("review/compared-rows", () => {
	it("counts the pairs with both scores, as the line above the list does", () => {
		expect(listedCount(stateOf(285, 275, "worse"), 200)).toBe(275);
		expect(listedCount(stateOf(285, 85, "worse"), 200)).toBe(85);
	});

	it("lists what distributions keep, once it is of the list that is shown", () => {
		const made = stateOf(6, 6, "worse");
		const { comparison: some } = stateOf(2, 2, "worse").review;
		const pair = { a: 1, b: 2 };
		const listed = {
			...({ list: "worse", by: "ade", active: 1, pair, scene: 0 } as const),
			...{ report: undefined, comparison: some },
		};
		const kept: KeptPredictions = {
			...{ listed, rows: {} as KeptPredictions["rows"] },
		};
		const count = (change: Partial<ViewerState["review"]>, scene = 0) => {
			const review = { ...made.review, kept, pair, active: 1, ...change };
			const state = { ...made, review, scene };
			expect(comparedLines(state, 200)).toHaveLength(listedCount(state, 200));
			return listedCount(state, 200);
		};
		expect(count({})).toBe(2);
		expect(count({ active: 7 })).toBe(2);
		expect(count({ kept: undefined })).toBe(6);
		// Not yet known, so none of these is shown.
		expect(count({ list: "worse-frames" })).toBe(0);
		expect(count({ by: "fde" })).toBe(0);
		expect(count({ pair: { a: 2, b: 1 } })).toBe(0);
		expect(count({}, 1)).toBe(0);
		const all = { ...listed, list: "worse-all", scene: undefined } as const;
		expect(count({ list: "worse-all", kept: { ...kept, listed: all } }, 1)).toBe(2);
	});

	it("has the steps with ground truth, if they are known", () => {
		const state = stateOf(3, 3, "worse");
		expect(comparedLines(state, 1)).toMatchObject([{ a: 0, b: 1, seen: 50 }]);
		const frames = stateOf(3, 3, "worse-frames");
		expect(comparedLines(frames, 1)).toMatchObject([{ seen: undefined }]);
	});
});
