import { describe, expect, it, vi } from "vitest";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { TimelineLoader } from "../../../src/elements/timeline/timeline-loader.js";
import { fakeDataset, fakeFrame } from "../../support/fake-dataset.js";

const sceneInfo = { index: 1, host: "", startTime: 0n, seconds: new Float64Array(5) };
const asked = { prefetch: true, signal: expect.any(AbortSignal) };

function made() {
	const { dataset } = fakeDataset({ frames: 5 });
	const timeline = vi.spyOn(dataset, "timeline");
	const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset });
	const loader = new TimelineLoader(store);
	const arrived = () => vi.waitFor(() => expect(store.state.timeline).toBeDefined());
	return { store, loader, timeline, arrived };
}

describe("TimelineLoader", () => {
	it("reads the scene once, after its first frame is displayed", async () => {
		const { store, timeline, arrived } = made();
		store.patch({ sceneInfo });
		store.patch({ shown: fakeFrame(0, 4, 2) });
		expect(timeline).not.toHaveBeenCalled();
		store.patch({ shown: fakeFrame(1, 0, 2) });
		store.patch({ shown: fakeFrame(1, 1, 2), selection: "ego" });
		await arrived();
		expect(timeline).toHaveBeenCalledExactlyOnceWith(1, { ...asked, track: undefined });
		expect(store.state.timeline).toMatchObject({ scene: 1, of: undefined });
	});

	it("waits while the map is read", async () => {
		const { store, timeline, arrived } = made();
		store.patch({ sceneInfo, mapState: "loading", shown: fakeFrame(1, 0, 2) });
		expect(timeline).not.toHaveBeenCalled();
		store.patch({ mapState: "absent" });
		await arrived();
	});

	it("follows the selection and cancels the previous read", async () => {
		const { store, timeline } = made();
		store.patch({ sceneInfo, shown: fakeFrame(1, 0, 2), selection: 1n });
		store.patch({ selection: 2n });
		await vi.waitFor(() => expect(store.state.timeline?.of).toBe(2n));
		expect(timeline.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
		expect(store.state.notices).toEqual([]);
	});

	it("cancels its reads when another scene is opened", () => {
		const { store, timeline } = made();
		store.patch({ sceneInfo, shown: fakeFrame(1, 0, 2) });
		const signal = timeline.mock.calls[0]?.[1]?.signal;
		expect(signal?.aborted).toBe(false);
		store.patch({ sceneInfo: undefined });
		expect(signal?.aborted).toBe(true);
	});

	it("reports a failed read and keeps other state", async () => {
		const { store, timeline } = made();
		timeline.mockRejectedValue(new Error("agents/3: damaged"));
		store.patch({ sceneInfo, shown: fakeFrame(1, 0, 2) });
		await vi.waitFor(() => expect(store.state.notices).toHaveLength(1));
		expect(store.state.notices[0]).toContain("agents/3: damaged");
		expect(store.state.timeline).toBeUndefined();
	});

	it("has what is readable, and says what is not", async () => {
		const { store, timeline, arrived } = made();
		timeline.mockRejectedValueOnce(new Error("agents/3: damaged"));
		store.patch({ sceneInfo, shown: fakeFrame(1, 0, 2), selection: 1n });
		await arrived();
		const { timelineFailed, timelineUnread, notices } = store.state;
		expect({ timelineFailed, timelineUnread }).toEqual({
			timelineFailed: true,
			timelineUnread: ["agents"],
		});
		expect(store.state.timeline?.of).toBeUndefined();
		expect(notices).toEqual([
			"Quality and plots of agents: read failed: agents/3: damaged",
		]);
	});

	it("requests nothing after dispose", () => {
		const { store, loader, timeline } = made();
		loader.dispose();
		store.patch({ sceneInfo, shown: fakeFrame(1, 0, 2) });
		expect(timeline).not.toHaveBeenCalled();
	});
});
