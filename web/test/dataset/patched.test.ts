import { afterEach, describe, expect, it, vi } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	AgentDataset,
	ChunkedDataset,
	EgoDataset,
	MemorySource,
	type Patch,
	type PatchEdit,
	selectAgents,
} from "../../src/index.js";
import { simulate } from "../../src/model.js";
import { clientOf } from "../../src/worker/client.js";
import { LocalClient } from "../../src/worker/local-client.js";
import { STUB_CONFIG } from "../support/configs.js";
import { keptObjects } from "../support/kept-objects.js";

/** Two scenes of six frames: everything moves 1 m east in each; three tracks. */
const open = (): Promise<ChunkedDataset> =>
	ChunkedDataset.open(new MemorySource(tinyDataset()), { load: { worker: false } });

const patchOf = (...edits: PatchEdit[]): Patch => ({
	format: "bevscope-patch",
	version: 1,
	edits,
});

const REMOVE: PatchEdit = { op: "remove", scene: 1, track: 1 };
const NORTH: PatchEdit = { op: "move", scene: 1, track: 2, by: [0, 7] };

async function tracksOf(dataset: ChunkedDataset, scene = 1): Promise<bigint[]> {
	using frame = await dataset.frame(scene, 2);
	return [...frame.agents.track_id];
}

async function rejection(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => undefined,
		(thrown) => thrown,
	);
	return `${error?.code ?? error?.name}: ${error?.message}`;
}

afterEach(() => vi.restoreAllMocks());

