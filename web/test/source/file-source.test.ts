import { describe, expect, it } from "vitest";
import { FileSource } from "../../src/source/file-source.js";

const text = (content: string): Blob => new Blob([content]);

describe("source/file-source", () => {
	const files = new Map([
		["scenes/town.zarr/.zgroup", text("{}")],
		["scenes/town.zarr/agents/.zarray", text("{}")],
		["scenes/town.zarr/agents/0", text("0123456789")],
		["other.zarr/.zarray", text("{}")],
		["meta.json", text("{}")],
	]);
	const source = new FileSource(files);

	it("finds the data sets, nearest first, and not the arrays inside them", async () => {
		await expect(source.roots()).resolves.toEqual(["other.zarr", "scenes/town.zarr"]);
		await expect(new FileSource(files, "scenes/town.zarr").roots()).resolves.toEqual([
			"",
		]);
		await expect(new FileSource(new Map()).roots()).resolves.toEqual([]);
	});

	it("reads keys below a folder, undefined without a file", async () => {
		const town = source.below("scenes/town.zarr");
		const decoded = new TextDecoder().decode(await town.read("agents/0"));
		expect(decoded).toBe("0123456789");
		await expect(town.read("agents/1")).resolves.toBeUndefined();
		await expect(town.read("meta.json")).resolves.toBeUndefined();
	});

	it("returns a file's length", async () => {
		await expect(source.size("scenes/town.zarr/agents/0")).resolves.toBe(10);
		await expect(source.size("scenes/town.zarr/agents/1")).resolves.toBeUndefined();
	});

	it("reads a range without the rest", async () => {
		const range = { begin: 3, end: 5 };
		const bytes = await source.read("scenes/town.zarr/agents/0", { range });
		expect([...(bytes ?? [])]).toEqual([0x33, 0x34]);
	});

	it("rejects when aborted", async () => {
		const signal = AbortSignal.abort(new Error("stop"));
		await expect(source.read("meta.json", { signal })).rejects.toThrow("stop");
	});
});
