import { describe, expect, it } from "vitest";
import { CacheFiles } from "../../../src/source/cache/cache-files.js";
import { MemoryStorage } from "../../support/memory-storage.js";

const ten = new Uint8Array(10);

describe("source/cache/cache-files", () => {
	it("returns the offset of appended bytes", async () => {
		const files = new CacheFiles(new MemoryStorage(), 100);
		const places: number[] = [];
		for (let i = 0; i < 3; i += 1) files.append("a", ten, (at) => places.push(at));
		await files.settled();
		expect(places).toEqual([0, 10, 20]);
		expect(await files.use("a", async ({ size }) => size)).toBe(30);
	});

	it("evicts the oldest files to stay within its limit", async () => {
		const storage = new MemoryStorage();
		for (const name of ["a", "b", "c"]) await storage.append(name, ten);
		await storage.append("a", ten);
		const files = new CacheFiles(storage, 45);
		files.append("d", ten, () => {});
		await files.settled();
		expect([...storage.files.keys()]).toEqual(["a", "c", "d"]);
	});

	it("writes nothing above its limit", async () => {
		const storage = new MemoryStorage();
		const files = new CacheFiles(storage, 25);
		let written = 0;
		for (let i = 0; i < 3; i += 1) files.append("a", ten, () => (written += 1));
		await files.settled();
		expect([written, storage.size]).toEqual([2, 20]);
	});

	it("stops writing once storage is full, and continues reading", async () => {
		const storage = new MemoryStorage(15);
		const files = new CacheFiles(storage, 1000);
		let written = 0;
		files.append("a", ten, () => (written += 1));
		files.append("b", ten, () => (written += 1));
		await files.settled();
		storage.files.delete("a"); // now there would be space again
		files.append("c", ten, () => (written += 1));
		await files.settled();
		expect([written, storage.size]).toEqual([1, 0]);
		expect(await files.use("a", async ({ size }) => size)).toBeUndefined();
	});

	it("evicts nothing for bytes that cannot fit", async () => {
		const storage = new MemoryStorage();
		for (const name of ["a", "b"]) await storage.append(name, ten);
		const files = new CacheFiles(storage, 25);
		files.append("c", new Uint8Array(26), () => {});
		files.append("a", new Uint8Array(16), () => {});
		await files.settled();
		expect([...storage.files.keys()]).toEqual(["a", "b"]);
	});

	it("lists again after a failed listing", async () => {
		const storage = new MemoryStorage();
		const list = storage.list.bind(storage);
		let failures = 1;
		storage.list = async () => {
			failures -= 1;
			if (failures >= 0) throw new DOMException("gone", "NotFoundError");
			return list();
		};
		const files = new CacheFiles(storage, 100);
		files.append("a", ten, () => {});
		files.append("b", ten, () => {});
		await files.settled();
		expect([...storage.files.keys()]).toEqual(["b"]);
	});

	it("evicts by current files, including other pages'", async () => {
		const storage = new MemoryStorage();
		const files = new CacheFiles(storage, 45);
		files.append("a", ten, () => {});
		await files.settled();
		for (const name of ["b", "c", "d"]) await storage.append(name, ten); // another page
		files.append("a", ten, () => {});
		files.append("e", ten, () => {});
		files.append("f", ten, () => {});
		await files.settled();
		expect(storage.size).toBeLessThanOrEqual(45);
		expect([...storage.files.keys()]).toContain("f");
	});

	it("skips a file that cannot be removed", async () => {
		const storage = new MemoryStorage();
		for (const name of ["a", "b", "c"]) await storage.append(name, ten);
		const remove = storage.remove.bind(storage);
		storage.remove = async (name) => {
			if (name === "a") throw new DOMException("open", "NoModificationAllowedError");
			await remove(name);
		};
		const files = new CacheFiles(storage, 35);
		files.append("d", ten, () => {});
		await files.settled();
		expect([...storage.files.keys()]).toEqual(["a", "c", "d"]);
	});
});
