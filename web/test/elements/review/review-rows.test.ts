import { describe, expect, it, vi } from "vitest";
import {
	goTo,
	jumpByRank,
	keptReport,
	listed,
} from "../../../src/elements/review/review-rows.js";
import {
	type KeptList,
	type KeptPredictions,
	NO_REVIEW,
	type ReviewList,
} from "../../../src/elements/review/review-state.js";
import type { ViewerController } from "../../../src/elements/session/controller.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import type { ReviewedRow } from "../../../src/tools/review.js";

function row(frame: number, track: bigint, ade: number, nll = ade): ReviewedRow {
	return { frame, track, seen: 5, ade, fde: ade, nll };
}

/** Worst first. */
const ROWS = [row(1, 2n, 9), row(2, -1n, 5), row(3, 1n, 2), row(0, 4n, Number.NaN)];
const WORST = { ade: ROWS, fde: ROWS, nll: ROWS };
const ONCE = ROWS.slice(1);

const NONE = {
	...{ subjects: [], modes: [], horizons: [], horizon: [] },
	...{ compared: 0, missed: 0 },
};

function standIn() {
	const mean = row(0, 0n, 0);
	const tracks = { ade: ONCE, fde: ONCE, nll: ONCE };
	const worst = { rows: WORST, tracks, frames: { ade: [], fde: [], nll: [] } };
	const report = {
		count: ROWS.length,
		frames: [],
		worst,
		mean,
		unknown: 0,
		begun: 3,
		compared: 3,
		missed: 2,
		breakdown: NONE,
	};
	const controller = {
		state: { ...EMPTY_STATE, review: { ...NO_REVIEW, report } } as ViewerState,
		store: {
			patch: (changes: Partial<ViewerState>) => {
				controller.state = { ...controller.state, ...changes };
			},
		},
		pause: vi.fn(),
		announce: vi.fn(),
		select: vi.fn((selection) => {
			controller.state = { ...controller.state, selection, focus: undefined };
		}),
		seek: vi.fn((frame) => {
			controller.state = { ...controller.state, frame };
		}),
		setScene: vi.fn((scene, frame) => {
			controller.state = { ...controller.state, scene, frame, selection: undefined };
		}),
	};
	const at = () => [controller.state.frame, controller.state.selection];
	return { controller, at, of: controller as unknown as ViewerController };
}

