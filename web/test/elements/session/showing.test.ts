import { describe, expect, it, vi } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import {
	currentFrame,
	isCurrent,
	isStale,
	waitingWords,
} from "../../../src/elements/session/showing.js";
import type { ViewerState } from "../../../src/elements/session/state.js";
import { dispatchChanges } from "../../../src/elements/viewer/viewer-events.js";
import { fakeDataset, fakeMap } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

const DAMAGED = new BevError("corrupt_chunk", "agents/1: cut short");

/** Waits for a state, independent of the machine's speed. */
const eventually = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000 });

/** A data set whose frames are returned, delayed or failed as set in `fate`. */
async function opened(frames = 600) {
	const fate = {
		waits: false,
		fails: (_frame: number): boolean => false,
		sceneFails: (_scene: number): boolean => false,
	};
	const waiting: (() => void)[] = [];
	const data = fakeDataset({
		frames,
		agents: 12,
		map: fakeMap(),
		beforeFrame: async (frame) => {
			if (fate.waits) await new Promise<void>((resolve) => waiting.push(resolve));
			if (fate.fails(frame)) throw DAMAGED;
		},
	});
	const { rows } = data.dataset.scenes;
	data.dataset.scenes.rows = async (begin, end, options) => {
		if (fate.sceneFails(begin)) throw new BevError("network", "scenes/1: offline");
		return rows(begin, end, options);
	};
	const ticker = new FakeTicker();
	const network = new EventTarget();
	const controller = new ViewerController({
		opener: async () => data,
		ticker,
		network,
	});
	const states: ViewerState[] = [];
	controller.store.subscribe((state) => states.push(state));
	await controller.open({ kind: "address", address: "https://h/x.zarr" });
	await controller.settled;
	return { controller, fate, waiting, ticker, network, states, data };
}

/**
 * Checks that no state shows a frame of another scene, or a frame together with a
 * failure.
 */
function expectTrue(states: readonly ViewerState[]): void {
	for (const state of states) {
		const { shown, scene, frameProblem, sceneInfo, timeline } = state;
		if (shown) expect(shown.scene).toBe(scene);
		if (shown) expect(frameProblem).toBeUndefined();
		if (sceneInfo) expect(sceneInfo.index).toBe(scene);
		if (timeline) expect(timeline.scene).toBe(scene);
		if (!shown) expect(state.laneColours).toBeUndefined();
	}
}

describe("the displayed frame", () => {
	it("is the requested one, or names its own number", async () => {
		const { controller, fate } = await opened();
		expect(currentFrame(controller.state)?.frame).toBe(0);
		expect(waitingWords(controller.state)).toBeUndefined();
		fate.waits = true;
		controller.seek(590);
		const { state } = controller;
		expect(currentFrame(state)).toBeUndefined();
		expect(isStale(state)).toBe(true);
		expect(waitingWords(state)).toBe(
			`Showing frame ${state.shown?.frame}, reading 590`,
		);
		expect(isCurrent(state, { scene: 0, frame: 590 })).toBe(true);
		expect(isCurrent(state, { scene: 1, frame: 590 })).toBe(false);
		expect(isCurrent(state, undefined)).toBe(false);
	});

	it("is none if the requested one cannot be read", async () => {
		const { controller, fate, states } = await opened(30);
		fate.fails = (frame) => frame >= 20;
		controller.setThreshold(0.1); // reads all frames again
		await controller.settled;
		controller.seek(22);
		await eventually(() => expect(controller.state.frameProblem).toBeDefined());
		const { state } = controller;
		expect(state.shown).toBeUndefined();
		expect(state.frameProblem).toMatchObject({ scene: 0, frame: 22 });
		expect(waitingWords(state)).toBe("Frame 22 cannot be read");
		await expect(controller.settled).rejects.toBe(DAMAGED);
		controller.seek(3);
		await controller.settled;
		expect(controller.state.shown?.frame).toBe(3);
		expectTrue(states);
	});

	it("is none if reading it again fails", async () => {
		const { controller, fate, states } = await opened(30);
		fate.fails = () => true;
		controller.setThreshold(0.1);
		await eventually(() => expect(controller.state.frameProblem).toBeDefined());
		expect(controller.state.shown).toBeUndefined();
		expectTrue(states);
	});

	it("is never of the previous scene after a scene change", async () => {
		const { controller, fate, states, network } = await opened(30);
		await eventually(() => expect(controller.state.timeline).toBeDefined());
		fate.sceneFails = (scene) => scene === 2;
		controller.setScene(2, 7);
		expect(controller.state).toMatchObject({
			scene: 2,
			shown: undefined,
			sceneInfo: undefined,
			timeline: undefined,
			laneColours: undefined,
		});
		expect(controller.heldFrames.size).toBe(0);
		await eventually(() => expect(controller.state.frameProblem).toBeDefined());
		expect(controller.state.frameProblem).toMatchObject({ scene: 2, frame: undefined });
		expect(waitingWords(controller.state)).toBe("Scene 2 cannot be read");
		expect(controller.state).toMatchObject({ shown: undefined, sceneInfo: undefined });
		// When online again, the scene is requested again at the requested frame.
		fate.sceneFails = () => false;
		network.dispatchEvent(new Event("online"));
		await controller.settled;
		expect(controller.state.shown).toMatchObject({ scene: 2, frame: 7 });
		expectTrue(states);
	});

	it.each([
		["the scene asked for last answers last", [1, 2]],
		["the scene asked for last answers first", [2, 1]],
	] as const)("is of the last requested scene: %s", async (_, order) => {
		const { controller, data, states } = await opened(30);
		const { rows } = data.dataset.scenes;
		const gates = new Map<number, () => void>();
		data.dataset.scenes.rows = async (begin, end, options) => {
			await new Promise<void>((resolve) => gates.set(begin, resolve));
			return rows(begin, end, { ...options, signal: undefined });
		};
		controller.setScene(1, 3);
		controller.setScene(2, 4);
		for (const scene of order) gates.get(scene)?.();
		await controller.settled;
		expect(controller.state.shown).toMatchObject({ scene: 2, frame: 4 });
		expect(controller.state.sceneInfo?.index).toBe(2);
		expectTrue(states);
	});

	it("is reported once, only if it is the requested one", async () => {
		const { controller, waiting, fate } = await opened();
		const target = new EventTarget();
		const told: unknown[] = [];
		target.addEventListener("frame-change", (event) =>
			told.push((event as CustomEvent).detail),
		);
		const stop = dispatchChanges(controller, target);
		fate.waits = true;
		controller.seek(590);
		expect(controller.state.shown).toBeDefined();
		expect(told).toEqual([]);
		fate.waits = false;
		for (const go of waiting) go();
		await controller.settled;
		controller.setThreshold(0.1); // the same frame, read again
		await controller.settled;
		expect(told).toEqual([{ scene: 0, frame: 590 }]);
		stop();
	});
});

