import { describe, expect, it } from "vitest";
import { KeptFiles } from "../../../src/source/kept/kept-files.js";
import { MemoryShelf } from "../../support/memory-shelf.js";

const ten = new Uint8Array(10);

describe("source/kept/kept-files", () => {
	it("says where in the file the bytes were put", async () => {
		const files = new KeptFiles(new MemoryShelf(), 100);
		const places: number[] = [];
		for (let i = 0; i < 3; i += 1) files.append("a", ten, (at) => places.push(at));
		await files.settled();
		expect(places).toEqual([0, 10, 20]);
		expect(await files.use("a", async ({ size }) => size)).toBe(30);
	});

	it("removes what was written longest ago to stay within its limit", async () => {
		const shelf = new MemoryShelf();
		for (const name of ["a", "b", "c"]) await shelf.append(name, ten);
		await shelf.append("a", ten);
		const files = new KeptFiles(shelf, 45);
		files.append("d", ten, () => {});
		await files.settled();
		expect([...shelf.files.keys()]).toEqual(["a", "c", "d"]);
	});

	it("writes nothing that is larger than its limit", async () => {
		const shelf = new MemoryShelf();
		const files = new KeptFiles(shelf, 25);
		let written = 0;
		for (let i = 0; i < 3; i += 1) files.append("a", ten, () => (written += 1));
		await files.settled();
		expect([written, shelf.size]).toEqual([2, 20]);
	});

	it("stops writing once storage is full, and goes on reading", async () => {
		const shelf = new MemoryShelf(15);
		const files = new KeptFiles(shelf, 1000);
		let written = 0;
		files.append("a", ten, () => (written += 1));
		files.append("b", ten, () => (written += 1));
		await files.settled();
		shelf.files.delete("a"); // now there would be space again
		files.append("c", ten, () => (written += 1));
		await files.settled();
		expect([written, shelf.size]).toEqual([1, 0]);
		expect(await files.use("a", async ({ size }) => size)).toBeUndefined();
	});

	it("removes nothing for bytes that cannot fit", async () => {
		const shelf = new MemoryShelf();
		for (const name of ["a", "b"]) await shelf.append(name, ten);
		const files = new KeptFiles(shelf, 25);
		files.append("c", new Uint8Array(26), () => {});
		files.append("a", new Uint8Array(16), () => {});
		await files.settled();
		expect([...shelf.files.keys()]).toEqual(["a", "b"]);
	});

	it("lists again after a listing that failed", async () => {
		const shelf = new MemoryShelf();
		const list = shelf.list.bind(shelf);
		let failures = 1;
		shelf.list = async () => {
			failures -= 1;
			if (failures >= 0) throw new DOMException("gone", "NotFoundError");
			return list();
		};
		const files = new KeptFiles(shelf, 100);
		files.append("a", ten, () => {});
		files.append("b", ten, () => {});
		await files.settled();
		expect([...shelf.files.keys()]).toEqual(["b"]);
	});

	it("evicts by what is there now, other pages' files included", async () => {
		const shelf = new MemoryShelf();
		const files = new KeptFiles(shelf, 45);
		files.append("a", ten, () => {});
		await files.settled();
		for (const name of ["b", "c", "d"]) await shelf.append(name, ten); // another page
		files.append("a", ten, () => {});
		files.append("e", ten, () => {});
		files.append("f", ten, () => {});
		await files.settled();
		expect(shelf.size).toBeLessThanOrEqual(45);
		expect([...shelf.files.keys()]).toContain("f");
	});

	it("leaves a file that cannot be removed, and removes the next", async () => {
		const shelf = new MemoryShelf();
		for (const name of ["a", "b", "c"]) await shelf.append(name, ten);
		const remove = shelf.remove.bind(shelf);
		shelf.remove = async (name) => {
			if (name === "a") throw new DOMException("open", "NoModificationAllowedError");
			await remove(name);
		};
		const files = new KeptFiles(shelf, 35);
		files.append("d", ten, () => {});
		await files.settled();
		expect([...shelf.files.keys()]).toEqual(["a", "c", "d"]);
	});
});
