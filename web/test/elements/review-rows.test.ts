import { describe, expect, it, vi } from "vitest";
import type { ViewerController } from "../../src/elements/controller.js";
import { jumpByRank, ranked } from "../../src/elements/review-rows.js";
import { NO_REVIEW } from "../../src/elements/review-state.js";
import { EMPTY_STATE, type ViewerState } from "../../src/elements/state.js";
import type { ReviewedRow } from "../../src/review.js";

function row(frame: number, track: bigint, ade: number, nll = ade): ReviewedRow {
	return { frame, track, seen: 5, ade, fde: ade, nll };
}

const ROWS = [row(3, 1n, 2), row(1, 2n, 9), row(2, -1n, 5), row(0, 4n, Number.NaN)];

function standIn() {
	const report = { rows: ROWS, frames: [], mean: row(0, 0n, 0), unknown: 0 };
	const controller = {
		state: { ...EMPTY_STATE, review: { ...NO_REVIEW, report } } as ViewerState,
		pause: vi.fn(),
		announce: vi.fn(),
		select: vi.fn((selection) => {
			controller.state = { ...controller.state, selection };
		}),
		seek: vi.fn((frame) => {
			controller.state = { ...controller.state, frame };
		}),
	};
	const at = () => [controller.state.frame, controller.state.selection];
	return { controller, at, of: controller as unknown as ViewerController };
}

describe("ranked", () => {
	it("has the greatest first and what is not known last", () => {
		expect(ranked(ROWS, "ade").map(({ frame }) => frame)).toEqual([1, 2, 3, 0]);
	});

	it("goes by the measure asked for, ties by frame", () => {
		const rows = [row(2, 1n, 0, 7), row(1, 1n, 9, 7), row(0, 1n, 1, 8)];
		expect(ranked(rows, "nll").map(({ frame }) => frame)).toEqual([0, 1, 2]);
	});
});

describe("jumpByRank", () => {
	it("goes to the worst, on to the next best, and back", () => {
		const { at, of } = standIn();
		jumpByRank(of, 1);
		expect(at()).toEqual([1, 2n]);
		jumpByRank(of, 1);
		expect(at()).toEqual([2, "ego"]);
		jumpByRank(of, 1);
		jumpByRank(of, 1);
		expect(at()).toEqual([3, 1n]); // the best that can be compared
		jumpByRank(of, -1);
		expect(at()).toEqual([2, "ego"]);
	});

	it("says so where nothing can be compared", () => {
		const { controller, of } = standIn();
		controller.state = EMPTY_STATE;
		jumpByRank(of, 1);
		expect(controller.seek).not.toHaveBeenCalled();
		expect(controller.announce).toHaveBeenCalledOnce();
	});
});
