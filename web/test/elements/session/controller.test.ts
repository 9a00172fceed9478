import { afterEach, describe, expect, it, vi } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import type { SceneTimeline } from "../../../src/dataset/timeline.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import type { Opened, Place } from "../../../src/elements/session/dataset.js";
import { type FakeOptions, fakeDataset, fakeMap } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";
import { fakeTimeline } from "../../support/fake-timeline.js";

const PLACE: Place = { kind: "address", address: "https://host/town.zarr" };

function made(options: FakeOptions = {}) {
	const ticker = new FakeTicker();
	const opened = fakeDataset({ frames: 30, agents: 12, ...options });
	const opener = vi.fn(async (): Promise<Opened> => opened);
	const controller = new ViewerController({ opener, ticker });
	return { controller, ticker, opened, opener };
}

async function open(options: FakeOptions = {}) {
	const all = made(options);
	await all.controller.open(PLACE);
	await all.controller.settled;
	return all;
}

/** Returns "waits" if `promise` is pending after all that is already due. */
async function soon(promise: Promise<void>): Promise<string> {
	const due = new Promise<string>((done) => setTimeout(() => done("waits"), 0));
	return Promise.race([promise.then(() => "settled"), due]);
}

afterEach(() => vi.restoreAllMocks());

describe("ViewerController", () => {
	it("opens the first scene at its first frame, with the map beside it", async () => {
		const { controller } = await open({ map: fakeMap() });
		const { phase, sceneCount, sceneInfo, shown, mapState } = controller.state;
		expect(phase).toBe("ready");
		expect(sceneCount).toBe(3);
		expect(sceneInfo?.host).toBe("host-a00");
		expect(sceneInfo?.seconds.length).toBe(30);
		expect(shown?.frame).toBe(0);
		expect(mapState).toBe("present");
	});

	it("opens a link whose picture is about its selection", async () => {
		const { controller } = made();
		await controller.open(PLACE, { scene: 1, selection: 2n, focused: true });
		await vi.waitFor(() => expect(controller.state.focus?.of).toBe(2n));
		expect(controller.linkState()).toMatchObject({ selection: 2n, focused: true });
		controller.goTo({ selection: 3n });
		expect(controller.linkState().focused).toBeUndefined();
		controller.goTo({ selection: 3n, focused: true });
		await vi.waitFor(() => expect(controller.state.focus?.of).toBe(3n));
		controller.goTo({ focused: undefined });
		expect(controller.state.focus).toBeUndefined();
	});

	it("searches the map after the first frame", async () => {
		let answer = (): void => {};
		const waiting = new Promise<void>((resolve) => {
			answer = resolve;
		});
		const { controller, opened } = made({ beforeFrame: () => waiting });
		const findMap = vi.spyOn(opened, "findMap").mockResolvedValue(fakeMap());
		await controller.open(PLACE);
		await vi.waitFor(() => expect(controller.state.sceneInfo).toBeDefined());
		expect(findMap).not.toHaveBeenCalled();
		expect(controller.state.mapState).toBe("unknown");
		answer();
		await controller.settled;
		expect(findMap).toHaveBeenCalledOnce();
		expect(controller.state.mapState).toBe("present");
	});

	it("searches the map even if the first frame cannot be read", async () => {
		const { controller } = made({
			beforeFrame: async () => {
				throw new BevError("corrupt_chunk", "agents/0: damaged");
			},
			map: fakeMap(),
		});
		await controller.open(PLACE);
		await vi.waitFor(() => expect(controller.state.mapState).toBe("present"));
	});

	it("starts at a link's position, limited to existing frames", async () => {
		const { controller } = made();
		const link = { scene: 1, frame: 999, selection: 3n, threshold: 0.2 } as const;
		await controller.open(PLACE, link);
		await controller.settled;
		expect(controller.state).toMatchObject({ scene: 1, frame: 29, selection: 3n });
		expect(controller.linkState()).toMatchObject({
			scene: 1,
			frame: 29,
			threshold: 0.2,
		});
		await controller.open(PLACE, { scene: 7 });
		expect(controller.state.scene).toBe(2);
		expect(controller.state.notices).toEqual([
			"Scene 7 is out of range; opened the last one, 2",
		]);
	});

	it("says why opening failed, and retries", async () => {
		const { controller, opener, opened } = made();
		opener.mockRejectedValueOnce(new BevError("network", "HTTP 404", { status: 404 }));
		await controller.open(PLACE);
		expect(controller.state.problem?.why).toBe("HTTP 404");
		await expect(controller.settled).rejects.toThrow("HTTP 404");
		opener.mockResolvedValueOnce(opened);
		await controller.retry();
		await controller.settled;
		expect(controller.state.phase).toBe("ready");
	});

	it("aborts a cancelled opening without a trace", async () => {
		const { controller, opener } = made();
		let given: AbortSignal | undefined;
		opener.mockImplementationOnce(((_: Place, { signal }: { signal: AbortSignal }) => {
			given = signal;
			return new Promise((_, reject) =>
				signal.addEventListener("abort", () => reject(signal.reason)),
			);
		}) as never);
		const opening = controller.open(PLACE);
		controller.close();
		await opening;
		expect(given?.aborted).toBe(true);
		expect(controller.state).toMatchObject({ phase: "empty", problem: undefined });
	});

	it("shows the nearest frame immediately while seeking, then the exact one", async () => {
		let hold = false;
		const waits: (() => void)[] = [];
		const { controller } = await open({
			frames: 600,
			beforeFrame: async () => {
				if (hold) await new Promise<void>((resolve) => waits.push(resolve));
			},
		});
		hold = true;
		controller.seek(590);
		const before = controller.state.shown?.frame ?? 0;
		expect(controller.state.frame).toBe(590);
		expect(before).toBeLessThan(590);
		hold = false;
		for (const go of waits) go();
		await controller.settled;
		expect(controller.state.shown?.frame).toBe(590);
	});

	it("plays through the scene and stops at its end", async () => {
		const { controller, ticker } = await open();
		await vi.waitFor(() =>
			expect(controller.state.buffered).toEqual([{ begin: 0, end: 30 }]),
		);
		controller.play();
		for (let k = 0; k < 50; k += 1) ticker.tick(100);
		expect(controller.state).toMatchObject({ playing: false, frame: 29 });
		expect(controller.state.shown?.frame).toBe(29);
		expect(controller.state.announcement).toContain("frame 29 of 0 to 29");
		controller.play();
		expect(controller.state).toMatchObject({ playing: true, frame: 0 });
	});

	it("announces the position on pause and step, not while playing", async () => {
		const { controller } = await open();
		controller.step(1);
		await controller.settled;
		controller.step(1);
		controller.step(-1);
		expect(controller.state.announcement).toMatch(
			/^frame 1 of 0 to 29, 0.1 s: \d+ vehicles/,
		);
		controller.play();
		expect(controller.state.announcement).toBe("");
	});

	it("distinguishes unreadable frames from readable ones", async () => {
		let broken = true;
		const { controller } = await open({
			beforeFrame: async (frame) => {
				if (frame === 5 && broken)
					throw new BevError("corrupt_chunk", "agents/1: cut short");
			},
		});
		controller.seek(5);
		await vi.waitFor(() => expect(controller.state.frameProblem).toBeDefined());
		expect(controller.state.frameProblem?.why).toBe("agents/1: cut short");
		await expect(controller.settled).rejects.toThrow("cut short");
		broken = false;
		controller.retryUnread();
		await controller.settled;
		expect(controller.state.frameProblem).toBeUndefined();
	});

	it("reads frames again when the threshold changes", async () => {
		const { controller } = await open();
		const kept = () =>
			controller.state.shown?.agents.kept.filter((k) => k === 1).length;
		expect(kept()).toBe(10);
		controller.setThreshold(0.1);
		expect(kept()).toBe(10);
		await controller.settled;
		expect(kept()).toBe(12);
	});

	it("requests futures only while their layer is on", async () => {
		const { controller } = await open();
		expect(controller.state.shown?.futures.points.length).toBe(2 * 12);
		controller.toggleLayer("future");
		await controller.settled;
		expect(controller.state.shown?.futures.points.length).toBeGreaterThan(24);
	});

	it("clears the state of the previous scene", async () => {
		const { controller } = await open();
		controller.select(4n);
		controller.setScene(2);
		await vi.waitFor(() => expect(controller.state.shown?.scene).toBe(2));
		expect(controller.state).toMatchObject({
			scene: 2,
			frame: 0,
			selection: undefined,
		});
		controller.setScene(3);
		expect(controller.state.scene).toBe(2);
	});

	it("settles when every view has drawn", async () => {
		const { controller } = made();
		const picture = {};
		const nothing = {
			...{ shown: undefined, map: undefined, laneColours: undefined },
			timeline: undefined,
		};
		controller.painted(picture, nothing);
		await controller.open(PLACE);
		let settled = false;
		const waiting = controller.settled.then(() => {
			settled = true;
		});
		await vi.waitFor(() => expect(controller.state.timeline).toBeDefined());
		const { shown, map, laneColours, review } = controller.state;
		const drawn = { shown, map, laneColours, predictions: review.drawn };
		controller.painted(picture, { ...drawn, timeline: undefined });
		await Promise.resolve();
		expect(settled).toBe(false);
		controller.painted(picture, { ...drawn, timeline: controller.state.timeline });
		await waiting;
	});

	it("settles when the timeline, which has the brake lights, is read or fails", async () => {
		const { controller, opened } = made();
		const asked: { done(it: SceneTimeline): void; failed(why: BevError): void }[] = [];
		const timeline = () =>
			new Promise<SceneTimeline>((done, failed) => asked.push({ done, failed }));
		Object.assign(opened.dataset, { timeline });
		await controller.open(PLACE);
		await vi.waitFor(() => expect(asked).toHaveLength(1));
		expect(await soon(controller.settled)).toBe("waits");
		await controller.displayed;
		asked[0]?.done(fakeTimeline(0, 30, undefined));
		await controller.settled;
		controller.select(4n);
		await vi.waitFor(() => expect(asked).toHaveLength(2));
		expect(await soon(controller.settled)).toBe("waits");
		// Then what is readable is asked for: without the agents, the lights, and both.
		for (const at of [1, 2, 3, 4]) {
			await vi.waitFor(() => expect(asked).toHaveLength(at + 1));
			asked[at]?.failed(new BevError("network", "HTTP 500"));
		}
		await controller.settled;
		expect(controller.state.timelineFailed).toBe(true);
	});

	it("colours lanes by the displayed frame's lights", async () => {
		const { controller } = await open({ frames: 60, map: fakeMap() });
		expect([...(controller.state.laneColours ?? [])]).toEqual([1, 1, 0, 0]);
		controller.seek(50);
		await controller.settled;
		expect([...(controller.state.laneColours ?? [])]).toEqual([3, 3, 1, 1]);
	});

	it("loads the map of each scene if scenes have their own, or a chosen one", async () => {
		const { controller, opened } = made();
		const maps = [0, 1, 2].map(() => ({ ...fakeMap(), release: vi.fn<() => void>() }));
		const asked: unknown[] = [];
		const findMap = async (_: unknown, scene = 0) => {
			asked.push(scene);
			return maps[scene];
		};
		Object.assign(opened, { mapsByScene: true, findMap });
		await controller.open(PLACE);
		await controller.settled;
		expect(controller.state.map).toBe(maps[0]);
		controller.setScene(2);
		expect(controller.state.map).toBeUndefined();
		controller.setScene(1);
		await controller.settled;
		expect(controller.state.map).toBe(maps[1]);
		expect(maps[0]?.release).toHaveBeenCalled();
		expect(maps[1]?.release).not.toHaveBeenCalled();
		controller.store.patch({ mapAddress: "/chosen.pb" });
		controller.setScene(0);
		await controller.settled;
		expect(controller.state.map).toBe(maps[1]);
		expect(asked.at(-1)).toBe(1);
	});

	it("continues without an unreadable map, with a notice", async () => {
		const { controller, opened } = made();
		opened.findMap = async () => {
			throw new BevError("corrupt_chunk", "semantic_map.pb: byte 7");
		};
		await controller.open(PLACE);
		await controller.settled;
		expect(controller.state.mapState).toBe("failed");
		expect(controller.state.notices[0]).toContain("semantic_map.pb: byte 7");
	});
});

