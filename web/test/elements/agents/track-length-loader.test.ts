import { describe, expect, it, vi } from "vitest";
import type { SelectScene } from "../../../src/elements/agents/agents-state.js";
import { TrackLengthLoader } from "../../../src/elements/agents/track-length-loader.js";
import {
	EMPTY_STATE,
	type SceneInfo,
	type ViewerState,
} from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import type { SelectedScene } from "../../../src/samples/selection.js";

const info = (index: number): SceneInfo => ({
	index,
	host: "",
	startTime: 0n,
	seconds: Float64Array.of(0, 0.1),
});

function selected(scene: number): SelectedScene {
	const mask = Uint32Array.of(scene, 0, 5, 5);
	const report = {} as SelectedScene["report"];
	return { scene, scenes: 9, agents: 99, first: 0, mask, report };
}

/** A store with a loader whose reads are answered by the test. */
function made() {
	const store = new Store<ViewerState>({ ...EMPTY_STATE, sceneInfo: info(1) });
	const answers: ((value: SelectedScene | Error) => void)[] = [];
	const select = vi.fn<SelectScene>(
		() =>
			new Promise((resolve, reject) => {
				answers.push((value) =>
					value instanceof Error ? reject(value) : resolve(value),
				);
			}),
	);
	const loader = new TrackLengthLoader(store, select);
	const settle = () => new Promise((resolve) => setTimeout(resolve));
	return { store, loader, select, answers, settle };
}

describe("TrackLengthLoader", () => {
	it("reads nothing until a minimum is set, then the scene by both thresholds", async () => {
		const { store, select, answers, settle } = made();
		expect(select).not.toHaveBeenCalled();
		store.patch({ minFuture: 10, threshold: 0.8, distance: 50 });
		expect(select.mock.calls.map(([scene, rules]) => [scene, rules])).toEqual([
			[1, { labelThreshold: 0.8, maxDistanceToEgo: 50 }],
		]);
		expect(store.state).toMatchObject({
			trackLengthsDue: true,
			trackLengths: undefined,
		});
		answers[0]?.(selected(1));
		await settle();
		expect(store.state).toMatchObject({
			trackLengthsDue: false,
			trackLengths: { scene: 1 },
		});
		// Another minimum uses the same counts.
		store.patch({ minFuture: 20, minHistory: 3 });
		expect(select).toHaveBeenCalledTimes(1);
		store.patch({ minFuture: 0, minHistory: 0 });
		expect(store.state).toMatchObject({
			trackLengthsDue: false,
			trackLengths: undefined,
		});
	});

	it.each([
		[0, 1],
		[1, 0],
	])(
		"shows the newest of two scenes, answered in the order %i, %i",
		async (...order) => {
			const { store, select, answers, settle } = made();
			store.patch({ minHistory: 1 });
			store.patch({ sceneInfo: info(2) });
			expect(select.mock.calls[0]?.[2].signal?.aborted).toBe(true);
			for (const k of order) {
				answers[k]?.(selected(k + 1));
				await settle();
			}
			expect(store.state.trackLengths?.scene).toBe(2);
			expect(store.state.trackLengthsDue).toBe(false);
		},
	);

	it("never leaves one scene's counts under another's number", async () => {
		const { store, answers, settle } = made();
		store.patch({ minHistory: 1 });
		answers[0]?.(selected(1));
		await settle();
		store.patch({ sceneInfo: undefined });
		expect(store.state.trackLengths).toBeUndefined();
		store.patch({ sceneInfo: info(2) });
		expect(store.state).toMatchObject({
			trackLengths: undefined,
			trackLengthsDue: true,
		});
	});

	it("says why counts cannot be read, and reads them at a retry", async () => {
		const { store, loader, select, answers, settle } = made();
		store.patch({ minHistory: 1 });
		answers[0]?.(new Error("agents/3: cut short"));
		await settle();
		expect(store.state.trackLengthsDue).toBe(false);
		expect(store.state.notices).toEqual([
			"Track lengths: read failed, minimum history and future are not applied: agents/3: cut short",
		]);
		store.patch({ minHistory: 2 }); // failed before: not retried automatically
		expect(select).toHaveBeenCalledTimes(1);
		loader.retry();
		answers[1]?.(selected(1));
		await settle();
		expect(store.state.trackLengths?.scene).toBe(1);
	});

	it("ends with the data set: what comes later changes nothing", async () => {
		const { store, loader, answers, settle } = made();
		store.patch({ minHistory: 1 });
		loader.dispose();
		answers[0]?.(selected(1));
		await settle();
		expect(store.state.trackLengths).toBeUndefined();
	});
});
