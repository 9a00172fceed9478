import { describe, expect, it } from "vitest";
import { openArray } from "../../src/save.js";
import { FakeFolder } from "../support/fake-folder.js";

const NEW = {
	mode: "w",
	shape: [8],
	dtype: "|u1",
	chunks: [4],
	codec: "none",
} as const;

describe("saving: folderArrays", () => {
	it("an array in a folder is created, changed, listed and removed", async () => {
		const folder = new FakeFolder();
		using array = await openArray(folder.handle, "g/x", NEW);
		await array.assign([{ begin: 2, end: 6 }], 5);
		expect((await array.read()).data).toEqual(Uint8Array.of(0, 0, 5, 5, 5, 5, 0, 0));
		expect(await array.info()).toMatchObject({ storedChunks: 2 });
		await array.resize([3]);
		const inside = folder.folders.get("g")?.folders.get("x");
		expect([...(inside?.files.keys() ?? [])].sort()).toEqual([".zarray", "0"]);
		using again = await openArray(folder.handle, "g/x", NEW);
		expect((await again.read()).data).toEqual(new Uint8Array(8));
	});

	it("an empty file, of a creation that was interrupted, is an absent chunk", async () => {
		const folder = new FakeFolder();
		using array = await openArray(folder.handle, "x", NEW);
		folder.folders.get("x")?.write("1", "");
		await array.assign([0], 7);
		expect((await array.read()).data).toEqual(Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0));
		await array.assign([5], 8);
		expect((await array.read([{ begin: 4 }])).data).toEqual(Uint8Array.of(0, 8, 0, 0));
	});

	it("a file system that fails leaves the old chunk", async () => {
		const folder = new FakeFolder();
		using array = await openArray(folder.handle, "x", NEW);
		await array.assign([], 1);
		const inside = folder.folders.get("x") as FakeFolder;
		for (const at of ["write", "close"]) {
			inside.onWrite = (step) => {
				if (step === at) throw new DOMException("full", "QuotaExceededError");
			};
			await expect(array.assign([0], 2)).rejects.toMatchObject({ code: "io" });
			inside.onWrite = () => {};
			expect((await array.read([0])).data).toEqual(Uint8Array.of(1));
		}
	});
});
