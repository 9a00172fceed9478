import type { ModuleFrom } from "../api.js";
import { BevError, messageOf } from "../base/errors.js";
import { SharedTask } from "../base/shared-task.js";
import { absolute } from "../source/url.js";
import { provided } from "./embedded.js";
import { moduleFile } from "./files.js";
import { obstructed } from "./probe.js";

export interface Compiled {
	readonly module: WebAssembly.Module;
	/** Whether it was compiled while it was downloaded. */
	readonly streaming: boolean;
	readonly notes: readonly string[];
}

/** Compiled modules by URL, shared by all data sets of a page. */
const compiled = new Map<string, SharedTask<Compiled>>();

/** What a module reads: formats that L5Kit writes, or all, with plans of readers. */
export type Formats = "usual" | "every";

/** Bundlers look for exactly these expressions. */
const BESIDE = {
	usual: () => new URL("../wasm/bev_core.wasm", import.meta.url),
	every: () => new URL("../wasm/bev_stream.wasm", import.meta.url),
};

const NAMES = { usual: "wasm", every: "streamWasm" } as const;

/**
 * Receives the bytes of the module read so far, and the total if the server reports it.
 */
export type OnBytes = (bytes: number, total: number | undefined) => void;

/** Progress callbacks by URL of the module. */
const watchers = new Map<string, Set<OnBytes>>();

/**
 * Compiles the core from `wasm`; default: the configured or embedded file, otherwise the
 * one next to this script. Calls `onBytes` during a download.
 */
export async function compile(
	given: ModuleFrom | undefined,
	formats: Formats = "usual",
	onBytes?: OnBytes,
): Promise<Compiled> {
	const wasm = chosen(given, formats);
	if (wasm instanceof WebAssembly.Module) {
		return { module: wasm, streaming: false, notes: [] };
	}
	const inside = wasm === undefined ? await provided("wasm") : undefined;
	if (inside) return fromBytes(inside);
	if (wasm === undefined || typeof wasm === "string" || wasm instanceof URL) {
		return once(absolute(wasm ?? beside(formats)), onBytes);
	}
	if (wasm instanceof Response) return fromResponse(wasm);
	return fromBytes(wasm);
}

function chosen(
	given: ModuleFrom | undefined,
	formats: Formats,
): ModuleFrom | undefined {
	return given ?? moduleFile(NAMES[formats]);
}

/**
 * Returns the module's default URL. Throws if the script has no URL, as in classic
 * scripts.
 */
function beside(formats: Formats): URL {
	try {
		return BESIDE[formats]();
	} catch (cause) {
		throw obstructed(
			"no url",
			"core: unknown script URL (expected import.meta.url of an ES module, or configure({ wasm, worker }))",
			{ cause },
		);
	}
}

async function once(url: URL, onBytes: OnBytes | undefined): Promise<Compiled> {
	if (!onBytes) return shared(url);
	const interested = watchers.get(url.href) ?? new Set();
	watchers.set(url.href, interested.add(onBytes));
	try {
		return await shared(url);
	} finally {
		interested.delete(onBytes);
	}
}

function shared(url: URL): Promise<Compiled> {
	const task = compiled.get(url.href) ?? new SharedTask(() => fromAddress(url));
	compiled.set(url.href, task);
	return task.join();
}

async function fromAddress(url: URL): Promise<Compiled> {
	if (url.protocol === "file:") return fromBytes(readFile(url));
	let response: Response;
	try {
		response = await fetch(url, { credentials: "same-origin" });
	} catch (cause) {
		throw notReadable({ url: url.href }, messageOf(cause), cause);
	}
	return fromResponse(counted(response, url.href));
}

/**
 * Returns the same response with a body that reports its progress to the watchers of
 * `address`.
 */
