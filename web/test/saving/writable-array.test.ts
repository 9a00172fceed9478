import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { get, open, root } from "zarrita";
import {
	type ArrayStore,
	nodeArrays,
	type OpenArrayOptions,
	openArray,
	type SoleWriter,
	type WritableArray,
} from "../../src/save.js";
import { lockArray } from "../../src/saving/array-store.js";

type Objects = Map<string, Uint8Array<ArrayBuffer>>;

/** Arrays in memory; tests fail, delay and count requests. */
class MemoryArrays implements ArrayStore {
	readonly name = "memory";
	readonly log: string[] = [];
	onStep: (step: string) => unknown = () => {};

	constructor(readonly objects: Objects = new Map()) {}

	async #step(step: string): Promise<void> {
		this.log.push(step);
		await this.onStep(step);
	}

	async read(key: string) {
		await this.#step(`read ${key}`);
		return { bytes: this.objects.get(key) };
	}

	async replace(key: string, bytes: Uint8Array<ArrayBuffer>) {
		await this.#step(`replace ${key}`);
		this.objects.set(key, bytes);
		return true;
	}

	async remove(key: string) {
		await this.#step(`remove ${key}`);
		this.objects.delete(key);
	}

	async list(path: string) {
		const found = [...this.objects].filter(([key]) => key.startsWith(`${path}/`));
		return found.map(([key, { length }]) => ({ key, size: length }));
	}

	lock(array: string, name: string, exclusive: boolean) {
		return lockArray("memory", array, name, exclusive);
	}
}

const folders: string[] = [];

afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const NEW: OpenArrayOptions = {
	...{ mode: "w-", shape: [20], dtype: "<f4", chunks: [6], fillValue: 9 },
};

async function numbersOf(array: WritableArray): Promise<number[]> {
	return [...((await array.read()).data as Float32Array)];
}

/** A step that waits until it is let go. */
function pauseAt(store: MemoryArrays, wanted: string) {
	let [reach, go] = [(): void => {}, (): void => {}];
	const reached = new Promise<void>((resolve) => {
		reach = resolve;
	});
	const gone = new Promise<void>((resolve) => {
		go = resolve;
	});
	store.onStep = (step) => {
		if (step !== wanted) return undefined;
		reach();
		return gone;
	};
	return { reached, go };
}