describe("unreadable frames", () => {
	it("are requested once for any number of seeks, and marked", async () => {
		const { controller, fate, data } = await opened(30);
		fate.fails = (frame) => frame >= 10 && frame < 15;
		controller.setThreshold(0.1);
		await eventually(() =>
			expect(controller.state.unreadable).toEqual([{ begin: 10, end: 15 }]),
		);
		await eventually(() => expect(controller.state.buffered.at(-1)?.end).toBe(30));
		const before = data.reads.length;
		for (const frame of [9, 10, 11, 12, 13, 14, 15, 12, 10]) controller.seek(frame);
		expect(controller.state.frameProblem).toMatchObject({ frame: 10 });
		expect(data.reads.length).toBe(before);
	});

	it("are requested again by Try again and when online", async () => {
		const { controller, fate, network } = await opened(30);
		fate.fails = (frame) => frame === 12;
		controller.setThreshold(0.1);
		controller.seek(12);
		await eventually(() => expect(controller.state.frameProblem).toBeDefined());
		controller.retryUnread();
		expect(controller.state.frameProblem).toBeUndefined();
		await eventually(() => expect(controller.state.frameProblem).toBeDefined());
		fate.fails = () => false;
		network.dispatchEvent(new Event("online"));
		await controller.settled;
		expect(controller.state).toMatchObject({ frame: 12, unreadable: [] });
		expect(controller.state.shown?.frame).toBe(12);
	});

	it("stop playback with a notice; playing again skips them", async () => {
		const { controller, fate, ticker, states } = await opened(30);
		fate.fails = (frame) => frame >= 10 && frame < 15;
		controller.setThreshold(0.1);
		await eventually(() => expect(controller.state.buffered.at(-1)?.end).toBe(30));
		await eventually(() => expect(controller.state.unreadable).toHaveLength(1));
		controller.play();
		for (let k = 0; k < 20; k += 1) ticker.tick(100);
		expect(controller.state).toMatchObject({
			playing: false,
			stalled: false,
			frame: 10,
		});
		expect(controller.state.frameProblem).toMatchObject({ frame: 10 });
		expect(controller.state.announcement).toContain("cannot be read");
		controller.play();
		expect(controller.state).toMatchObject({ playing: true, frame: 15 });
		expect(controller.state.notices).toEqual(["Frames 10 to 14 skipped: read failed"]);
		for (let k = 0; k < 30; k += 1) ticker.tick(100);
		expect(controller.state).toMatchObject({ playing: false, frame: 29 });
		expectTrue(states);
	});

	it("stop playback that waits for them", async () => {
		const { controller, fate, ticker, waiting } = await opened(400);
		await eventually(() => expect(controller.state.buffered[0]?.end).toBe(320));
		fate.waits = true;
		fate.fails = () => true;
		controller.seek(319);
		controller.play();
		for (let k = 0; k < 3; k += 1) ticker.tick(100);
		expect(controller.state).toMatchObject({ playing: true, stalled: true });
		for (const go of waiting) go();
		await eventually(() => {
			ticker.tick(100);
			expect(controller.state.playing).toBe(false);
		});
		expect(controller.state).toMatchObject({ frame: 320, stalled: false });
		expect(controller.state.frameProblem).toMatchObject({ frame: 320 });
	});

	it("stop a loop that starts with them", async () => {
		const { controller, fate, ticker } = await opened(30);
		fate.fails = (frame) => frame === 4;
		controller.setThreshold(0.1);
		controller.setSection({ begin: 4, end: 9 });
		await eventually(() => expect(controller.state.buffered.at(-1)?.end).toBe(30));
		controller.seek(6);
		controller.play();
		for (let k = 0; k < 9; k += 1) ticker.tick(100);
		expect(controller.state).toMatchObject({ playing: false, frame: 4 });
		expect(controller.state.frameProblem).toMatchObject({ frame: 4 });
	});
});
