import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compile } from "../../src/loading/compile.js";
import { provide, provided } from "../../src/loading/embedded.js";

describe("loading/embedded", () => {
	it("compiles the embedded module once provided", async () => {
		expect(provided()).toBeUndefined();
		const zipped = (...bytes: number[]) =>
			gzipSync(Uint8Array.from(bytes)).toString("base64");
		const empty = zipped(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
		provide({ wasm: empty, worker: "postMessage({ type: 'ready' })" });
		await expect(provided()?.worker.text()).resolves.toContain("ready");
		const { module, streaming } = await compile(undefined);
		expect(module).toBeInstanceOf(WebAssembly.Module);
		expect(streaming).toBe(false);
		expect(provided()?.tools).toBeUndefined();
		provide({ wasm: empty, worker: "", tools: zipped(116), reviewWorker: "r" });
		await expect(provided()?.tools?.()).resolves.toEqual(Uint8Array.of(116));
		await expect(provided()?.reviewWorker?.text()).resolves.toBe("r");
	});
});
