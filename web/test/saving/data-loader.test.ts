import { beforeAll, describe, expect, it } from "vitest";
import { zipOf } from "../../../tests/support/zip.js";
import { type DataConfig, DataLoader, DataSaver, toMap } from "../../src/save.js";
import {
	MemorySource,
	type ReadOptions,
	type Source,
} from "../../src/source/source.js";
import { CONFIG, rowsOf } from "./rows.js";

const objects = new Map<string, Uint8Array<ArrayBuffer>>();

beforeAll(async () => {
	using saver = await DataSaver.open(CONFIG, toMap(objects));
	await saver.save(rowsOf(0, 300));
	await saver.commit();
});

/** Counts reads; `change` may replace what is read. */
class CountedSource implements Source {
	readonly keys: string[] = [];
	change: (key: string) => Uint8Array | undefined = (key) => objects.get(key);

	async read(
		key: string,
		{ signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		this.keys.push(key);
		await Promise.resolve();
		return this.change(key)?.slice();
	}

	get chunks(): string[] {
		return this.keys.filter((key) => !key.startsWith(".z"));
	}
}

const CHUNKS = () => [...objects.keys()].filter((key) => !key.includes(".z")).sort();

/** Counts the reads in progress, which end in the next turn. */
class BusySource extends CountedSource {
	most = 0;
	#now = 0;

