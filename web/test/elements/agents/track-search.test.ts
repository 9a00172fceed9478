import { describe, expect, it, vi } from "vitest";
import type { SceneTimeline } from "../../../src/dataset/timeline.js";
import {
	presenceOf,
	TrackSearch,
	trackOf,
} from "../../../src/elements/agents/track-search.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { fakeDataset } from "../../support/fake-dataset.js";
import { fakeTimeline } from "../../support/fake-timeline.js";

/** A timeline in which the track is visible in these frames. */
function seenIn(track: bigint, frames: readonly number[]): SceneTimeline {
	const timeline = fakeTimeline(0, 10, track);
	timeline.track?.yaw.fill(Number.NaN);
	for (const frame of frames) timeline.track?.yaw.fill(1, frame, frame + 1);
	return timeline;
}

describe("a track in a scene", () => {
	it("is described by first frame, last frame and count", () => {
		expect(presenceOf(seenIn(7n, [3, 4, 6]))).toEqual({ first: 3, last: 6, count: 3 });
		expect(presenceOf(seenIn(7n, []))).toBeUndefined();
		expect(presenceOf(fakeTimeline(0, 10))).toBeUndefined();
	});

	it("is recognized by digits only", () => {
		expect(trackOf(" 284 ")).toBe(284n);
		expect(trackOf("18446744073709551615")).toBe(2n ** 64n - 1n);
		expect(trackOf("18446744073709551616")).toBeUndefined();
		expect(trackOf("car 7")).toBeUndefined();
		expect(trackOf("")).toBeUndefined();
	});

	it("is searched in the scene; only the latest search returns", async () => {
		const answers = new Map<bigint, (timeline: SceneTimeline) => void>();
		const { dataset } = fakeDataset();
		const slow = {
			...dataset,
			timeline: (_: number, { track = 0n } = {}) =>
				new Promise<SceneTimeline>((resolve) => answers.set(track, resolve)),
		};
		const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset: slow, scene: 2 });
		const told = vi.fn();
		const search = new TrackSearch(told);
		const searches = [search.search(store, 7n), search.search(store, 8n)];
		answers.get(8n)?.(seenIn(8n, [5]));
		answers.get(7n)?.(seenIn(7n, [1]));
		await Promise.all(searches);
		const presence = { first: 5, last: 5, count: 1 };
		expect(told.mock.lastCall).toEqual([{ scene: 2, track: 8n, presence }]);
		expect(told).toHaveBeenCalledTimes(3);
	});

	it("reports why a scene cannot be searched", async () => {
		const { dataset } = fakeDataset();
		const broken = { ...dataset, timeline: () => Promise.reject(new Error("offline")) };
		const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset: broken });
		const told = vi.fn();
		await new TrackSearch(told).search(store, 7n);
		expect(told.mock.calls).toEqual([["reading"], ["offline"]]);
	});
});