function counted(response: Response, address: string): Response {
	const { body, headers, status } = response;
	if (!response.ok || !body || typeof TransformStream === "undefined") return response;
	// The length of a compressed response differs from that of its content.
	const plain =
		!headers.get("Content-Encoding") && response.url.startsWith(globalThis.origin);
	const said = Number(headers.get("Content-Length"));
	const total = plain && said > 0 ? said : undefined;
	let bytes = 0;
	const counter = new TransformStream<Uint8Array, Uint8Array>({
		transform(chunk, controller) {
			bytes += chunk.length;
			for (const tell of watchers.get(address) ?? []) tell(bytes, total);
			controller.enqueue(chunk);
		},
	});
	const copy = new Response(body.pipeThrough(counter), { status, headers });
	Object.defineProperty(copy, "url", { value: response.url });
	return copy;
}

/** The used part of Node's types, which a browser library does not depend on. */
interface NodeProcess {
	getBuiltinModule?(name: "node:fs"): { readFileSync(url: URL): Uint8Array };
}

/**
 * Reads a file in Node, without an import that browser bundlers would try to resolve.
 */
function readFile(url: URL): Uint8Array<ArrayBuffer> {
	const { process } = globalThis as { process?: NodeProcess };
	const fs = process?.getBuiltinModule?.("node:fs");
	if (!fs) {
		if (typeof document !== "undefined") throw fromDisk(url.href);
		throw notReadable(
			{ url: url.href },
			"files: unsupported Node version (expected 20.16 or newer)",
		);
	}
	return new Uint8Array(fs.readFileSync(url));
}

/** Where a module came from, with the response's status. */
interface Origin {
	readonly url: string;
	readonly status?: number;
}

async function fromResponse(response: Response): Promise<Compiled> {
	const { ok, status, url } = response;
	if (!ok) {
		const hint = status === 404 ? HINT : "";
		throw notReadable({ url, status }, `HTTP ${status}${hint}`);
	}
	// Browsers compile a stream only if it has exactly this type, without parameters.
	const type = response.headers.get("Content-Type") ?? "no type";
	if (type === "application/wasm" && "compileStreaming" in WebAssembly) {
		return translated({ url, status }, async () => {
			const module = await WebAssembly.compileStreaming(response);
			return { module, streaming: true, notes: [] };
		});
	}
	const note = `${url}: no streaming compilation (found ${type}, expected application/wasm)`;
	const bytes = await response.arrayBuffer();
	if (!isModule(bytes)) {
		const start = new TextDecoder().decode(bytes.slice(0, 15));
		throw notReadable(
			{ url, status },
			`not a WebAssembly module (found ${type} ${JSON.stringify(start)}, expected application/wasm)${HINT}`,
		);
	}
	const { module } = await fromBytes(bytes, { url, status });
	return { module, streaming: false, notes: [note] };
}

/** Advice for files that a bundler did not copy. */
const HINT = "; configure() sets where the files are, see docs/bundlers.md";

/** Whether `bytes` begin with a module's magic number. */
function isModule(bytes: ArrayBuffer): boolean {
	return bytes.byteLength > 4 && new DataView(bytes).getUint32(0) === 0x00_61_73_6d;
}

function fromBytes(
	bytes: BufferSource,
	from: Origin = { url: "the module" },
): Promise<Compiled> {
	return translated(from, async () => {
		const module = await WebAssembly.compile(bytes);
		return { module, streaming: false, notes: [] };
	});
}

async function translated(
	from: Origin,
	work: () => Promise<Compiled>,
): Promise<Compiled> {
	const { url } = from;
	try {
		return await work();
	} catch (cause) {
		const said = messageOf(cause);
		if (/Content Security Policy|unsafe-eval|blocked by CSP/i.test(said)) {
			throw obstructed(
				"policy",
				`core ${url}: WebAssembly blocked by the page's Content Security Policy (expected 'wasm-unsafe-eval' in script-src)`,
				{ cause, ...from },
			);
		}
		throw notReadable(from, said, cause);
	}
}

function fromDisk(url: string): BevError {
	return obstructed(
		"no url",
		`core ${url}: pages opened from disk cannot load files (expected a page served over http)`,
		{ url },
	);
}

function notReadable(from: Origin, said: string, cause?: unknown): BevError {
	const message = `core ${from.url}: loading failed: ${said}`;
	return new BevError("network", message, { cause, ...from });
}
