import { describe, expect, it } from "vitest";
import {
	farAway,
	parseView,
	reaches,
	START,
	selectedTrack,
	shownFuture,
	untilWords,
	viewOf,
	viewText,
} from "../../../src/elements/futures/futures-view.js";
import type { SceneFutures } from "../../../src/reviewing/remote-futures.js";

describe("elements/futures/futures-view", () => {
	it("a view is kept by its text in links; unknown parts are ignored", () => {
		expect(viewText(START)).toBeUndefined();
		const view = { ...START, rollout: 12, active: 1, seconds: 3 } as const;
		expect(viewText(view)).toBe("12;second;3s");
		expect(parseView("12;second;3s")).toEqual(view);
		expect(parseView("12345;4s;third")).toEqual(START);
		expect(viewText({ ...START, split: true }, "a:m;b:n")).toBe("split;a:m;b:n");
		expect(parseView("split;a:m;b:n")).toEqual({ ...START, split: true });
	});

	it("beside a single future is one of the same rank, in split pictures", () => {
		const of = (index: number, ...ade: number[]) => {
			const measures = { ade: Float64Array.from(ade) };
			const futures = { rollouts: ade.length, measures } as unknown as SceneFutures;
			return { futures, index };
		};
		const sets = [of(0, 1, 3, 2), of(1, 9, 8, 7, 6, Number.NaN)];
		const shown = (index: number, view: object) =>
			shownFuture(sets, index, { ...START, ...view });
		expect(shown(1, {})).toBeUndefined();
		expect(shown(0, { rollout: 2 })).toBe(2);
		expect(shown(1, { rollout: 2 })).toBeNull();
		const at = (rollout: number) => shown(1, { rollout, split: true });
		// Worst beside worst, middle beside middle, best beside best; unknown is neither.
		expect([at(1), at(2), at(0)]).toEqual([0, 2, 3]);
		expect(shown(0, { rollout: 3, active: 1, split: true })).toBe(0);
		expect(shown(1, { rollout: 7, split: true })).toBeNull();
	});

	it("futures that begin too far from the recorded places are told", () => {
		const far = (...mean: number[]) =>
			farAway({
				here: { steps: 2 } as SceneFutures,
				curves: { mean: Float64Array.from(mean), least: new Float64Array(2) },
			});
		expect(far(60, 1, 80, 1)).toBe(60);
		expect(far(60, 90, 40, 90)).toBeUndefined();
		expect(far(Number.NaN, 90)).toBeUndefined();
		expect(farAway({ here: null, curves: undefined })).toBeUndefined();
	});

	it("pictures show all futures or one", () => {
		expect(viewOf("all")).toEqual({ active: 0, rollout: undefined });
		expect(viewOf("1:31")).toEqual({ active: 1, rollout: 31 });
		for (const other of ["", "2:1", "1:", "1:12345", "all;1"])
			expect(viewOf(other), other).toBeUndefined();
	});

	it("a horizon is reached by the recorded times, which are not exact", () => {
		expect(reaches({ secondsAhead: 7.99996 }, 8)).toBe(true);
		expect(reaches({ secondsAhead: 7.9 }, 8)).toBe(false);
		expect(untilWords(undefined)).toBe("");
		expect(untilWords(3)).toBe(" until 3 s");
	});

	it("the ego vehicle has the id of its track in the source", () => {
		const attrs = { bevscope: { scenes: [{ ego_track_id: 20 }, {}] } };
		const dataset = { attrs } as unknown as Parameters<
			typeof selectedTrack
		>[0]["dataset"];
		const of = (selection: "ego" | bigint | undefined, scene = 0) =>
			selectedTrack({ selection, dataset, scene });
		expect(of("ego")).toBe(20n);
		expect(of("ego", 1)).toBeUndefined();
		expect(of(7n)).toBe(7n);
		expect(of(undefined)).toBeUndefined();
	});
});
