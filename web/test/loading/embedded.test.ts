import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compile } from "../../src/loading/compile.js";
import { provide, provided } from "../../src/loading/embedded.js";

describe("loading/embedded", () => {
	it("compiles the embedded module once provided", async () => {
		expect(provided("wasm")).toBeUndefined();
		const zipped = (...bytes: number[]) =>
			gzipSync(Uint8Array.from(bytes)).toString("base64");
		const empty = zipped(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
		provide({ wasm: empty, worker: zipped(119) });
		await expect(provided("worker")).resolves.toEqual(Uint8Array.of(119));
		const { module, streaming } = await compile(undefined);
		expect(module).toBeInstanceOf(WebAssembly.Module);
		expect(streaming).toBe(false);
		expect(provided("tools")).toBeUndefined();
		provide({ wasm: empty, worker: zipped(), tools: zipped(116) });
		await expect(provided("tools")).resolves.toEqual(Uint8Array.of(116));
		expect(provided("reviewWorker")).toBeUndefined();
	});
});
