import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Converter } from "../../src/converting/converter.js";
import { load } from "../../src/dataset/load.js";
import { configure, type FileLocations } from "../../src/loading/files.js";
import { startWorker } from "../../src/loading/start-worker.js";
import { Reviewer } from "../../src/reviewing/reviewer.js";
import { loadCore } from "../../src/saving/core.js";
import { loadTools } from "../../src/tools.js";

const BASE = "https://files.test/v1/";

const MODULES = ["wasm", "streamWasm", "toolsWasm", "convertWasm", "saveWasm"] as const;

/** Loads everything once; everything fails, because no server answers. */
async function loadAll(options: Parameters<typeof load>[0] = {}): Promise<void> {
	await Promise.allSettled([
		load(options, "usual"),
		load(options, "every"),
		loadTools(options.wasm),
		Converter.start(),
		loadCore(options.wasm),
	]);
}

let fetched: string[] = [];
let scripts: string[] = [];

beforeEach(() => {
	fetched = [];
	scripts = [];
	vi.stubGlobal("origin", "https://files.test");
	vi.stubGlobal("fetch", async (url: URL) => {
		fetched.push(url.href);
		throw new TypeError("offline");
	});
	vi.stubGlobal(
		"Worker",
		class {
			constructor(url: string) {
				scripts.push(url);
				throw new DOMException("refused", "SecurityError");
			}
		},
	);
});

afterEach(() => {
	const none = [
		...MODULES,
		"base",
		"worker",
		"reviewWorker",
		"convertWorker",
		"modelWorker",
	];
	configure(Object.fromEntries(none.map((name) => [name, undefined])));
	vi.unstubAllGlobals();
});

describe("loading/files", () => {
	it("finds every module and worker below the configured base", async () => {
		// A directory, with or without the final slash; its query is kept.
		for (const base of [BASE, BASE.slice(0, -1), new URL(`${BASE}?key=1`)]) {
			fetched = [];
			scripts = [];
			configure({ base });
			await loadAll();
			await startWorker(undefined);
			const { search } = new URL(base);
			const paths = ["core", "stream", "tools", "convert", "save"];
			const modules = paths.map((name) => `${BASE}wasm/bev_${name}.wasm${search}`);
			expect(fetched.sort()).toEqual(modules.sort());
			const direct = scripts.filter((url) => !url.startsWith("blob:"));
			expect(direct).toEqual([
				`${BASE}convert-worker.js${search}`,
				`${BASE}worker.js${search}`,
			]);
		}
	});

	it("prefers single files to the base, and options of a call to both", async () => {
		const own = MODULES.map((name) => [name, `https://other.test/${name}`] as const);
		configure({ base: BASE, ...Object.fromEntries(own) });
		await loadAll();
		expect(fetched.sort()).toEqual(own.map(([, url]) => url).sort());
		fetched = [];
		const wasm = "https://call.test/x.wasm";
		await loadAll({ wasm, streamWasm: wasm });
		expect(new Set(fetched)).toEqual(new Set([wasm, "https://other.test/convertWasm"]));
		configure({ wasm: undefined });
		fetched = [];
		await load().catch(() => {});
		expect(fetched).toEqual([`${BASE}wasm/bev_core.wasm`]);
	});

	it("accepts a compiled module for all data sets", async () => {
		const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
		const wasm = await WebAssembly.compile(empty);
		configure({ wasm, toolsWasm: wasm });
		expect((await load()).module).toBe(wasm);
		expect((await load()).module).toBe(wasm);
		expect(fetched).toEqual([]);
	});

	it("starts no worker at all if `worker` is false", async () => {
		const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
		configure({ base: BASE, worker: false, toolsWasm: empty, convertWasm: empty });
		await expect(startWorker(undefined)).resolves.toEqual({ kind: "none", notes: [] });
		for (const start of [() => Reviewer.start(), () => Converter.start()]) {
			await expect(start()).rejects.toMatchObject({
				code: "invalid_argument",
				message: expect.stringMatching(/^module: does not match the script \(found /),
			});
		}
		expect(scripts).toEqual([]);
		configure({ reviewWorker: "https://files.test/r.js" });
		await Reviewer.start().catch(() => {});
		expect(scripts[0]).toBe("https://files.test/r.js");
	});

	it("resolves the base against the page when it is configured", async () => {
		vi.stubGlobal("document", { baseURI: "https://files.test/app/page.html" });
		configure({ base: "./assets" });
		vi.stubGlobal("document", { baseURI: "https://files.test/elsewhere/" });
		await load().catch(() => {});
		expect(fetched).toEqual(["https://files.test/app/assets/wasm/bev_core.wasm"]);
	});

	it("rejects unknown options and invalid URLs, and then changes nothing", async () => {
		configure({ base: BASE });
		expect(() => configure({ core: "x" } as FileLocations)).toThrow(
			"configure: unknown option (found core, expected base, hosts, wasm, streamWasm, toolsWasm, convertWasm, saveWasm, worker, reviewWorker, convertWorker, modelWorker)",
		);
		expect(() => configure({ wasm: "x", base: "http://" })).toThrow(/URL: invalid/);
		await load().catch(() => {});
		expect(fetched).toEqual([`${BASE}wasm/bev_core.wasm`]);
	});
});
