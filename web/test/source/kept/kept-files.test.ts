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
		expect((await files.read("a"))?.size).toBe(30);
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
		shelf.files.delete("a"); // there would be room again
		files.append("c", ten, () => (written += 1));
		await files.settled();
		expect([written, shelf.size]).toEqual([1, 0]);
		expect(await files.read("a")).toBeUndefined();
	});
});