describe("ViewerController, controlled by a page", () => {
	it("starts at the last position set while opening", async () => {
		const { controller, opened, opener } = made();
		let answer = (_: Opened): void => {};
		const held = () => new Promise<Opened>((resolve) => (answer = resolve));
		expect(controller.amendStart({ scene: 1 })).toBe(false);
		opener.mockImplementationOnce(held);
		const first = controller.open(PLACE, { scene: 2, frame: 7 });
		expect(controller.amendStart({ frame: 9, threshold: 0.25 })).toBe(true);
		answer(opened);
		await first;
		await controller.settled;
		expect(controller.state).toMatchObject({ scene: 2, frame: 9, threshold: 0.25 });
		expect(controller.amendStart({ scene: 0 })).toBe(false);
		// Opens a second one beside the open one.
		opener.mockImplementationOnce(held);
		const second = controller.open(PLACE, { frame: 3 });
		expect(controller.amendStart({ scene: 1 })).toBe(true);
		expect(controller.state).toMatchObject({ scene: 2, frame: 9 });
		answer(fakeDataset({ frames: 30 }));
		await second;
		await controller.settled;
		expect(controller.state).toMatchObject({ scene: 1, frame: 3 });
	});

	it("accepts a frame of a scene of unknown length", async () => {
		const { controller } = await open();
		controller.setScene(1);
		expect(controller.state.sceneInfo).toBeUndefined();
		controller.goTo({ scene: 1, frame: 12 });
		await controller.settled;
		expect(controller.state.shown).toMatchObject({ scene: 1, frame: 12 });
		controller.setScene(2);
		controller.seek(999);
		await controller.settled;
		expect(controller.state.shown).toMatchObject({ scene: 2, frame: 29 });
		controller.seek(Number.NaN);
		expect(controller.state.frame).toBe(29);
	});

	it("reads frames again for a link's other threshold or futures", async () => {
		const asked: unknown[] = [];
		const { controller } = await open({
			beforeFrame: async (_, { threshold, future }) => {
				asked.push([threshold, future]);
			},
		});
		controller.goTo({ threshold: 0.25 });
		await controller.settled;
		expect(asked.at(-1)).toEqual([0.25, 0]);
		controller.goTo({ layers: new Set(["ego", "future"]) });
		await controller.settled;
		expect(asked.at(-1)).toEqual([0.25, 50]);
		const reads = asked.length;
		controller.goTo({ layers: new Set(["future"]), threshold: 0.25 });
		expect(asked.length).toBe(reads);
	});

	it("opens the last scene for one out of range, with a notice", async () => {
		const { controller } = await open();
		controller.goTo({ scene: 9, frame: 4 });
		await controller.settled;
		expect(controller.state).toMatchObject({
			scene: 2,
			frame: 4,
			notices: ["Scene 9 is out of range; opened the last one, 2"],
		});
	});
});
