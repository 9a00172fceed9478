import { describe, expect, it } from "vitest";
import { MemorySource } from "../../src/source/source.js";

describe("source/source: MemorySource", () => {
	const bytes = Uint8Array.of(1, 2, 3, 4);
	const source = new MemorySource({ "a/0": bytes });

	it("returns a copy of an object, or undefined", async () => {
		const got = await source.read("a/0");
		expect(got).toEqual(bytes);
		expect(got?.buffer).not.toBe(bytes.buffer);
		await expect(source.read("a/1")).resolves.toBeUndefined();
	});

	it("clips a range at the object's end", async () => {
		const read = (begin: number, end: number) =>
			source.read("a/0", { range: { begin, end } });
		await expect(read(1, 3)).resolves.toEqual(Uint8Array.of(2, 3));
		await expect(read(2, 9)).resolves.toEqual(Uint8Array.of(3, 4));
	});

	it("returns an object's length", async () => {
		await expect(source.size("a/0")).resolves.toBe(4);
		await expect(source.size("a/1")).resolves.toBeUndefined();
	});

	it("accepts entries and objects", async () => {
		const same = new MemorySource(new Map([["k", bytes]]));
		await expect(same.read("k")).resolves.toEqual(bytes);
	});

	it("rejects when aborted", async () => {
		const signal = AbortSignal.abort(new Error("no"));
		await expect(source.read("a/0", { signal })).rejects.toThrow("no");
	});
});
