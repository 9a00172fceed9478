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
import { EMPTY_STATE } from "../../../src/elements/session/state.js";
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

	it("lists only pairs of which distributions keep a prediction", () => {
		const made = stateOf(6, 6, "worse");
		const { rows } = made.review.comparison ?? {};
		rows?.frames.set([0, 1, 2, 3, 4, 5]);
		const has = (model: number, frame: number) =>
			(model === 1 && frame === 3) || (model === 2 && frame < 2) || model === 3;
		const kept = { has } as unknown as KeptPredictions;
		const listed = (list: ReviewList, most = 200) => {
			const review = { ...made.review, list, kept, pair: { a: 1, b: 2 } };
			const state = { ...made, review };
			const frames = comparedLines(state, most).map(({ frame }) => frame);
			return { frames, count: listedCount(state, most) };
		};
		expect(listed("worse")).toEqual({ frames: [0, 1, 3], count: 3 });
		expect(listed("worse-tracks", 2).frames).toEqual([0, 1]);
		// Means of frames, and pairs of all scenes, are of all predictions.
		expect(listed("worse-frames").count).toBe(6);
	});

	it("has the steps with ground truth, if they are known", () => {
		const state = stateOf(3, 3, "worse");
		expect(comparedLines(state, 1)).toMatchObject([{ a: 0, b: 1, seen: 50 }]);
		const frames = stateOf(3, 3, "worse-frames");
		expect(comparedLines(frames, 1)).toMatchObject([{ seen: undefined }]);
	});
});
