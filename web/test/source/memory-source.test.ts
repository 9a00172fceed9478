import { describe, expect, it } from "vitest";
import { MemorySource } from "../../src/source/memory-source.js";

describe("source/memory-source", () => {
	const bytes = Uint8Array.of(1, 2, 3, 4);
	const source = new MemorySource({ "a/0": bytes });

	it("gives a copy of what is there, undefined for what is not", async () => {
		const got = await source.read("a/0");
		expect(got).toEqual(bytes);
		expect(got?.buffer).not.toBe(bytes.buffer);
		await expect(source.read("a/1")).resolves.toBeUndefined();
	});

	it("cuts a range at the end of the object", async () => {
		const read = (begin: number, end: number) =>
			source.read("a/0", { range: { begin, end } });
		await expect(read(1, 3)).resolves.toEqual(Uint8Array.of(2, 3));
		await expect(read(2, 9)).resolves.toEqual(Uint8Array.of(3, 4));
	});

	it("tells how long what is there is", async () => {
		await expect(source.size("a/0")).resolves.toBe(4);
		await expect(source.size("a/1")).resolves.toBeUndefined();
	});

	it("takes entries as well as an object", async () => {
		const same = new MemorySource(new Map([["k", bytes]]));
		await expect(same.read("k")).resolves.toEqual(bytes);
	});

	it("rejects when aborted", async () => {
		const signal = AbortSignal.abort(new Error("no"));
		await expect(source.read("a/0", { signal })).rejects.toThrow("no");
	});
});
