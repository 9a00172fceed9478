import type { ModuleFrom } from "../api.js";
import { BevError, messageOf } from "../errors.js";
import { absolute } from "../source/url.js";
import { provided } from "./embedded.js";

export interface Compiled {
	readonly module: WebAssembly.Module;
	/** Whether it was compiled while it came in. */
	readonly streaming: boolean;
	readonly notes: readonly string[];
}

/** Modules by address: all data sets of a page share one. */
const compiled = new Map<string, Promise<Compiled>>();

/** Which formats a module reads: those that L5Kit writes, or every one. */
export type Formats = "usual" | "every";

/** Bundlers look for these very expressions. */
const BESIDE = {
	usual: () => new URL("../wasm/bev_core.wasm", import.meta.url),
	every: () => new URL("../wasm/bev_full.wasm", import.meta.url),
};

/** Compiles the core from wherever `wasm` says; by default from beside this script. */
export function compile(
	wasm: ModuleFrom | undefined,
	formats: Formats = "usual",
): Promise<Compiled> {
	if (wasm instanceof WebAssembly.Module) {
		return Promise.resolve({ module: wasm, streaming: false, notes: [] });
	}
	const inside = wasm === undefined ? provided() : undefined;
	if (inside) return fromBytes(inside.wasm);
	if (wasm === undefined || typeof wasm === "string" || wasm instanceof URL) {
		return once(absolute(wasm ?? BESIDE[formats]()));
	}
	if (wasm instanceof Response) return fromResponse(wasm);
	return fromBytes(wasm);
}

function once(url: URL): Promise<Compiled> {
	const before = compiled.get(url.href);
	if (before) return before;
	const compiling = fromAddress(url);
	compiled.set(url.href, compiling);
	compiling.catch(() => compiled.delete(url.href)); // may be tried again
	return compiling;
}

async function fromAddress(url: URL): Promise<Compiled> {
	if (url.protocol === "file:") return fromBytes(readFile(url));
	let response: Response;
	try {
		response = await fetch(url, { credentials: "same-origin" });
	} catch (cause) {
		throw notReadable(url.href, messageOf(cause), cause);
	}
	return fromResponse(response);
}

/** What is used of Node, whose types a browser library does not ask for. */
interface NodeProcess {
	getBuiltinModule?(name: "node:fs"): { readFileSync(url: URL): Uint8Array };
}

/** Node's file system, without an import that browser bundlers would trip over. */
function readFile(url: URL): Uint8Array<ArrayBuffer> {
	const { process } = globalThis as { process?: NodeProcess };
	const fs = process?.getBuiltinModule?.("node:fs");
	if (!fs) {
		throw notReadable(url.href, "files can be read in Node 20.16 or newer only");
	}
	return new Uint8Array(fs.readFileSync(url));
}

async function fromResponse(response: Response): Promise<Compiled> {
	const { ok, status, url } = response;
	if (!ok) throw notReadable(url, `HTTP ${status}`, undefined, status);
	// Browsers compile a stream of this type only, and with no parameter to it.
	const type = response.headers.get("Content-Type") ?? "no type";
	if (type === "application/wasm" && "compileStreaming" in WebAssembly) {
		return translated(url, async () => {
			const module = await WebAssembly.compileStreaming(response);
			return { module, streaming: true, notes: [] };
		});
	}
	const note = `${url} came as ${type}, not application/wasm: it could not be compiled while it came in`;
	const { module } = await fromBytes(await response.arrayBuffer(), url);
	return { module, streaming: false, notes: [note] };
}

function fromBytes(bytes: BufferSource, url = "the module"): Promise<Compiled> {
	return translated(url, async () => {
		const module = await WebAssembly.compile(bytes);
		return { module, streaming: false, notes: [] };
	});
}

async function translated(
	url: string,
	work: () => Promise<Compiled>,
): Promise<Compiled> {
	try {
		return await work();
	} catch (cause) {
		throw notReadable(url, messageOf(cause), cause);
	}
}

function notReadable(
	url: string,
	said: string,
	cause?: unknown,
	status?: number,
): BevError {
	const message = `the core at ${url} could not be loaded: ${said}`;
	return new BevError("network", message, { cause, url, status });
}
