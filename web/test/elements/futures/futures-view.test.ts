import { describe, expect, it } from "vitest";
import {
	parseView,
	reaches,
	START,
	selectedTrack,
	untilWords,
	viewOf,
	viewText,
} from "../../../src/elements/futures/futures-view.js";

describe("elements/futures/futures-view", () => {
	it("a view is kept by its text in links; unknown parts are ignored", () => {
		expect(viewText(START)).toBeUndefined();
		const view = { ...START, rollout: 12, active: 1, seconds: 3 } as const;
		expect(viewText(view)).toBe("12;second;3s");
		expect(parseView("12;second;3s")).toEqual(view);
		expect(parseView("12345;4s;third")).toEqual(START);
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