describe("dataset/patched", () => {
	it("frames have the edits, those of other scenes and the stored ones do not", async () => {
		using dataset = await open();
		using edited = await dataset.patched(patchOf(REMOVE, NORTH));
		using frame = await edited.frame(1, 2);
		expect([...frame.agents.track_id]).toEqual([2n, 3n]);
		expect([...frame.agents.centroid]).toEqual([2, 27, 2, 30]);
		expect(await tracksOf(edited, 0)).toEqual([1n, 2n, 3n]);
		expect(await tracksOf(dataset)).toEqual([1n, 2n, 3n]);
		const frames = [];
		for await (const { agents } of edited.sceneFrames(1)) frames.push(agents.length);
		expect(frames).toEqual([2, 2, 2, 2, 2, 2]);
		expect(await edited.scene(1)).toEqual(await dataset.scene(1));
		expect(edited.description).toEqual(dataset.description);
		expect(edited.stats.requests).toBeGreaterThan(0);
		expect(await edited.absentChunks()).toEqual([]);
		await edited.prefetch(1, 3);
	});

	it("time lines, facts and samples have them", async () => {
		using dataset = await open();
		await dataset.facts({ table: "tracks" }).read();
		const stop: PatchEdit = { op: "stop", scene: 1, track: "ego", deceleration: 1000 };
		const text = JSON.stringify(patchOf(REMOVE, stop));
		using edited = await dataset.patched(text);
		const { ego, lights } = await edited.timeline(1, { track: 2n });
		expect(ego.speed.at(-1)).toBe(0);
		expect(lights.id).toEqual(["light-0"]);
		expect(await rejection(edited.frame(7, 0))).toMatch(/^out_of_range: scene 7/);
		const tracks = await edited.facts({ table: "tracks" }).read();
		expect([...tracks.column("track_id").data]).toEqual([1n, 2n, 3n, 2n, 3n]);
		const speeds = (await edited.facts().read()).column("ego_max_speed").data;
		expect(Number(speeds[0])).toBeCloseTo(10, 6);
		expect(Number(speeds[1])).toBeLessThan(1);
		const one = { image: "none" } as const;
		using frames = await EgoDataset.create(STUB_CONFIG, edited, one);
		const item = await frames.sample(8); // frame 2 of scene 1
		expect(item.target_positions.data[0]).toBe(0);
		using agents = await AgentDataset.create(STUB_CONFIG, edited, one);
		expect((await agents.getFrame(1, 2, 2n)).centroid.data[0]).toBe(2);
		expect(await rejection(agents.getFrame(1, 2, 1n))).toMatch(/track/);
	});

	it("what numbers stored rows is refused by the core", async () => {
		using dataset = await open();
		using edited = await dataset.patched(patchOf(REMOVE));
		const refused = /^invalid_argument: .*not of scenes that are changed in memory/;
		const fields = ["yaw"] as const;
		const wanted: (() => Promise<unknown>)[] = [
			() => edited.agents.rows(0, 3),
			() => edited.frames.take([0]),
			() => edited.agents.select([0]),
			() => edited.agents.records(0, 1),
			() => edited.array("agents"),
			() => edited.summary(),
			() => edited.reader({ fields }).count(),
			() => edited.reader({ fields }).describe(),
			() => selectAgents(edited).next(),
		];
		for (const ask of wanted) expect(await rejection(ask())).toMatch(refused);
		const agents = await AgentDataset.create(STUB_CONFIG, edited, { image: "none" });
		expect(await rejection(agents.index())).toMatch(refused);
		expect(await rejection(agents.sampleOfAgent(20))).toMatch(
			/^invalid_argument: agents\/20: scene 1 is changed in memory/,
		);
		expect(await rejection(edited.patched(patchOf(NORTH)))).toBe(
			"invalid_argument: patch: the data set has edited scenes (expected one as stored: put all edits into one patch)",
		);
		expect((await edited.scenes.rows()).length).toBe(2);
	});

	it("hostile patches are refused with the core's reason, and nothing is kept", async () => {
		const kept = keptObjects();
		using dataset = await open();
		const said = (patch: unknown): Promise<string> =>
			rejection(dataset.patched(patch as Patch));
		const edit = (one: object) => said(patchOf(one as PatchEdit));
		expect(await said("{")).toMatch(/^invalid_\w+: patch: /);
		expect(await said("[".repeat(100_000))).toMatch(/^\w+: patch/);
		expect(await said(" ".repeat(2 ** 20 + 1))).toMatch(/^limit_exceeded: patch/);
		expect(await said({})).toMatch(/^invalid_argument: patch: format/);
		expect(await said({ ...patchOf(), version: 2 })).toBe(
			"unsupported: patch: unsupported version (found 2, expected 1)",
		);
		expect(await said({ ...patchOf(), edit: [] })).toMatch(/edit: unknown key/);
		const many = Array.from({ length: 4097 }, () => REMOVE);
		expect(await said(patchOf(...many))).toMatch(/^limit_exceeded: .*too many/);
		expect(await said({ ...patchOf(), data: { frames: 7 } })).toBe(
			"invalid_argument: patch: made for another data set (found 12 frames, expected 7)",
		);
		expect(await edit({ ...REMOVE, scene: 2 })).toMatch(
			/^out_of_range: patch: edits\[0\]/,
		);
		expect(await edit({ ...REMOVE, track: 99 })).toBe(
			"out_of_range: patch: edits[0]: scene 1: track 99 not found in frames [0, 6)",
		);
		expect(await edit({ ...REMOVE, by: [1] })).toMatch(/edits\[0\]\.by: unknown key/);
		expect(await edit({ ...NORTH, by: [1] })).toMatch(/edits\[0\]\.by: wrong length/);
		expect(await edit({ ...NORTH, by: [Number.NaN, 1] })).toMatch(/edits\[0\]\.by/);
		expect(await edit({ ...REMOVE, track: 1n })).toMatch(
			/^invalid_argument: patched: patch: .*BigInt/,
		);
		expect(await said(7)).toBe(
			"invalid_argument: patched: patch: invalid argument (found 7, expected an object)",
		);
		expect(await said(undefined)).toMatch(/^invalid_argument: patched: patch/);
		const options = { scenes: [1] } as object;
		expect(await rejection(dataset.patched(patchOf(), options))).toMatch(
			/unknown option "scenes"/,
		);
		const signal = AbortSignal.abort(new Error("before"));
		expect(await rejection(dataset.patched(patchOf(REMOVE), { signal }))).toBe(
			"Error: before",
		);
		expect(kept()).toBe(0);
		using edited = await dataset.patched(patchOf());
		expect(await tracksOf(edited)).toEqual([1n, 2n, 3n]);
		expect(kept()).toBe(1);
	});

	it.each([0, 1])(
		"two at once are independent; that of number %i is closed first",
		async (i) => {
			const kept = keptObjects();
			using dataset = await open();
			const made: [ChunkedDataset, bigint[]][] = [
				[await dataset.patched(patchOf(REMOVE)), [2n, 3n]],
				[await dataset.patched(patchOf({ ...REMOVE, track: 2 })), [1n, 3n]],
			];
			for (const [edited, tracks] of made)
				expect(await tracksOf(edited)).toEqual(tracks);
			const [[one], [other, tracks]] = (i === 0 ? made : made.reverse()) as [
				(typeof made)[0],
				(typeof made)[0],
			];
			await EgoDataset.create(STUB_CONFIG, one, { image: "none" });
			expect(kept()).toBe(3);
			const pending = rejection(one.timeline(0));
			one.close();
			one.close();
			const closed = "closed: data set: closed";
			expect(await pending).toBe(closed);
			expect(await rejection(one.frame(1, 0))).toBe(closed);
			expect(await tracksOf(other)).toEqual(tracks);
			expect(kept()).toBe(1);
			other.close();
			expect(kept()).toBe(0);
			expect(await tracksOf(dataset)).toEqual([1n, 2n, 3n]);
		},
	);

	it("ends with the data set", async () => {
		const dataset = await open();
		using edited = await dataset.patched(patchOf(REMOVE));
		const pending = rejection(edited.timeline(1));
		dataset.close();
		expect(await pending).toBe("closed: data set: closed");
		expect(await rejection(edited.frame(1, 0))).toBe("closed: data set: closed");
	});

	it("edits that were lost in a failure of the worker are named", async () => {
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
		using dataset = await open();
		using edited = await dataset.patched(patchOf(REMOVE));
		const client = await clientOf(dataset).forReaders();
		for (const id of made) await client.ask({ kind: "free", id });
		expect(await rejection(edited.frame(1, 0))).toBe(
			"invalid_argument: data set: edited scenes lost in a failure; call patched() again",
		);
		expect(await tracksOf(dataset)).toEqual([1n, 2n, 3n]);
	});

	it("an abort while scenes are read leaves nothing", async () => {
		const kept = keptObjects();
		const source = new MemorySource(tinyDataset());
		using dataset = await ChunkedDataset.open(source, { load: { worker: false } });
		const control = new AbortController();
		const { signal } = control;
		const read = source.read.bind(source);
		vi.spyOn(source, "read").mockImplementation((key, options) => {
			if (key.startsWith("agents/")) control.abort(new Error(key));
			return read(key, options);
		});
		const asked = dataset.patched(patchOf(REMOVE, { ...REMOVE, scene: 0 }), { signal });
		expect(await rejection(asked)).toMatch(/^Error: agents\//);
		expect(kept()).toBe(0);
	});

	it("models drive through edited scenes", async () => {
		using dataset = await open();
		using edited = await dataset.patched(patchOf(REMOVE, NORTH));
		const [scene] = await simulate(edited, {
			...{ config: STUB_CONFIG, scenes: [1], start: 2, steps: 2, ego: "log" },
			predict: () => {
				throw new Error("nothing is driven");
			},
		});
		const { trackId = [], y = [] } = scene?.agents ?? {};
		expect([...trackId]).toEqual([2n, 3n, 2n, 3n]);
		expect([...y]).toEqual([27, 30, 27, 30]);
	});
});
