import { afterEach, describe, expect, it, vi } from "vitest";
import { tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { BevError } from "../../../src/base/errors.js";
import type { PatchEdit } from "../../../src/dataset/patch.js";
import { textOf } from "../../../src/elements/edits/edit-list.js";
import { EditedDataset } from "../../../src/elements/edits/edited-dataset.js";
import { editorOf, openPatch, setPatch } from "../../../src/elements/edits/edits.js";
import { LatestMeasures } from "../../../src/elements/edits/scene-measures.js";
import { openedOf } from "../../../src/elements/open/opened.js";
import { recordedScene } from "../../../src/elements/rollout/recorded.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { Undo } from "../../../src/elements/session/undo.js";
import { ChunkedDataset, MemorySource } from "../../../src/index.js";
import { clientOf } from "../../../src/worker/client.js";
import { LocalClient } from "../../../src/worker/local-client.js";
import { makesObject } from "../../../src/worker/remote-object.js";
import { fakeDataset } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

const NORTH: PatchEdit = { op: "move", scene: 0, track: 2, by: [0, 7] };
const REMOVE: PatchEdit = { op: "remove", scene: 0, track: 1 };

async function open(edits?: string) {
	const source = new MemorySource(tinyDataset());
	const dataset = await ChunkedDataset.open(source, { load: { worker: false } });
	const opened = openedOf({ dataset, folders: () => [], mapKeys: [] });
	const controller = new ViewerController({
		opener: async (place) => (place.kind === "given" ? place.opened : opened),
		ticker: new FakeTicker(),
	});
	const editor = editorOf(controller);
	await controller.open({ kind: "address", address: "https://host/a.zarr" }, { edits });
	await settled();
	async function settled(): Promise<void> {
		await editor.settled();
		await controller.settled;
	}
	/** Numbers of the displayed tracks, and the y of the second one. */
	const shown = () => {
		const { agents } = controller.state.shown ?? {};
		const i = agents?.track_id.indexOf(2n) ?? -1;
		return { tracks: [...(agents?.track_id ?? [])], y: agents?.centroid[2 * i + 1] };
	};
	return { controller, editor, dataset, settled, shown };
}

/** On a busy machine, reads take longer than the default of one second. */
const waitFor = (check: () => void): Promise<void> => vi.waitFor(check, 30_000);

afterEach(() => vi.restoreAllMocks());

describe("edits/edits-controller", () => {
	it("edits take the place of the recorded scene, and leave it", async () => {
		const { controller, editor, settled, shown, dataset } = await open();
		const before = shown();
		editor.add(NORTH);
		editor.add(REMOVE);
		await settled();
		expect(shown().tracks).toEqual([2n, 3n]);
		expect(shown().y).toBe((before.y ?? 0) + 7);
		const { state } = controller;
		expect(state.dataset).not.toBe(dataset);
		expect(state.dataset?.scenes).toBe(dataset.scenes);
		expect(state.editing).toMatchObject({ list: [NORTH, REMOVE], busy: false });
		editor.remove(1);
		await settled();
		expect(shown().tracks).toEqual([1n, 2n, 3n]);
		editor.set([]);
		await settled();
		expect(shown()).toEqual(before);
		expect(controller.state.dataset).toBe(dataset);
		controller.close();
	});

	it("a link has them, others are cleared with the data set", async () => {
		const { controller, settled, shown } = await open(textOf([REMOVE]));
		expect(shown().tracks).toEqual([2n, 3n]);
		expect(controller.linkState().edits).toBe(textOf([REMOVE]));
		const other = fakeDataset({ frames: 3, agents: 4 });
		await controller.open({ kind: "given", name: "other", opened: other });
		await settled();
		expect(controller.state.edits).toBe("");
		expect(controller.state.editing?.list).toEqual([]);
		await expect(setPatch(controller, JSON.stringify({}))).rejects.toThrow("unknown");
		const edit = { format: "bevscope-patch", version: 1, edits: [NORTH] } as const;
		await expect(setPatch(controller, edit)).rejects.toThrow("cannot be edited");
		expect(controller.state.edits).toBe("");
	});

	it("are undone and redone", async () => {
		const { controller, editor, settled, shown } = await open();
		const undo = new Undo(controller);
		const rest = () => new Promise((resolve) => setTimeout(resolve, 0));
		editor.add(NORTH);
		await settled();
		await rest();
		editor.add(REMOVE);
		await settled();
		await rest();
		expect(undo.undo()).toBe("edits");
		await settled();
		expect(shown().tracks).toEqual([1n, 2n, 3n]);
		expect(undo.undo()).toBe("edits");
		await settled();
		expect(controller.state.edits).toBe("");
		expect(undo.undoes).toBeUndefined();
		undo.redo();
		undo.redo();
		await settled();
		expect(shown().tracks).toEqual([2n, 3n]);
	});

	it("of many at once, the last counts; they come one after another", async () => {
		const { controller, editor, settled, shown } = await open();
		const { dataset } = controller.state;
		const patched = vi.spyOn(dataset as ChunkedDataset, "patched");
		const before = shown().y ?? 0;
		for (let k = 1; k <= 50; k += 1) {
			editor.set([{ ...NORTH, by: [0, k] } as PatchEdit]);
			if (k % 10 === 0) await Promise.resolve();
		}
		await settled();
		expect(shown().y).toBe(before + 50);
		expect(patched.mock.calls.length).toBeLessThan(5);
	});

	it("edits with a fault give way to the last good ones", async () => {
		const { controller, editor, settled, shown } = await open();
		editor.add(REMOVE);
		await settled();
		editor.add({ op: "stop", scene: 0, track: 77 });
		await settled();
		const { editing, edits, notices } = controller.state;
		expect(edits).toBe(textOf([REMOVE]));
		expect(editing?.problem).toMatch(/^patch: edits\[1\]: scene 0: track 77 not found/);
		expect(editing?.canRetry).toBe(false);
		expect(notices.join()).toContain("What if: patch: edits[1]");
		expect(shown().tracks).toEqual([2n, 3n]);
		editor.set([NORTH]);
		await settled();
		expect(controller.state.editing?.problem).toBeUndefined();
		controller.adjust({ edits: "%%" });
		await settled();
		expect(controller.state.edits).toBe(textOf([NORTH]));
		controller.adjust({ edits: "long:40-abc" });
		await settled();
		expect(controller.state.notices.join()).toContain("the link lacks its edits");
	});

	it("are applied again on request after a failure", async () => {
		const { controller, editor, settled, shown, dataset } = await open();
		const failed = new BevError("network", "agents/0: no connection");
		vi.spyOn(dataset, "patched").mockRejectedValueOnce(failed);
		editor.add(REMOVE);
		await settled();
		expect(controller.state.editing).toMatchObject({ canRetry: true, list: [REMOVE] });
		expect(shown().tracks).toEqual([1n, 2n, 3n]);
		editor.retry();
		await settled();
		expect(shown().tracks).toEqual([2n, 3n]);
		expect(controller.state.editing?.canRetry).toBe(false);
	});

	it("are made again after a failure of the module, which frees them", async () => {
		const made: number[] = [];
		const ask = LocalClient.prototype.ask;
		vi.spyOn(LocalClient.prototype, "ask").mockImplementation(function (
			this: LocalClient,
			query,
			options,
		) {
			if (query.kind === "keep" && query.name === "patched_engine") made.push(query.id);
			return ask.call(this, query, options);
		});
		const { controller, editor, settled, shown, dataset } = await open();
		editor.add(REMOVE);
		await settled();
		const client = await clientOf(dataset).forReaders();
		for (const id of made) await client.ask({ kind: "free", id });
		controller.setThreshold(0.4); // all frames are read again
		await waitFor(() => expect(made).toHaveLength(2));
		await settled();
		expect(shown().tracks).toEqual([2n, 3n]);
		expect(controller.state.editing).toMatchObject({ list: [REMOVE], canRetry: false });
	});

	it("are made again when their worker has lost them, but not for ever", async () => {
		const { controller, editor, settled, shown, dataset } = await open();
		editor.add(REMOVE);
		await settled();
		const lost = new BevError(
			"internal",
			"data set: edited scenes lost in a failure; call patched() again",
		);
		const frame = ChunkedDataset.prototype.frame;
		let losses = 1;
		vi.spyOn(ChunkedDataset.prototype, "frame").mockImplementation(async function (
			this: ChunkedDataset,
			...given
		) {
			if (this !== dataset && losses > 0) {
				losses -= 1;
				throw lost;
			}
			return frame.apply(this, given);
		});
		const patched = vi.spyOn(dataset, "patched");
		controller.seek(4);
		await waitFor(() => expect(patched).toHaveBeenCalledOnce());
		await settled();
		expect(shown().tracks).toEqual([2n, 3n]);
		losses = 1e9;
		editor.set([REMOVE, NORTH]);
		await editor.settled();
		await waitFor(() => expect(controller.state.editing?.canRetry).toBe(true));
		await waitFor(() => expect(controller.state.frameProblem).toBeDefined());
		expect(patched.mock.calls.length).toBeLessThan(6);
		losses = 0;
		editor.retry();
		await settled();
		expect(shown().tracks).toEqual([2n, 3n]);
	});

	it("keep nothing of earlier ones in the worker", async () => {
		const kept = new Set<number>();
		const ask = LocalClient.prototype.ask;
		vi.spyOn(LocalClient.prototype, "ask").mockImplementation(function (
			this: LocalClient,
			query,
			options,
		) {
			if (query.kind === "free") kept.delete(query.id);
			else if (makesObject(query)) kept.add(query.id);
			return ask.call(this, query, options);
		});
		const { controller, editor, settled } = await open();
		for (let k = 1; k <= 20; k += 1) {
			editor.add({ ...NORTH, by: [k, 1] } as PatchEdit);
			await settled();
		}
		expect(kept.size).toBe(1);
		editor.set([]);
		await settled();
		await waitFor(() => expect(kept.size).toBe(0));
		controller.close();
	});

	it("the recording is shown on request", async () => {
		const { controller, editor, settled, shown } = await open(textOf([REMOVE]));
		editor.showRecorded(true);
		await settled();
		expect(shown().tracks).toEqual([1n, 2n, 3n]);
		expect(controller.state.edits).toBe(textOf([REMOVE]));
		editor.showRecorded(false);
		await settled();
		expect(shown().tracks).toEqual([2n, 3n]);
	});

	it("rows of an edited scene are the edited ones", async () => {
		const { controller, dataset } = await open(textOf([REMOVE, NORTH]));
		const { signal } = new AbortController();
		const edited = controller.state.dataset;
		if (!edited) throw new Error("no data set");
		const read = async (of: typeof edited, scene: number) =>
			recordedScene(of, scene, signal, { of: "test", fields: ["yaw", "extent"] });
		const before = await read(dataset, 0);
		const after = await read(edited, 0);
		expect(before.recorded.track_ids?.slice(0, 3)).toEqual(
			BigUint64Array.of(1n, 2n, 3n),
		);
		expect(after.recorded.track_ids?.slice(0, 3)).toEqual(
			BigUint64Array.of(2n, 3n, 2n),
		);
		expect(after.recorded.timestamps).toEqual(before.recorded.timestamps);
		expect(after.recorded.ego_translation).toEqual(before.recorded.ego_translation);
		expect(after.recorded.ego_rotation).toEqual(before.recorded.ego_rotation);
		const north = (before.recorded.centroids?.[3] ?? 0) + 7;
		expect(after.recorded.centroids?.[1]).toBe(north);
		expect(after.agents.length).toBe(12);
		const other = await read(edited, 1);
		expect(other.recorded).toEqual((await read(dataset, 1)).recorded);
		const some = await edited.frames.rows(2, 4, { fields: ["agent_index_interval"] });
		const [begin, end] = Array.from(some.column("agent_index_interval").data);
		expect(Number(end) - Number(begin)).toBe(2);
		const rows = await edited.agents.rows(Number(begin), Number(end));
		expect(Array.from(rows.column("track_id").data)).toEqual([2n, 3n]);
		expect(rows.names).toContain("label_probabilities");
		const times = await edited.frames.rows(0, 2, { fields: ["timestamp"] });
		expect(times.length).toBe(2);
		await expect(edited.frames.rows(0, 2)).resolves.toMatchObject({ length: 2 });
	});

	it("measures are those of the recorded and of the edited scene", async () => {
		const beside: PatchEdit = { op: "move", scene: 0, track: 1, by: [0, -10] };
		const { controller } = await open(textOf([beside]));
		const { dataset } = controller.state;
		if (!(dataset instanceof EditedDataset)) throw new Error("not edited");
		const { recorded, edited } = await dataset.measures(0, {});
		expect(recorded.closest).toBeGreaterThan(5);
		expect(edited.closest).toBeLessThan(recorded.closest);
		expect(edited.brake).toBe(recorded.brake);
		expect(dataset.has(0)).toBe(true);
		expect(dataset.has(1)).toBe(false);
		const changed = vi.fn();
		const latest = new LatestMeasures(changed);
		latest.update(dataset, 1);
		latest.update(dataset, 0);
		latest.update(dataset, 0);
		await waitFor(() => expect(changed).toHaveBeenCalledOnce());
		expect(latest.found).toEqual({ recorded, edited });
		latest.update(undefined, 0);
		expect(latest.found).toBeUndefined();
	});

	it("a file is opened, a wrong one refused", async () => {
		const { controller, shown } = await open();
		const file = (text: string) => new File([text], "a.json");
		const patch = { format: "bevscope-patch", version: 1, edits: [REMOVE] };
		expect(await openPatch(controller, file(JSON.stringify(patch)))).toBe(1);
		await controller.settled;
		expect(shown().tracks).toEqual([2n, 3n]);
		await expect(openPatch(controller, file("[]"))).rejects.toThrow("unknown document");
		const absent = { ...patch, edits: [{ ...REMOVE, scene: 99 }] };
		await expect(openPatch(controller, file(JSON.stringify(absent)))).rejects.toThrow(
			"scene 99",
		);
		await expect(openPatch(controller, file(" ".repeat(2 ** 20 + 1)))).rejects.toThrow(
			"too large",
		);
	});
});
