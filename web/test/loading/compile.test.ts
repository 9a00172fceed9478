import { afterEach, describe, expect, it, vi } from "vitest";
import { compile } from "../../src/loading/compile.js";
import { obstacleOf } from "../../src/loading/probe.js";

const bytes = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const served = (type: string, body: BodyInit = bytes, status = 200): Response =>
	new Response(body, { status, headers: { "Content-Type": type } });

afterEach(() => vi.unstubAllGlobals());

describe("loading/compile", () => {
	it("accepts a compiled module", async () => {
		const module = new WebAssembly.Module(bytes);
		await expect(compile(module)).resolves.toMatchObject({ module, streaming: false });
	});

	it("compiles bytes and responses", async () => {
		const { module } = await compile(bytes);
		expect(module).toBeInstanceOf(WebAssembly.Module);
		const streamed = await compile(served("application/wasm"));
		expect(streamed).toMatchObject({ streaming: true, notes: [] });
	});

	it("compiles without streaming if the type is wrong, with a note", async () => {
		const compiled = await compile(served("application/wasm; charset=x"));
		expect(compiled.module).toBeInstanceOf(WebAssembly.Module);
		expect(compiled.streaming).toBe(false);
		expect(compiled.notes[0]).toMatch(/found application\/wasm; charset=x/);
	});

	it("rejects a response that is not the module", async () => {
		await expect(compile(served("text/html", "", 404))).rejects.toMatchObject({
			code: "network",
			status: 404,
		});
		await expect(compile(served("text/html", "", 404))).rejects.toThrow(
			/HTTP 404; configure\(\) sets where the files are/,
		);
		await expect(compile(served("text/html", "<!doctype html>"))).rejects.toThrow(
			'not a WebAssembly module (found text/html "<!doctype html>", expected application/wasm); configure() sets where the files are, see docs/bundlers.md',
		);
		for (const type of ["text/html", "application/wasm"]) {
			const page = compile(served(type, "<!doctype html>"));
			await expect(page).rejects.toMatchObject({ code: "network", status: 200 });
		}
	});

	it("reads a URL once, and again after a failure", async () => {
		const fetched = vi.fn(async () => served("application/wasm", "", 503));
		vi.stubGlobal("fetch", fetched);
		const url = "https://cdn.test/core.wasm";
		await expect(compile(url)).rejects.toMatchObject({ status: 503 });
		fetched.mockImplementation(async () => served("application/wasm"));
		const [first, second] = await Promise.all([compile(url), compile(new URL(url))]);
		expect(first).toBe(second);
		expect(fetched).toHaveBeenCalledTimes(2);
	});

	it("names an unreachable URL", async () => {
		vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
		await expect(compile("https://gone.test/core.wasm")).rejects.toMatchObject({
			url: "https://gone.test/core.wasm",
			message: expect.stringContaining("Failed to fetch"),
		});
	});

	it("reports the module's bytes while loading", async () => {
		const body = () => served("application/wasm");
		vi.stubGlobal("fetch", async () => body());
		const told: number[] = [];
		const url = "https://host/counted.wasm";
		await compile(url, "usual", (count) => told.push(count));
		expect(told.at(-1)).toBe(bytes.length);
	});

	it("reports a policy that blocks WebAssembly, and the missing keyword", async () => {
		const refused = new WebAssembly.CompileError(
			"WebAssembly.compile(): violates the following Content Security Policy directive",
		);
		vi.stubGlobal("WebAssembly", {
			...WebAssembly,
			Module: WebAssembly.Module,
			compile: () => Promise.reject(refused),
		});
		const error = await compile(bytes).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			code: "unsupported",
			message: expect.stringContaining("'wasm-unsafe-eval'"),
		});
		expect(obstacleOf(error)).toBe("policy");
		const answer = compile(served("text/plain"));
		await expect(answer).rejects.toMatchObject({ code: "unsupported", status: 200 });
	});

	it("reports a page opened from disk", async () => {
		vi.stubGlobal("process", undefined);
		vi.stubGlobal("document", {});
		const url = "file:///home/me/bev_core.wasm";
		const error = await compile(url).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			code: "unsupported",
			url,
			message: `core ${url}: pages opened from disk cannot load files (expected a page served over http)`,
		});
		expect(obstacleOf(error)).toBe("no url");
	});

	it("reports no obstacle for a broken module", async () => {
		const error = await compile(Uint8Array.of(1)).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: "network" });
		expect(obstacleOf(error)).toBeUndefined();
	});
});