	override async read(key: string, options: ReadOptions = {}) {
		this.#now += 1;
		this.most = Math.max(this.most, this.#now);
		await new Promise((resolve) => setTimeout(resolve, 1));
		this.#now -= 1;
		return super.read(key, options);
	}
}

describe("saving: DataLoader", () => {
	it("reads at most 16 chunks at once, and no more after a failure", async () => {
		const many = new Map<string, Uint8Array<ArrayBuffer>>();
		using saver = await DataSaver.open({ ...CONFIG, maxObjectSize: 1024 }, toMap(many));
		await saver.save(rowsOf(0, 1200));
		await saver.commit();
		const source = new BusySource();
		source.change = (key) => many.get(key);
		using loader = await DataLoader.open(source);
		const { image } = await loader.rows(0, 1200);
		expect(image?.data).toEqual(rowsOf(0, 1200).image);
		expect(source.chunks.length).toBeGreaterThan(50);
		expect(source.most).toBe(16);
		loader.clear();
		source.keys.length = 0;
		source.change = (key) => (key.startsWith(".z") ? many.get(key) : undefined);
		await expect(loader.rows(0, 1200)).rejects.toMatchObject({ code: "missing_key" });
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(source.keys.length).toBeLessThan(20);
		source.change = (key) => many.get(key);
		expect((await loader.rows(0, 1200)).label?.shape).toEqual([1200]);
	});

	it("reads one object to open, and every chunk once in order", async () => {
		const source = new CountedSource();
		using loader = await DataLoader.open(source);
		expect(source.keys).toEqual([".zmetadata"]);
		expect(loader.config.attributes.image).toEqual({ dtype: "|u1", shape: [7, 9] });
		expect(loader.config.additional).toEqual({ source: "made" });
		let row = 0;
		for await (const { image, label } of loader.batches(32)) {
			const count = label?.shape[0] ?? 0;
			expect(label?.data).toEqual(rowsOf(row, row + count).label);
			expect(image?.data).toEqual(rowsOf(row, row + count).image);
			row += count;
		}
		expect(row).toBe(300);
		expect(source.chunks.sort()).toEqual(CHUNKS());
		expect(loader.stats.chunks).toBe(CHUNKS().length);
	});

	it("reads nothing of attributes that are not chosen", async () => {
		const source = new CountedSource();
		using loader = await DataLoader.open(source, { attributes: ["mark", "label"] });
		expect(Object.keys(loader.config.attributes)).toEqual(["mark", "label"]);
		const rows = await loader.rows(7, 300);
		expect(Object.keys(rows)).toEqual(["mark", "label"]);
		expect(rows.label?.data).toEqual(rowsOf(7, 300).label);
		const chosen = CHUNKS().filter((key) => !key.startsWith("image/"));
		expect(source.chunks.sort()).toEqual(chosen);
		expect(loader.chunkRows.label).toBeGreaterThan(0);
	});

	it("refuses a choice of attributes that is empty, unknown or repeated", async () => {
		const open = (attributes: string[]) => DataLoader.open(objects, { attributes });
		await expect(open([])).rejects.toMatchObject({ code: "invalid_argument" });
		await expect(open(["lable"])).rejects.toMatchObject({ code: "not_found" });
		const twice = open(["label", "label"]);
		await expect(twice).rejects.toMatchObject({ code: "invalid_argument" });
	});

	it.each([0, 3])(
		"loads version 3 with %i chunks per shard, objects once",
		async (count) => {
			const config = {
				...CONFIG,
				maxObjectSize: 4096,
				zarrFormat: 3,
				chunksPerShard: count,
			};
			const saved = new Map<string, Uint8Array<ArrayBuffer>>();
			using saver = await DataSaver.open(config as DataConfig, toMap(saved));
			await saver.save(rowsOf(0, 300));
			await saver.commit();
			expect([...saved.keys()].at(-1)).toBe("zarr.json");
			const objects = [...saved.keys()].filter((key) => key.includes("/c/"));
			for (const key of objects) {
				expect(saved.get(key)?.length).toBeLessThanOrEqual(4096);
			}
			const source = new CountedSource();
			source.change = (key) => saved.get(key);
			using loader = await DataLoader.open(source);
			expect(loader.config.zarrFormat).toBe(3);
			expect(loader.config.chunksPerShard).toBe(count);
			let row = 0;
			for await (const { image, label } of loader.batches(32)) {
				const rows = label?.shape[0] ?? 0;
				expect(label?.data).toEqual(rowsOf(row, row + rows).label);
				expect(image?.data).toEqual(rowsOf(row, row + rows).image);
				row += rows;
			}
			expect(row).toBe(300);
			expect(source.keys.filter((key) => key.includes("/c/")).sort()).toEqual(
				objects.sort(),
			);
		},
	);

	it("returns attachments as they were attached, and refuses damaged ones", async () => {
		const saved = new Map<string, Uint8Array<ArrayBuffer>>();
		using saver = await DataSaver.open(CONFIG, toMap(saved));
		await saver.attach("note.txt", new TextEncoder().encode("first"));
		await saver.attach("note.txt", new TextEncoder().encode("second"));
		await expect(saver.attach("../note", new Uint8Array())).rejects.toMatchObject({
			code: "invalid_argument",
		});
		await saver.save(rowsOf(0, 10));
		await saver.commit();
		const source = new CountedSource();
		source.change = (key) => saved.get(key);
		using loader = await DataLoader.open(source);
		expect(loader.attachments).toEqual([
			{
				name: "note.txt",
				bytes: 6,
				sha256: "16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4",
			},
		]);
		const note = await loader.attachment("note.txt");
		expect(new TextDecoder().decode(note)).toBe("second");
		await expect(loader.attachment("other")).rejects.toMatchObject({
			code: "not_found",
		});
		saved.set("attachments/note.txt", new TextEncoder().encode("sEcond"));
		await expect(loader.attachment("note.txt")).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
		saved.delete("attachments/note.txt");
		await expect(loader.attachment("note.txt")).rejects.toMatchObject({
			code: "missing_key",
		});
	});

	it("reads chunks once with the smallest budget, which holds one chunk each", async () => {
		const source = new CountedSource();
		const whole = await DataLoader.open(objects);
		const byteBudget = 63 * (whole.chunkRows.image ?? 0);
		const least = Math.max(byteBudget, 4 * (whole.chunkRows.label ?? 0));
		whole.close();
		using loader = await DataLoader.open(source, { byteBudget: least });
		for await (const _ of loader.batches(7)) {
			expect(loader.stats.heldBytes).toBeLessThanOrEqual(4 * least);
		}
		expect(source.chunks.sort()).toEqual(CHUNKS());
		await expect(
			DataLoader.open(objects, { byteBudget: least - 1 }),
		).rejects.toMatchObject({ code: "out_of_memory" });
	});

	it("returns rows by index, also from the end, and fetches a chunk once", async () => {
		const source = new CountedSource();
		using loader = await DataLoader.open(source);
		const { label } = await loader.items([-1, 0, 17, 17, -300]);
		expect(label?.data).toEqual(
			Int32Array.of(299 * 3 - 50, -50, 17 * 3 - 50, 17 * 3 - 50, -50),
		);
		const before = source.chunks.length;
		for (let i = 0; i < 100; i += 1) await loader.items([(i * 7) % 20]);
		expect(source.chunks.length).toBe(before);
		expect((await loader.items([])).label?.shape).toEqual([0]);
		for (const wrong of [300, -301]) {
			await expect(loader.items([wrong])).rejects.toMatchObject({
				code: "out_of_range",
			});
		}
		await expect(loader.items([0.5])).rejects.toMatchObject({
			code: "invalid_argument",
		});
		await expect(loader.rows(5, 301)).rejects.toMatchObject({ code: "out_of_range" });
	});

	it("answers calls at the same time, each with its own rows", async () => {
		using loader = await DataLoader.open(new CountedSource());
		const asked = Array.from({ length: 30 }, (_, i) => (i * 71) % 280);
		const found = await Promise.all(
			asked.map((row, i) =>
				i % 2 === 0 ? loader.rows(row, row + 20) : loader.items([row]),
			),
		);
		for (const [i, { label }] of found.entries()) {
			const row = asked[i] ?? 0;
			const expected = rowsOf(row, row + (i % 2 === 0 ? 20 : 1)).label;
			expect(label?.data).toEqual(expected);
		}
	});

	it("returns big-endian numbers as stored bytes", async () => {
		const map = new Map<string, Uint8Array<ArrayBuffer>>();
		const attributes = { value: ">u2" };
		using saver = await DataSaver.open({ name: "big", attributes }, toMap(map));
		await expect(saver.save({ value: Uint16Array.of(1, 2) })).rejects.toThrow(
			/wrong dtype \(found <u2, expected ">u2"/,
		);
		await saver.save({ value: Uint8Array.of(0, 1, 2, 3) });
		await saver.commit();
		using loader = await DataLoader.open(map);
		const { value } = await loader.rows(0, 2);
		expect(value).toEqual({
			dtype: ">u2",
			shape: [2],
			data: Uint8Array.of(0, 1, 2, 3),
		});
	});

	it("reads a .zip and a folder of files", async () => {
		const zip = zipOf([...objects].map(([key, bytes]) => [`d.zarr/${key}`, bytes]));
		const files = new Map([...objects].map(([key, bytes]) => [key, new Blob([bytes])]));
		for (const from of [new File([zip], "d.zip"), files, new MemorySource(objects)]) {
			using loader = await DataLoader.open(from);
			const { label } = await loader.rows(90, 110);
			expect(label?.data).toEqual(rowsOf(90, 110).label);
		}
	});

	it("rejects for absent and damaged chunks, and remains usable", async () => {
		const source = new CountedSource();
		using loader = await DataLoader.open(source);
		const damages: readonly [string, (bytes: Uint8Array) => Uint8Array | undefined][] =
			[
				["missing_key", () => undefined],
				["corrupt_chunk", (bytes) => bytes.subarray(0, bytes.length - 1)],
				["corrupt_chunk", () => new Uint8Array()],
			];
		for (const [code, damage] of damages) {
			source.change = (key) => {
				const bytes = objects.get(key);
				return key === "label/0" && bytes ? damage(bytes) : bytes;
			};
			await expect(loader.rows(0, 10)).rejects.toMatchObject({ code });
			source.change = (key) => objects.get(key);
			loader.clear();
			expect((await loader.rows(0, 10)).label?.data).toEqual(rowsOf(0, 10).label);
			loader.clear();
		}
	});

	it("detects that the data set was replaced since it was opened", async () => {
		const other = new Map<string, Uint8Array<ArrayBuffer>>();
		using saver = await DataSaver.open(CONFIG, toMap(other));
		await saver.save(rowsOf(1000, 1300));
		await saver.commit();
		const source = new CountedSource();
		using loader = await DataLoader.open(source);
		source.change = (key) => other.get(key);
		await expect(loader.rows(0, 10)).rejects.toMatchObject({ code: "changed" });
		source.change = () => undefined;
		await expect(loader.rows(0, 10)).rejects.toMatchObject({ code: "missing_key" });
	});

	it("stops with the caller's reason, and goes on with the next call", async () => {
		const source = new CountedSource();
		using loader = await DataLoader.open(source);
		const control = new AbortController();
		source.change = (key) => {
			control.abort(new Error("stop"));
			return objects.get(key);
		};
		const options = { signal: control.signal };
		await expect(loader.rows(0, 300, options)).rejects.toThrow("stop");
		await expect(loader.rows(0, 1, options)).rejects.toThrow("stop");
		source.change = (key) => objects.get(key);
		expect((await loader.rows(3, 5)).label?.data).toEqual(rowsOf(3, 5).label);
		loader.close();
		await expect(loader.rows(0, 1)).rejects.toThrow("loader: closed");
	});

	it("refuses other stores", async () => {
		await expect(DataLoader.open(new Map())).rejects.toMatchObject({
			code: "missing_key",
		});
		const text = (json: object) => new TextEncoder().encode(JSON.stringify(json));
		const group = { metadata: { ".zgroup": { zarr_format: 2 } } };
		for (const [json, code] of [
			[group, "invalid_argument"],
			[{}, "invalid_metadata"],
		] as const) {
			const from = new Map([[".zmetadata", text(json)]]);
			await expect(DataLoader.open(from)).rejects.toMatchObject({ code });
		}
	});

	it("refuses a size of batches that is not positive", async () => {
		using loader = await DataLoader.open(objects);
		for (const size of [0, -1, 1.5]) {
			await expect(loader.batches(size).next()).rejects.toMatchObject({
				code: "invalid_argument",
			});
		}
	});
});
