import { describe, expect, it } from "vitest";
import type { PackedResult } from "../../src/arrays/result.js";
import { FactStore } from "../../src/facts/fact-store.js";
import { MemoryStorage } from "../support/memory-storage.js";

function packed(value: number): PackedResult {
	const view = "Float64Array" as const;
	const array = { name: "scenes.x", dtype: "<f8", shape: [2], view };
	const arrays = [{ ...array, byteOffset: 0, length: 2 }];
	// Longer than its arrays, as pooled buffers are.
	return { arrays, buffer: new Float64Array([value, 2, 9]).buffer };
}

const firstOf = (found: PackedResult | undefined): number | undefined =>
	found && new Float64Array(found.buffer, 0, 1)[0];

async function stored(storage: MemoryStorage, identity = "state"): Promise<FactStore> {
	return FactStore.open("1 map", identity, storage);
}

const CHUNKS = [["agents/0", "one"]] as const;
const current = async (): Promise<boolean> => true;

describe("facts/fact-store", () => {
	it("entries outlive the store", async () => {
		const storage = new MemoryStorage();
		const first = await stored(storage);
		first.write(0, 16, packed(7), CHUNKS);
		expect(firstOf(await first.read(0, 16, current))).toBe(7);
		await first.settled();
		const second = await stored(storage);
		const found = await second.read(0, 16, current);
		expect(firstOf(found)).toBe(7);
		expect(found?.arrays).toEqual(packed(7).arrays);
		expect(found?.buffer.byteLength).toBe(16);
		expect(await second.read(16, 32, current)).toBeUndefined();
	});

	it("those of another state, version or map count as absent", async () => {
		const storage = new MemoryStorage();
		const first = await stored(storage);
		first.write(0, 16, packed(7), CHUNKS);
		await first.settled();
		expect(
			await (await stored(storage, "changed")).read(0, 16, current),
		).toBeUndefined();
		const other = await FactStore.open("2 map", "state", storage);
		expect(await other.read(0, 16, current)).toBeUndefined();
		expect(await (await stored(storage)).read(0, 12, current)).toBeUndefined();
	});

	it("stored entries are returned if their chunks are current, and removed if not", async () => {
		const storage = new MemoryStorage();
		const first = await stored(storage);
		first.write(0, 16, packed(7), CHUNKS);
		first.write(16, 32, packed(8), undefined);
		await first.settled();
		expect(storage.files.size).toBe(1);
		const asked: unknown[] = [];
		const second = await stored(storage);
		const changed = async (chunks: unknown): Promise<boolean> => {
			asked.push(chunks);
			return false;
		};
		expect(await second.read(0, 16, changed)).toBeUndefined();
		expect(asked).toEqual([CHUNKS]);
		await second.settled();
		expect(storage.files.size).toBe(0);
		// In memory: of the data that this page has read.
		expect(firstOf(await first.read(16, 32, changed))).toBe(8);
	});

	it("damaged entries count as absent, and are replaced", async () => {
		const storage = new MemoryStorage();
		const first = await stored(storage);
		first.write(0, 16, packed(7), CHUNKS);
		await first.settled();
		for (const bytes of storage.files.values()) bytes[bytes.length - 1] = 99;
		const second = await stored(storage);
		expect(await second.read(0, 16, current)).toBeUndefined();
		second.write(0, 16, packed(8), CHUNKS);
		await second.settled();
		expect(firstOf(await (await stored(storage)).read(0, 16, current))).toBe(8);
		expect(storage.files.size).toBe(1);
	});

	it("without an identity, entries are kept in memory only", async () => {
		const storage = new MemoryStorage();
		const store = await FactStore.open("1 map", undefined, storage);
		store.write(0, 16, packed(7), CHUNKS);
		await store.settled();
		expect(firstOf(await store.read(0, 16, current))).toBe(7);
		expect(storage.files.size).toBe(0);
	});

	it("memory is limited: the entry used longest ago is dropped", async () => {
		const store = await FactStore.open("1 map", undefined);
		const large = (): PackedResult => ({
			arrays: [],
			buffer: new ArrayBuffer(2 ** 25),
		});
		store.write(0, 16, large(), CHUNKS);
		store.write(16, 32, large(), CHUNKS);
		await store.read(0, 16, current);
		store.write(32, 48, large(), CHUNKS);
		expect(await store.read(16, 32, current)).toBeUndefined();
		expect(await store.read(0, 16, current)).toBeDefined();
		expect(await store.read(32, 48, current)).toBeDefined();
	});
});
