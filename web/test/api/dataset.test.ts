import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eastOf, TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	BevError,
	ChunkedDataset,
	type Columns,
	type FrameFields,
	MemorySource,
	type Source,
	type Stats,
	type StructuredArray,
} from "../../src/index.js";

const agents = [10, 20, 30];

describe("api/dataset", () => {
	let dataset: ChunkedDataset;
	let objects: Map<string, Uint8Array>;
	let keys: string[];

	beforeEach(async () => {
		objects = tinyDataset();
		keys = [];
		const source: Source = {
			read(key, options) {
				keys.push(key);
				return new MemorySource(objects).read(key, options); // in their current state
			},
		};
		dataset = await ChunkedDataset.open(source);
	});
	afterEach(() => dataset.close());

	it("knows lengths, fields and labels from the metadata alone", () => {
		expect(keys.every((key) => key.includes(".z"))).toBe(true);
		const { scenes, frames, traffic_light_faces } = dataset;
		expect([scenes.length, frames.length, dataset.agents.length]).toEqual([2, 12, 36]);
		expect(traffic_light_faces.length).toBe(12);
		expect(dataset.labels).toEqual(TINY.labels);
		expect(dataset.attrs).toMatchObject({ format_version: 2 });
		expect(frames.fields.at(-1)).toEqual({
			name: "ego_rotation",
			dtype: "<f8",
			shape: [3, 3],
		});
		expect(frames.chunks).toEqual([4]);
	});

	it("works on the calling thread in Node", () => {
		expect(dataset.capabilities).toMatchObject({ worker: "none" });
	});

	it("reads rows across chunks, with a step", async () => {
		const columns = await dataset.frames.rows(2, 11, {
			step: 3,
			fields: ["ego_translation", "timestamp"],
		});
		expect(columns.names).toEqual(["ego_translation", "timestamp"]);
		expect(columns.column("ego_translation")).toMatchObject({
			shape: [3, 3],
			dtype: "<f8",
		});
		expect([...(columns.column("ego_translation").data as Float64Array)]).toEqual(
			[2, 5, 8].flatMap((f) => [eastOf(f), 0, 0]),
		);
		expect(columns.column("timestamp").data[1]).toBe(TINY.start + 5n * TINY.step);
	});

	it("reads rows by index, in the given order", async () => {
		const columns = await dataset.agents.take([35, 0, 0], { fields: ["track_id"] });
		expect([...(columns.column("track_id").data as BigUint64Array)]).toEqual([
			3n,
			1n,
			1n,
		]);
	});

	it("reads rows in descending order and by mask", async () => {
		const fields = ["timestamp"] as const;
		const at = (columns: Columns<Pick<FrameFields, "timestamp">>): number[] =>
			[...columns.column("timestamp").data].map((time) =>
				Number((time - TINY.start) / TINY.step),
			);
		const { frames } = dataset;
		expect(at(await frames.rows(9, 1, { step: -3, fields }))).toEqual([9, 6, 3]);
		const back = await frames.rows(undefined, 8, { step: -1, fields });
		expect(at(back)).toEqual([11, 10, 9]);
		const all = await frames.rows(undefined, undefined, { step: -5, fields });
		expect(at(all)).toEqual([11, 6, 1]);
		const mask = Array.from({ length: 12 }, (_, row) => row % 5 === 1);
		expect(at(await frames.where(mask, { fields }))).toEqual([1, 6, 11]);
		await expect(frames.where([true], { fields })).rejects.toThrow(
			"frames: mask has the wrong length (found 1, expected 12)",
		);
	});

	it("reads text and whole records", async () => {
		const columns = await dataset.scenes.rows();
		expect(columns.strings("host")).toEqual(["host-0", "host-1"]);
		expect(columns.record(1)).toEqual({
			frame_index_interval: [6n, 12n],
			host: "host-1",
			start_time: TINY.start + 6n * TINY.step,
			end_time: TINY.start + 11n * TINY.step,
		});
	});

	it("reads raw records", async () => {
		const { bytes, length, recordSize } = await dataset.agents.records(4, 6);
		expect([length, recordSize]).toEqual([2, 116]);
		expect(bytes).toEqual(objects.get("agents/1")?.subarray(0, 2 * 116));
	});

	it("reads any array by its path", async () => {
		const array = await dataset.array("agents");
		expect(array.length).toBe(36);
		await expect(dataset.array("nothing")).rejects.toMatchObject({
			code: "not_found",
			message: 'unknown array "nothing"',
		});
	});

	it("limits a frame's trails and futures to its scene", async () => {
		const frame = await dataset.frame(1, 1, { past: 5, future: 10 });
		expect(frame).toMatchObject({ scene: 1, frame: 1, index: 7 });
		expect(frame.timestamp).toBe(TINY.start + 7n * TINY.step);
		expect([...frame.ego.trail]).toEqual([1, 0, 0, 0]);
		expect([...frame.ego.future]).toEqual([1, 0, 2, 0, 3, 0, 4, 0, 5, 0]);
		expect(frame.ego.speed).toBeCloseTo(10);
		expect([...frame.trails.offsets]).toEqual([0, 2, 4, 6]);
		expect(frame.agents).toMatchObject({ length: 3 });
		expect([...frame.agents.centroid]).toEqual(agents.flatMap((north) => [1, north]));
		expect([...frame.agents.distance]).toEqual(agents);
		expect([...frame.agents.corners].slice(0, 2)).toEqual([3, 11]);
		expect([...frame.agents.kept]).toEqual([1, 1, 1]);
		expect(frame.lights).toMatchObject({ length: 1, face_id: ["face-1"] });
		expect([...frame.lights.state]).toEqual([2]);
	});

	it("reports the valid range of scenes and frames", async () => {
		await expect(dataset.frame(2, 0)).rejects.toMatchObject({ code: "out_of_range" });
		await expect(dataset.frame(0, 6)).rejects.toMatchObject({ code: "out_of_range" });
		await expect(dataset.frame(-1, 0)).rejects.toMatchObject({ name: "BevError" });
		await expect(dataset.frame(0.5, 0)).rejects.toMatchObject({ name: "BevError" });
	});

	it("rejects invalid selections", async () => {
		const agents: StructuredArray = dataset.agents;
		const bad = [
			() => dataset.agents.rows(0, 4, { step: 0 }),
			() => dataset.agents.rows(0, 4, { step: -1 }),
			() => dataset.agents.take([36]),
			() => dataset.agents.take([Number.NaN]),
			() => agents.rows(0, 4, { fields: ["speed"] }),
		];
		for (const ask of bad)
			await expect(ask()).rejects.toMatchObject({ name: "BevError" });
		await expect(agents.rows(0, 1, { fields: ["speed"] })).rejects.toThrow(/yaw/);
	});

	it("reports read statistics", async () => {
		const seen: Stats[] = [];
		const end = dataset.onStats((stats) => seen.push(stats));
		await dataset.agents.rows(0, 1);
		end();
		await dataset.agents.rows(35, 36);
		expect(seen.at(-1)).toMatchObject({ bytes: dataset.stats.bytes - 4 * 116 });
		expect(dataset.stats.cache.bytesHeld).toBeGreaterThanOrEqual(2 * 4 * 116);
	});

	it("requests a corrupt chunk once for sixty frames, until forgotten", async () => {
		const good = objects.get("agents/0") ?? new Uint8Array();
		objects.set("agents/0", good.subarray(0, 100));
		const damaged = {
			code: "corrupt_chunk",
			message: expect.stringMatching(/^agents\/0/),
		};
		for (let i = 0; i < 60; i += 1) {
			await expect(dataset.frame(0, 0)).rejects.toMatchObject(damaged);
			await expect(dataset.agents.rows(0, 1)).rejects.toMatchObject(damaged);
		}
		expect(keys.filter((key) => key === "agents/0")).toHaveLength(1);
		await expect(dataset.agents.rows(4, 5)).resolves.toMatchObject({ length: 1 });
		objects.set("agents/0", good);
		dataset.forgetFailures("agents/1");
		await expect(dataset.agents.rows(0, 1)).rejects.toMatchObject(damaged);
		dataset.forgetFailures("agents/0");
		await expect(dataset.agents.rows(0, 1)).resolves.toMatchObject({ length: 1 });
		await expect(dataset.frame(0, 0)).resolves.toMatchObject({ scene: 0 });
		expect(keys.filter((key) => key === "agents/0")).toHaveLength(2);
	});

	it("requests a chunk that cannot be read once for sixty frames", async () => {
		let asked = 0;
		let online = false;
		const source: Source = {
			read(key, options) {
				if (key === "agents/0") asked += 1;
				if (key !== "agents/0" || online)
					return new MemorySource(objects).read(key, options);
				return Promise.reject(
					new BevError("network", "HTTP 503", { key, status: 503 }),
				);
			},
		};
		using broken = await ChunkedDataset.open(source);
		const failed = { code: "network", key: "agents/0", status: 503 };
		for (let i = 0; i < 60; i += 1) {
			await expect(broken.frame(0, 0)).rejects.toMatchObject(failed);
		}
		expect(asked).toBe(1);
		online = true;
		await expect(broken.frame(0, 0)).rejects.toMatchObject(failed);
		broken.forgetFailures();
		await expect(broken.frame(0, 0)).resolves.toMatchObject({ scene: 0 });
		expect(asked).toBe(2);
	});

	it("reads rows with text again after a failure was forgotten", async () => {
		const good = objects.get("scenes/0") ?? new Uint8Array();
		objects.set("scenes/0", good.subarray(0, 10));
		await expect(dataset.scenes.rows()).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
		objects.set("scenes/0", good);
		dataset.forgetFailures();
		const both = await Promise.all([dataset.scenes.rows(), dataset.scenes.rows()]);
		expect(both.map((one) => one.strings("host"))).toEqual([
			["host-0", "host-1"],
			["host-0", "host-1"],
		]);
	});

	it("names a missing chunk of L5Kit's arrays in an error, and reads the others", async () => {
		const good = objects.get("agents/0") ?? new Uint8Array();
		objects.delete("agents/0");
		const missing = {
			code: "missing_key",
			message: "agents/0: missing from the store (expected every chunk of agents)",
		};
		for (let i = 0; i < 3; i += 1) {
			await expect(dataset.agents.rows(0, 1)).rejects.toMatchObject(missing);
			await expect(dataset.frame(0, 0)).rejects.toMatchObject(missing);
		}
		expect(keys.filter((key) => key === "agents/0")).toHaveLength(1);
		expect(dataset.stats.absentChunks).toBe(1);
		expect(await dataset.absentChunks()).toEqual(["agents/0"]);
		await expect(dataset.agents.rows(4, 5)).resolves.toMatchObject({ length: 1 });
		objects.set("agents/0", good);
		dataset.forgetFailures("agents/0");
		await expect(dataset.agents.rows(0, 1)).resolves.toMatchObject({ length: 1 });
		expect(await dataset.absentChunks()).toEqual([]);
	});

	it("reads a missing chunk as fill values on request", async () => {
		objects.delete("agents/0");
		using lenient = await ChunkedDataset.open(new MemorySource(objects), {
			missing: "fill",
		});
		const columns = await lenient.agents.rows(0, 1, { fields: ["track_id"] });
		expect(columns.column("track_id").data[0]).toBe(0n);
		expect(await lenient.absentChunks()).toEqual(["agents/0"]);
	});

	it("rejects an invalid argument with a typed error", async () => {
		for (const from of [undefined, null, 7, true, {}, { zarr: 1 }, Symbol("x")]) {
			const opening = ChunkedDataset.open(from as unknown as string);
			await expect(opening).rejects.toBeInstanceOf(BevError);
		}
		await expect(
			ChunkedDataset.open(undefined as unknown as string),
		).rejects.toMatchObject({
			code: "invalid_argument",
			message:
				"open: invalid argument (found undefined, expected a URL, files or a source)",
		});
	});

	it("reads a dtype with an integer as shape", async () => {
		const key = "agents/.zarray";
		const text = new TextDecoder().decode(objects.get(key));
		const meta = JSON.parse(text) as { dtype: unknown[][] };
		for (const field of meta.dtype) {
			if (Array.isArray(field[2]) && field[2].length === 1) field[2] = field[2][0];
		}
		expect(JSON.stringify(meta.dtype)).toContain('["centroid","<f8",2]');
		objects.set(key, new TextEncoder().encode(JSON.stringify(meta)));
		objects.delete(".zmetadata");
		using whole = await ChunkedDataset.open(new MemorySource(objects));
		const { shape } = (await whole.agents.rows(0, 3)).column("centroid");
		expect(shape).toEqual([3, 2]);
		expect(whole.agents.fields).toEqual(dataset.agents.fields);
	});

	it("rejects an unknown rule for missing chunks", async () => {
		const missing = "ignore" as "fill";
		await expect(
			ChunkedDataset.open(new MemorySource(objects), { missing }),
		).rejects.toMatchObject({
			code: "invalid_argument",
			message: 'missing: unknown value "ignore" (expected "fill" or "error")',
		});
	});

	it("empties the arrays of a released frame", async () => {
		const frame = await dataset.frame(0, 0);
		frame[Symbol.dispose]();
		expect(frame.agents.centroid).toHaveLength(0);
	});

	it("rejects with the signal's reason, before and during a read", async () => {
		const signal = AbortSignal.abort(new Error("too late"));
		await expect(dataset.frame(0, 0, { signal })).rejects.toThrow("too late");
		const control = new AbortController();
		const reading = dataset.frame(0, 0, { signal: control.signal });
		control.abort(new Error("scrubbed away"));
		await expect(reading).rejects.toThrow("scrubbed away");
	});

	it("rejects after close, also if called twice", async () => {
		dataset.close();
		dataset[Symbol.dispose]();
		await expect(dataset.frame(0, 0)).rejects.toThrow("data set: closed");
	});
});