describe("jumpByRank", () => {
	it("goes to the worst prediction, the next one, and back", () => {
		const { at, of } = standIn();
		jumpByRank(of, 1);
		expect(at()).toEqual([1, 2n]);
		jumpByRank(of, 1);
		expect(at()).toEqual([2, "ego"]);
		jumpByRank(of, 1);
		jumpByRank(of, 1);
		expect(at()).toEqual([3, 1n]); // the best comparable one
		jumpByRank(of, -1);
		expect(at()).toEqual([2, "ego"]);
	});

	it("makes the picture be about the prediction's agent", () => {
		const { controller, of } = standIn();
		jumpByRank(of, 1);
		expect(controller.state.focus).toMatchObject({ scene: 0, of: 2n });
		jumpByRank(of, 1);
		expect(controller.state.focus).toMatchObject({ scene: 0, of: "ego" });
		goTo(of, { frame: 4, count: 2, ade: 1, fde: 1, nll: 1 });
		expect(controller.state.focus).toBeUndefined(); // a frame is about no agent
	});

	it("goes through each track once if so listed", () => {
		const { controller, at, of } = standIn();
		const review = { ...controller.state.review, list: "tracks" as const };
		controller.state = { ...controller.state, review };
		jumpByRank(of, 1);
		expect(at()).toEqual([2, "ego"]);
	});

	it("opens other scenes if all scenes are listed", () => {
		const { controller, at, of } = standIn();
		const rows = [
			{ ...row(4, 7n, 9), scene: 2 },
			{ ...row(4, 7n, 8), scene: 0 },
		];
		const worst = { ade: rows, fde: rows, nll: rows };
		const report = {
			found: 2,
			begun: 2,
			compared: 2,
			mean: row(0, 0n, 0),
			worst,
			worstTracks: { ade: rows.slice(1), fde: [], nll: [] },
			breakdown: NONE,
		};
		const ranking = {
			...{ running: false, done: 3, all: 3, leftOut: [], problem: undefined },
			...{ reports: new Map([[7, report]]), comparison: undefined },
		};
		const review = { ...NO_REVIEW, list: "all" as const, active: 7, ranking };
		controller.state = { ...EMPTY_STATE, review };
		jumpByRank(of, 1);
		expect([controller.state.scene, ...at()]).toEqual([2, 4, 7n]);
		jumpByRank(of, 1);
		expect([controller.state.scene, ...at()]).toEqual([0, 4, 7n]);
		jumpByRank(of, -1);
		expect(controller.state.scene).toBe(2);
		controller.state = {
			...controller.state,
			review: { ...review, list: "all-tracks" },
		};
		jumpByRank(of, 1);
		expect(controller.state.scene).toBe(0);
	});

	it("goes through differences of two models, largest first", () => {
		const { controller, at, of } = standIn();
		const worst = (...order: number[]) => {
			const indexes = Uint32Array.from(order);
			return { ade: indexes, fde: indexes, nll: indexes };
		};
		const columns = {
			scenes: Uint32Array.of(0, 0),
			frames: Uint32Array.of(4, 6),
			a: Float64Array.of(1, 1, 1, 2, 2, 2),
			b: Float64Array.of(2, 2, 2, 9, 9, 9),
			worst: worst(1, 0),
		};
		const score = { ade: 0, fde: 0, nll: 0 };
		const comparison = {
			rows: {
				...columns,
				...{ tracks: BigInt64Array.of(5n, -1n), worstTracks: worst(0) },
				seen: Uint32Array.of(1, 1),
			},
			frames: { ...columns, counts: Uint32Array.of(1, 1), worst: worst(0, 1) },
			...{ onlyA: 0, onlyB: 0, compared: 2, meanA: score, meanB: score },
		};
		const review = { ...NO_REVIEW, list: "worse" as const, comparison };
		controller.state = { ...EMPTY_STATE, review };
		jumpByRank(of, 1);
		expect(at()).toEqual([6, "ego"]);
		jumpByRank(of, 1);
		expect(at()).toEqual([4, 5n]);
		const frames = { ...review, list: "worse-frames" as const };
		controller.state = { ...EMPTY_STATE, review: frames, frame: 1 };
		jumpByRank(of, 1);
		jumpByRank(of, 1);
		expect(at()).toEqual([6, undefined]);
		const once = { ...review, list: "worse-tracks" as const };
		controller.state = { ...EMPTY_STATE, review: once };
		jumpByRank(of, 1);
		expect(at()).toEqual([4, 5n]);
		const all = { ...review, list: "worse-all" as const };
		controller.state = { ...EMPTY_STATE, review: all };
		jumpByRank(of, 1); // all scenes are not ranked
		expect(controller.announce).toHaveBeenCalledOnce();
	});

	it("reports that no prediction has ground truth", () => {
		const { controller, of } = standIn();
		controller.state = EMPTY_STATE;
		jumpByRank(of, 1);
		expect(controller.seek).not.toHaveBeenCalled();
		expect(controller.announce).toHaveBeenCalledOnce();
	});
});

describe("listed", () => {
	it("has what distributions keep, and nothing until that is known", () => {
		const { controller } = standIn();
		const kept = {
			...{ all: 9, found: 2, begun: 2, compared: 2, missed: 1, mean: row(0, 0n, 4) },
			...{ rows: [{ ...row(7, 7n, 4), scene: 0 }], tracks: [], frames: [] },
		};
		const listOf = (list: ReviewList, scene: number | undefined) => {
			const listed: KeptList = {
				...{ list, by: "ade", active: 7, pair: undefined, scene },
				...{ report: kept, comparison: undefined },
			};
			const rows = {} as KeptPredictions["rows"];
			const { review } = controller.state;
			const changed = { list, active: 7, kept: { listed, rows } };
			return { ...controller.state, review: { ...review, ...changed } };
		};
		expect(listed(listOf("agents", 0))).toEqual(kept.rows);
		expect(listed(listOf("agents", 1))).toEqual([]);
		expect(listed(listOf("tracks", 0))).toEqual([]);
		const { report } = controller.state.review;
		if (!report) throw new Error("no report");
		const shown = keptReport(report, listOf("frames", 0));
		expect(shown).toMatchObject({ count: 2, mean: { ade: 4 }, begun: 2 });
		expect(shown?.breakdown).toMatchObject({ compared: 2, missed: 1 });
		expect(keptReport(report, listOf("frames", 1))).toBeUndefined();
		expect(keptReport(report, controller.state)).toBe(report);
	});
});
