import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
	DataLoader,
	DataSaver,
	type Destination,
	discardParts,
	MemoryStore,
	toMap,
	toNodeFolder,
} from "../../src/save.js";
import { CONFIG, contentOf, rowsOf } from "./rows.js";

type Objects = Map<string, Uint8Array<ArrayBuffer>>;

const folders: string[] = [];

function temporary(): string {
	const folder = mkdtempSync(join(tmpdir(), "bev-save-"));
	folders.push(folder);
	return folder;
}

afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Saves `count` batches of ten rows from `saver.batches` on. */
async function saveBatches(saver: DataSaver, count: number): Promise<void> {
	for (let i = saver.batches; i < count; i += 1) {
		await saver.save(rowsOf(i * 10, i * 10 + 10));
		if (i % 3 === 2) await saver.flush();
	}
}

async function savedMap(count: number): Promise<Objects> {
	const map: Objects = new Map();
	using saver = await DataSaver.open(CONFIG, toMap(map));
	await saveBatches(saver, count);
	await saver.commit();
	return map;
}

describe("saving: DataSaver", () => {
	it("saves rows that a loader returns, in objects within the limit", async () => {
		const map = await savedMap(12);
		for (const [key, bytes] of map) {
			if (!key.includes(".z")) expect(bytes.length).toBeLessThanOrEqual(2048);
		}
		using loader = await DataLoader.open(map);
		expect(loader.length).toBe(120);
		const { image, label, mark } = await loader.rows(0, 120);
		const expected = rowsOf(0, 120);
		expect(image?.data).toEqual(expected.image);
		expect(image?.shape).toEqual([120, 7, 9]);
		expect(label?.data).toEqual(expected.label);
		expect(mark?.data).toEqual(expected.mark);
		expect(mark?.dtype).toBe("|S3");
	});

	it("writes the same bytes to a map and a folder, however the rows arrive", async () => {
		const expected = await savedMap(12);
		const path = join(temporary(), "d.zarr");
		using saver = await DataSaver.open(CONFIG, toNodeFolder(path));
		await saver.save(rowsOf(0, 113));
		await saver.save(rowsOf(113, 120));
		expect(await saver.commit()).toBe(120);
		expect(await contentOf(path)).toEqual(new Map([...expected].sort()));
		expect(readdirSync(join(path, ".."))).toEqual(["d.zarr"]);
	});

	it("refuses a batch that does not match, saves nothing of it, and goes on", async () => {
		const map: Objects = new Map();
		using saver = await DataSaver.open(CONFIG, toMap(map));
		const good = rowsOf(0, 10);
		const wrong = [
			[{ ...good, label: undefined }, /label: not a typed array/],
			[{ image: good.image, mark: good.mark }, /label: missing in the batch/],
			[{ ...good, label: new Float32Array(10) }, /label: wrong dtype \(found <f4/],
			[{ ...good, label: new Uint8Array(40) }, /label: wrong dtype \(found \|u1/],
			[{ ...good, label: new Int32Array(9) }, /label: wrong number of rows \(found 9/],
			[{ ...good, image: good.image.subarray(1) }, /image: wrong length/],
			[{ ...good, other: good.label }, /other: not an attribute of the config/],
		] as const;
		for (const [batch, message] of wrong) {
			await expect(saver.save(batch as never)).rejects.toThrow(message);
		}
		expect(saver.rows).toBe(0);
		await saver.save(good);
		expect(await saver.commit()).toBe(10);
		using loader = await DataLoader.open(map);
		expect((await loader.rows(0, 10)).label?.data).toEqual(good.label);
	});

	it("refuses invalid configurations before anything is written", async () => {
		const open = (change: object) =>
			DataSaver.open({ ...CONFIG, ...change }, toMap(new Map()));
		await expect(open({ maxObjectSize: 100 })).rejects.toThrow(/max_object_size/);
		await expect(open({ attributes: {} })).rejects.toThrow(/0 attributes/);
		await expect(open({ compressor: { id: "zip" } })).rejects.toMatchObject({
			name: "BevError",
			code: "invalid_argument",
		});
		await expect(open({ attributes: { a: "<q9" } })).rejects.toThrow(/data config/);
		const tall = { attributes: { a: { dtype: "<f8", shape: [1000] } } };
		await expect(open(tall)).rejects.toMatchObject({ code: "limit_exceeded" });
	});

	it("resumes at every batch to the same bytes; rows not flushed are lost", async () => {
		const expected = await savedMap(12);
		for (const killed of [3, 4, 6, 8, 11]) {
			const map: Objects = new Map();
			const parts = new MemoryStore();
			const first = await DataSaver.open(CONFIG, toMap(map), { parts });
			await saveBatches(first, killed);
			first.close();
			await expect(DataSaver.open(CONFIG, toMap(map), { parts })).rejects.toThrow(
				/rows of an earlier saver are kept/,
			);
			const options = { parts, resume: true };
			using second = await DataSaver.open(CONFIG, toMap(map), options);
			expect(second.batches).toBe(killed - (killed % 3));
			await saveBatches(second, 12);
			expect(map.size).toBe(0);
			await second.commit();
			expect(map).toEqual(expected);
		}
	});

	it("keeps the rows of a folder's saver that was closed; discardParts removes them", async () => {
		const folder = temporary();
		const to = toNodeFolder(join(folder, "d.zarr"));
		const saver = await DataSaver.open(CONFIG, to);
		await saver.save(rowsOf(0, 10));
		await saver.flush();
		saver.close();
		expect(readdirSync(folder)).toEqual(["d.zarr.parts-web"]);
		await expect(DataSaver.open(CONFIG, to)).rejects.toThrow(/10 rows of an earlier/);
		const other = { ...CONFIG, maxObjectSize: 4096 };
		await expect(DataSaver.open(other, to, { resume: true })).rejects.toThrow(
			/other savers use another config/,
		);
		await discardParts(to);
		expect(readdirSync(folder)).toEqual([]);
	});

	it("reports damaged and absent objects of the parts, and publishes nothing", async () => {
		for (const damage of ["other", undefined]) {
			const folder = temporary();
			const to = toNodeFolder(join(folder, "d.zarr"));
			const saver = await DataSaver.open(CONFIG, to);
			await saver.save(rowsOf(0, 100));
			await saver.flush();
			saver.close();
			const label = join(folder, "d.zarr.parts-web", "000000", "label");
			const [name] = readdirSync(label);
			if (damage) writeFileSync(join(label, name ?? ""), damage);
			else rmSync(join(label, name ?? ""));
			const resumed = DataSaver.open(CONFIG, to, { resume: true });
			await expect(resumed).rejects.toMatchObject({
				code: damage ? "corrupt_chunk" : "missing_key",
			});
			expect(readdirSync(folder)).toEqual(["d.zarr.parts-web"]);
		}
	});

	it("never replaces what exists", async () => {
		const path = join(temporary(), "d.zarr");
		const first = await DataSaver.open(CONFIG, toNodeFolder(path));
		// Another saver appears meanwhile
		const other = await DataSaver.open(CONFIG, toNodeFolder(path), {
			parts: new MemoryStore(),
		});
		await first.save(rowsOf(0, 5));
		await other.save(rowsOf(5, 9));
		await first.commit();
		const before = await contentOf(path);
		await expect(other.commit()).rejects.toMatchObject({ code: "changed" });
		await expect(DataSaver.open(CONFIG, toNodeFolder(path))).rejects.toThrow(
			/already exists/,
		);
		expect(await contentOf(path)).toEqual(before);
		const map = new Map([["a", new Uint8Array(1)]]);
		await expect(DataSaver.open(CONFIG, toMap(map))).rejects.toThrow(/already exists/);
	});

	it("runs calls one after the other, in the order of the calls", async () => {
		const map: Objects = new Map();
		using saver = await DataSaver.open(CONFIG, toMap(map));
		const calls = Array.from({ length: 12 }, (_, i) => [
			saver.save(rowsOf(i * 10, i * 10 + 10)),
			saver.flush(),
		]);
		const done = saver.commit();
		await Promise.all(calls.flat());
		expect(await done).toBe(120);
		expect(map).toEqual(await savedMap(12));
		await expect(saver.save(rowsOf(0, 1))).rejects.toThrow(/the saver has ended/);
	});

	it("fails for good after a failed write; the rows flushed before are kept", async () => {
		const parts = new MemoryStore();
		let fails = false;
		const store = {
			read: parts.read.bind(parts),
			list: parts.list.bind(parts),
			remove: parts.remove.bind(parts),
			clear: parts.clear.bind(parts),
			put: async (key: string, bytes: Uint8Array<ArrayBuffer>) => {
				if (fails) throw new Error("disk full");
				await parts.put(key, bytes);
			},
		};
		const map: Objects = new Map();
		const saver = await DataSaver.open(CONFIG, toMap(map), { parts: store });
		await saveBatches(saver, 6);
		fails = true;
		await expect(saveBatches(saver, 12)).rejects.toThrow("disk full");
		fails = false;
		await expect(saver.commit()).rejects.toThrow("disk full");
		expect(map.size).toBe(0);
		saver.close();
		const options = { parts: store, resume: true };
		using again = await DataSaver.open(CONFIG, toMap(map), options);
		expect(again.batches).toBe(6);
		await saveBatches(again, 12);
		await again.commit();
		expect(map).toEqual(await savedMap(12));
	});

	it("writes chunks first and documents last; a failure publishes nothing", async () => {
		const total = (await savedMap(12)).size;
		for (let failing = 0; failing <= total; failing += 1) {
			const keys: string[] = [];
			let published = false;
			const destination: Destination = {
				name: "made",
				concurrency: 4,
				async begin() {},
				async put(key) {
					if (keys.length === failing) throw new Error(`failed at ${failing}`);
					keys.push(key);
				},
				async publish() {
					published = true;
				},
			};
			using saver = await DataSaver.open(CONFIG, destination);
			await saver.save(rowsOf(0, 120));
			const result = saver.commit();
			if (failing < total) await expect(result).rejects.toThrow(/failed at/);
			else expect(await result).toBe(120);
			expect(published).toBe(failing === total);
			if (!published) expect(keys).not.toContain(".zmetadata");
			else expect(keys.slice(-3)).toEqual([".zattrs", ".zgroup", ".zmetadata"]);
		}
	});

	it("aborts: nothing is published, and abort() removes the rows", async () => {
		const map: Objects = new Map();
		const parts = new MemoryStore();
		const saver = await DataSaver.open(CONFIG, toMap(map), { parts });
		await saver.save(rowsOf(0, 120));
		const control = new AbortController();
		control.abort(new Error("stop"));
		await expect(saver.commit({ signal: control.signal })).rejects.toThrow("stop");
		expect(map.size).toBe(0);
		await saver.commit();
		expect(map.size).toBeGreaterThan(10);
		const other = await DataSaver.open(CONFIG, toMap(new Map()), { parts });
		await other.save(rowsOf(0, 120));
		await other.flush();
		await other.abort();
		expect(await parts.list()).toEqual([]);
	});
});