describe("saving: openArray", () => {
	it("assigns slices, steps, rows, masks and one value, in touched chunks only", async () => {
		const store = new MemoryArrays();
		using array = await openArray(store, "g/x", NEW);
		const expected = new Array<number>(20).fill(9);
		expect(await numbersOf(array)).toEqual(expected);
		await array.assign([{ begin: 2, end: 5 }], Float32Array.of(1, 2, 3));
		expected.splice(2, 3, 1, 2, 3);
		await array.assign([{ begin: -1, end: 12, step: -3 }], -0.5);
		for (const i of [19, 16, 13]) expected[i] = -0.5;
		await array.assign({ rows: [7, 0] }, new Float32Array([70, 71]));
		[expected[7], expected[0]] = [70, 71];
		const mask = Uint8Array.from({ length: 20 }, (_, i) => Number(i === 10));
		await array.assign({ mask }, Number.POSITIVE_INFINITY);
		expected[10] = Number.POSITIVE_INFINITY;
		const where = [...mask].map((kept) => kept === 0);
		store.log.length = 0;
		await array.assign([{ begin: 9, end: 11 }], 4, { where: where.slice(9, 11) });
		expected[9] = 4;
		expect(await numbersOf(array)).toEqual(expected);
		expect(store.log.filter((step) => step.startsWith("replace"))).toEqual([
			"replace g/x/1",
		]);
		await array.assign([3], 8);
		expect((await array.read([3])).shape).toEqual([]);
		expect([...store.objects.keys()].sort()).toEqual(
			[
				".zgroup",
				"g/.zgroup",
				"g/x/.zarray",
				"g/x/0",
				"g/x/1",
				"g/x/2",
				"g/x/3",
			].sort(),
		);
	});

	it("appends, resizes, and tells what the array occupies", async () => {
		const store = new MemoryArrays();
		const spec = { ...NEW, shape: [0, 3], chunks: [4, 2], dtype: ">i2", codec: "zlib" };
		using array = await openArray(store, "x", spec);
		const rows = Int16Array.from({ length: 15 }, (_, i) => i - 5);
		expect(await array.append(rows)).toEqual([5, 3]);
		expect((await array.read()).data).toEqual(rows);
		expect((await array.read([null, 1])).data).toEqual(Int16Array.of(-4, -1, 2, 5, 8));
		const { storedBytes, ...info } = await array.info();
		expect(storedBytes).toBeGreaterThan(100);
		expect(info).toMatchObject({ shape: [5, 3], chunkCount: 4, storedChunks: 4 });
		expect(info.compressor).toEqual({ id: "zlib", level: 1 });
		await array.resize([3, 1]);
		await array.resize([4, 2]);
		expect((await array.read()).data).toEqual(Int16Array.of(-5, 9, -2, 9, 1, 9, 9, 9));
		expect((await array.info()).storedChunks).toBe(1);
	});

	it("assigns fields of records, from columns that were read", async () => {
		const dtype = [
			["yaw", "<f4"],
			["id", "<u8"],
			["at", "<f8", [2]],
		] as const;
		const spec = { ...NEW, shape: [3], chunks: [2], dtype, fillValue: null };
		using array = await openArray(new MemoryArrays(), "x", spec);
		await array.assign([], { yaw: Float32Array.of(1, 2, 3), at: 0.5 });
		await array.assign([2], { id: 2n ** 63n });
		const read = await array.columns();
		expect(read.at).toMatchObject({ shape: [3, 2], dtype: "<f8" });
		expect(read.id?.data).toEqual(BigUint64Array.of(0n, 0n, 2n ** 63n));
		expect(await array.append(read)).toEqual([6]);
		expect((await array.read([{ begin: 3 }], { field: "yaw" })).data).toEqual(
			Float32Array.of(1, 2, 3),
		);
		const refused = { code: "invalid_argument" };
		await expect(array.read()).rejects.toMatchObject(refused);
		await expect(array.append({ yaw: Float32Array.of(1) })).rejects.toMatchObject(
			refused,
		);
		await expect(array.assign([], { yaw: new Float64Array(6) })).rejects.toThrow(
			/yaw: wrong type of values \(found <f8, expected <f4\)/,
		);
		await expect(array.assign([], { other: 1 })).rejects.toMatchObject({
			code: "not_found",
		});
	});

	it("opens by mode, and refuses options that do not fit", async () => {
		const store = new MemoryArrays();
		const failure = async (options: OpenArrayOptions, path = "x") => {
			const opened = openArray(store, path, options);
			return opened.then(
				(array) => array.close(),
				(error: { code?: string }) => error.code,
			);
		};
		expect(await failure({})).toBe("not_found");
		expect(await failure({ ...NEW, mode: "r+" })).toBe("invalid_argument");
		expect(await failure({ mode: "w" })).toBe("invalid_argument");
		expect(await failure({ mode: "a", chunks: [3] })).toBe("invalid_argument");
		expect(await failure({ mode: "toString" as never })).toBe("invalid_argument");
		expect(await failure({ ...NEW, codec: "lzma" })).toBe("invalid_argument");
		expect(await failure(NEW, "../x")).toBe("invalid_argument");
		expect(store.log.filter((step) => step.startsWith("replace"))).toEqual([]);
		expect(await failure(NEW)).toBeUndefined();
		expect(await failure(NEW)).toBe("invalid_argument");
		expect(await failure({ ...NEW, mode: "a" })).toBeUndefined();
		expect(await failure({ ...NEW, mode: "a", shape: [3] })).toBe("invalid_argument");
		using array = await openArray(store, "x");
		await array.assign([], 1);
		expect(await failure({ ...NEW, mode: "w" })).toBeUndefined();
		expect(await numbersOf(array)).toEqual(new Array(20).fill(9));
		array.close();
		await expect(array.refresh()).rejects.toMatchObject({ code: "closed" });
	});

	it("creates version 3 in groups of version 3", async () => {
		const store = new MemoryArrays();
		const spec = { ...NEW, zarrFormat: 3, codec: "zstd" } as const;
		using array = await openArray(store, "g/x", spec);
		await array.append(new Float32Array(5));
		expect([...store.objects.keys()].sort()).toEqual(
			["g/x/c/3", "g/x/c/4", "g/x/zarr.json", "g/zarr.json", "zarr.json"].sort(),
		);
		await expect(openArray(store, "g/y", NEW)).rejects.toMatchObject({
			code: "unsupported",
		});
	});

	it.each([2, 3] as const)(
		"zarrita reads what is written: version %i",
		async (format) => {
			const objects: Objects = new Map();
			using array = await openArray(new MemoryArrays(objects), "g/x", {
				...{
					mode: "w",
					shape: [6, 3],
					chunks: [4, 2],
					dtype: "<f4",
					zarrFormat: format,
				},
				...{ codec: "blosc:zstd", fillValue: -1 },
			});
			await array.assign([{ begin: 1, end: 4 }, { begin: 1 }], 5);
			await array.append(Float32Array.of(1, 2, 3));
			const rooted = new Map([...objects].map(([key, bytes]) => [`/${key}`, bytes]));
			const found = await get(
				await open(root(rooted).resolve("g/x"), { kind: "array" }),
			);
			expect(found.shape).toEqual([7, 3]);
			expect(found.data).toEqual((await array.read()).data);
			const [first, second] = [
				[-1, -1, -1],
				[-1, 5, 5],
			];
			const expected = [first, second, second, second, first, first, [1, 2, 3]];
			expect([...(found.data as Float32Array)]).toEqual(expected.flat());
		},
	);

	it("zarr-python reads what Node writes", async () => {
		const folder = mkdtempSync(join(tmpdir(), "bev-arrays-"));
		folders.push(folder);
		const store = nodeArrays(folder, { soleWriter: true });
		using array = await openArray(store, "x", { ...NEW, codec: "zlib", order: "F" });
		await array.assign([{ begin: 3, end: 9 }], 2.5);
		const script =
			"import sys, zarr; print(zarr.open(sys.argv[1], 'r')['x'][:].tolist())";
		const said = execFileSync("/usr/bin/python3", ["-c", script, folder]);
		expect(JSON.parse(said.toString())).toEqual(await numbersOf(array));
	});

	it("writers of one chunk take turns, and neither loses rows", async () => {
		const store = new MemoryArrays();
		using one = await openArray(store, "x", NEW);
		using two = await openArray(new MemoryArrays(store.objects), "x");
		const { reached, go } = pauseAt(store, "replace x/0");
		const first = one.assign([{ begin: 0, end: 3 }], 1);
		await reached;
		const second = two.assign([{ begin: 3, end: 8 }], 2);
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(store.objects.has("x/0")).toBe(false);
		go();
		await Promise.all([first, second]);
		expect((await numbersOf(one)).slice(0, 9)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 9]);
	});

	it("a call that fails or is aborted at any step leaves old or new chunks, and no lock", async () => {
		for (const aborts of [false, true]) {
			for (let end = 0; end < 12; end += 1) {
				const store = new MemoryArrays();
				using array = await openArray(store, "x", NEW);
				await array.assign([], 1);
				const control = new AbortController();
				let step = 0;
				store.onStep = () => {
					step += 1;
					if (step <= end) return;
					if (!aborts) throw new Error("ended");
					control.abort();
				};
				const work = array.assign([{ begin: 3, end: 10 }], 2, {
					signal: control.signal,
				});
				const failed = await work.then(
					() => false,
					() => true,
				);
				store.onStep = () => {};
				const found = await numbersOf(array);
				expect(new Set(found.slice(3, 6)).size).toBe(1);
				expect(new Set(found.slice(6, 10)).size).toBe(1);
				using other = await openArray(store, "x");
				await other.assign([], 3);
				if (!failed) break;
				expect(end).toBeLessThan(11);
			}
		}
	});

	it("an abort ends the wait for a lock, and gives it back", async () => {
		const store = new MemoryArrays();
		using array = await openArray(store, "x", NEW);
		const release = await store.lock("x", "0", true);
		const control = new AbortController();
		const waits = array.assign([0], 1, { signal: control.signal });
		setTimeout(() => control.abort(new Error("enough")), 10);
		await expect(waits).rejects.toThrow("enough");
		release();
		await array.assign([0], 2);
		expect((await numbersOf(array))[0]).toBe(2);
	});

	it("consolidated metadata follows, also of a store that has the array's name", async () => {
		const store = new MemoryArrays();
		store.objects.set(".zmetadata", new TextEncoder().encode('{"metadata": {}}'));
		using array = await openArray(store, "memory", NEW);
		await array.resize([7]);
		const text = new TextDecoder().decode(store.objects.get(".zmetadata"));
		expect(JSON.parse(text).metadata["memory/.zarray"].shape).toEqual([7]);
	});
});

describe("saving: nodeArrays", () => {
	it("writes files, of which readers see the old or the new one", async () => {
		const folder = mkdtempSync(join(tmpdir(), "bev-arrays-"));
		folders.push(folder);
		const store = nodeArrays(folder, { soleWriter: true });
		using array = await openArray(store, "g/x", { ...NEW, codec: "blosc:zstd" });
		await array.assign([{ begin: 5, end: 13 }], 2);
		expect(readdirSync(join(folder, "g/x")).sort()).toEqual([".zarray", "0", "1", "2"]);
		expect(await array.info()).toMatchObject({ chunkCount: 4, storedChunks: 3 });
		await array.resize([6]);
		expect(readdirSync(join(folder, "g/x")).sort()).toEqual([".zarray", "0"]);
		using root = await openArray(nodeArrays(`${folder}/g/x`, { soleWriter: true }), "");
		expect(await numbersOf(root)).toEqual([9, 9, 9, 9, 9, 2]);
	});

	it("refuses a folder that other processes may write", () => {
		expect(() => nodeArrays("/data", {} as SoleWriter)).toThrow(
			/Node cannot lock arrays against other processes/,
		);
	});
});
