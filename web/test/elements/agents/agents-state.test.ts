import { describe, expect, it } from "vitest";
import { isLongEnough, NO_MINIMA } from "../../../src/elements/agents/agents-state.js";
import { countsOf } from "../../../src/elements/agents/summary.js";
import { fakeFrame } from "../../support/fake-dataset.js";

describe("isLongEnough", () => {
	const frame = fakeFrame(1, 2, 3); // rows 6 to 8
	const trackLengths = {
		scene: 1,
		first: 4,
		mask: Uint32Array.of(0, 0, 0, 0, 3, 9, 2, 9, 3, 1),
	};

	it("compares history and future of the agent's own row", () => {
		const limits = { minHistory: 3, minFuture: 2, trackLengths };
		expect([0, 1, 2].map((i) => isLongEnough(frame, i, limits))).toEqual([
			true,
			false,
			false,
		]);
		const distance = Number.POSITIVE_INFINITY;
		expect(countsOf(frame, { ...limits, distance }).kept).toBe(1);
	});

	it("says nothing of another scene, and nothing without a minimum", () => {
		const other = { ...trackLengths, scene: 0 };
		const limits = { minHistory: 99, minFuture: 99, trackLengths: other };
		expect(isLongEnough(frame, 1, limits)).toBe(true);
		expect(isLongEnough(frame, 1, { ...NO_MINIMA, trackLengths })).toBe(true);
	});
});
