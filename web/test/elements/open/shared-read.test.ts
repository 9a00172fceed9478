import { describe, expect, it } from "vitest";
import { sharedRead } from "../../../src/elements/open/shared-read.js";

describe("a read that callers share", () => {
	it("goes on for one while another aborts, whichever came first", async () => {
		for (const aborting of [0, 1]) {
			let resolve: (tags: string) => void = () => {};
			const promise = new Promise<string>((resolved) => {
				resolve = resolved;
			});
			let reads = 0;
			const read = sharedRead(() => {
				reads += 1;
				return promise;
			});
			const abort = new AbortController();
			const calls = [0, 1].map((i) =>
				read(i === aborting ? { signal: abort.signal } : {}),
			);
			abort.abort();
			await expect(calls[aborting]).rejects.toThrow("abort");
			resolve("tags");
			expect(await calls[1 - aborting]).toBe("tags");
			expect(await read({})).toBe("tags");
			expect(reads).toBe(1);
		}
	});

	it("is repeated after an error, and does not begin for an aborted caller", async () => {
		let reads = 0;
		const read = sharedRead(async () => {
			reads += 1;
			if (reads === 1) throw new Error("no network");
			return reads;
		});
		await expect(read({ signal: AbortSignal.abort() })).rejects.toThrow("abort");
		expect(reads).toBe(0);
		const first = [read({}), read({})];
		for (const one of first) await expect(one).rejects.toThrow("no network");
		expect(reads).toBe(1);
		expect(await read({})).toBe(2);
	});
});
