import { describe, expect, it, vi } from "vitest";
import { TINY, tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { RolloutController } from "../../../src/elements/rollout/rollout-controller.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { ChunkedDataset, MemorySource } from "../../../src/index.js";
import { Reviewer } from "../../../src/reviewing/reviewer.js";

/** A simulated frame of a scene, `x` metres east of the recorded place. */
const at = (scene: number, x: number) => ({
	scene,
	ego: { x: Float64Array.of(x), y: Float64Array.of(0), yaw: Float64Array.of(0) },
});

async function made(objects = tinyDataset()) {
	const source = new MemorySource(objects);
	const dataset = await ChunkedDataset.open(source, { missing: "fill" });
	const seconds = new Float64Array(TINY.framesPerScene);
	const sceneInfo = { index: 0, host: "", startTime: 0n, seconds };
	const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset, sceneInfo });
	const closed: string[] = [];
	const waits: (() => void)[] = [];
	/** Whether the next worker waits before it starts. */
	let held = false;
	const start = async () => {
		const reviewer = await Reviewer.start({ worker: false });
		const close = vi.spyOn(reviewer, "close");
		close.mockImplementation(() => closed.push("closed"));
		if (held) await new Promise<void>((done) => waits.push(done));
		return reviewer;
	};
	const controller = new RolloutController(store, start);
	const hold = (on: boolean): void => {
		held = on;
	};
	return { controller, store, closed, waits, hold };
}

describe("elements/rollout/rollout-controller", () => {
	it("compares the displayed scene, and the next one", async () => {
		const { controller, store } = await made();
		await controller.give([at(0, 4), at(1, 9)], "mine");
		expect(store.state.rollout).toMatchObject({ name: "mine", scenes: [0, 1] });
		expect(store.state.rollout?.report?.displacement).toEqual(Float64Array.of(4));
		const { sceneInfo } = store.state;
		if (sceneInfo) store.patch({ sceneInfo: { ...sceneInfo, index: 1 } });
		expect(store.state.rollout?.report).toBeUndefined();
		await controller.settled();
		expect(store.state.rollout?.report?.frames).toBe(1);
	});

	it("of two given at once, has the second, and ends the first one's worker", async () => {
		const { controller, store, closed, waits, hold } = await made();
		hold(true);
		const first = controller.give([at(0, 1)], "first");
		await vi.waitFor(() => expect(waits).toHaveLength(1));
		hold(false);
		await controller.give([at(0, 2)], "second");
		expect(closed).toHaveLength(0);
		for (const go of waits) go();
		await first;
		await vi.waitFor(() => expect(closed).not.toHaveLength(0));
		expect(store.state.rollout?.name).toBe("second");
		expect(store.state.rollout?.report?.displacement).toEqual(Float64Array.of(2));
	});

	it("reports an invalid file, and closes its worker", async () => {
		const { controller, store, closed } = await made();
		await controller.give('{"format":"bevscope-rollout","version":1}', "bad.json");
		expect(store.state.rollout?.problem).toContain("scenes: missing");
		expect(store.state.rollout?.report).toBeUndefined();
		expect(closed).toHaveLength(1);
	});

	it("shows a rollout that grows, until it is closed or replaced", async () => {
		const { controller, store, closed } = await made();
		const show = controller.growing("mine");
		expect(await show([at(0, 4)])).toBe(true);
		const { report } = store.state.rollout ?? {};
		expect(report?.frames).toBe(1);
		const reports: (number | undefined)[] = [];
		store.subscribe(({ rollout }) => reports.push(rollout?.report?.frames));
		const two = Float64Array.of(4, 6);
		const still = Float64Array.of(0, 0);
		expect(await show([{ scene: 0, ego: { x: two, y: still, yaw: still } }])).toBe(
			true,
		);
		expect(store.state.rollout?.report?.displacement).toEqual(Float64Array.of(4, 5));
		expect(reports).not.toContain(undefined);
		expect(closed).toHaveLength(0);
		const file = JSON.parse((await (await controller.file())?.text()) ?? "");
		expect(file).toMatchObject({ name: "mine", scenes: [{ scene: 0 }] });
		expect(file.scenes[0].ego.x).toEqual([4, 6]);
		const other = controller.growing("other");
		expect(await other([at(0, 1)])).toBe(true);
		expect(await show([at(0, 4)])).toBe(false);
		expect(store.state.rollout?.name).toBe("other");
		controller.clear();
		expect(await other([at(0, 1)])).toBe(false);
		expect(await controller.file()).toBeUndefined();
	});

	it("has one file of all scenes of arrays", async () => {
		const { controller, store } = await made();
		await controller.give([at(1, 9), at(0, 4)], "mine");
		expect(store.state.rollout).toMatchObject({ scenes: [0, 1], isFile: false });
		const file = await controller.file();
		await controller.give((await file?.text()) ?? "", "again.json");
		expect(store.state.rollout).toMatchObject({
			...{ name: "mine", scenes: [0, 1], isFile: true },
		});
		await controller.give([at(0, 4), at(0, 5)], "twice");
		expect(store.state.rollout?.problem).toBe("rollout: scene 0 occurs twice");
	});

	it("compares with no scene whose records are not stored", async () => {
		const objects = new Map(tinyDataset());
		objects.delete("agents/0");
		const { controller, store } = await made(objects);
		await controller.give([at(0, 4)], "mine");
		expect(store.state.rollout?.report).toBeUndefined();
		expect(store.state.rollout?.problem).toContain("are not stored");
	});
});
