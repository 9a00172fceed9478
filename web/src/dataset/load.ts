import type { Capabilities, LoadOptions, LoadProgress } from "../api.js";
import { checkOptions, type Kinds } from "../base/arguments.js";
import { type Compiled, compile, type Formats } from "../loading/compile.js";
import { assertSupported } from "../loading/probe.js";
import { startWorker } from "../loading/start-worker.js";
import type { Source } from "../source/source.js";
import { unlessAborted } from "../source/unless-aborted.js";
import type { Client, EngineSettings } from "../worker/client.js";
import { locate, WorkerClient } from "../worker/worker-client.js";

const LOAD: Kinds = {
	...{ wasm: "any", streamWasm: "any", worker: "any" },
	...{ signal: "any", onProgress: "any" },
};

/** Options for reading an engine's source. */
export type ReadingOptions = {
	[K in "cacheLimit" | "archive" | "missing" | "statistics"]?:
		| EngineSettings[K]
		| undefined;
};

/** The compiled core; creates engines. */
export interface Runtime {
	/** The compiled module of the core. */
	readonly module: WebAssembly.Module;
	/** Capabilities in use, as of the last engine created. */
	readonly capabilities: Capabilities;
	/** Creates an engine for `source`, in a worker if possible. */
	connect(
		source: Source,
		byteBudget: number,
		reading?: ReadingOptions,
	): Promise<Client>;
}

/**
 * Compiles the core once for all engines of the runtime.
 *
 * Rejects with code `unsupported` if the browser is too old, `network` if the module
 * cannot be read.
 *
 * @param formats the formats it must read
 */
export async function load(
	options: LoadOptions = {},
	formats: Formats = "usual",
): Promise<Runtime> {
	const { signal, onProgress } = options;
	checkOptions("load", options, LOAD);
	assertSupported();
	signal?.throwIfAborted();
	onProgress?.(loaded("core", 0, 0));
	const { wasm: usual, streamWasm: every } = options;
	const from = { usual, every }[formats];
	const compiled = await unlessAborted(
		compile(from, formats, (bytes, total) =>
			onProgress?.({ ...loaded("core", bytes, 1), of: total, total }),
		),
		signal,
	);
	return new CompiledRuntime(compiled, options.worker);
}

/** The progress of a phase, also by its former names. */
export function loaded(
	phase: LoadProgress["phase"],
	done: number,
	requests: number,
): LoadProgress {
	return { phase, done, bytes: done, requests };
}

class CompiledRuntime implements Runtime {
	readonly module: WebAssembly.Module;
	readonly #worker: LoadOptions["worker"];
	#capabilities: Capabilities;

	constructor({ module, streaming, notes }: Compiled, worker: LoadOptions["worker"]) {
		this.module = module;
		this.#worker = worker;
		this.#capabilities = { worker: "none", streaming, notes };
	}

	get capabilities(): Capabilities {
		return this.#capabilities;
	}

	async connect(
		source: Source,
		byteBudget: number,
		{ cacheLimit, archive, missing, statistics }: ReadingOptions = {},
	): Promise<Client> {
		const cached = await cachedOnPage(source, cacheLimit);
		const { kind, worker, notes } = await startWorker(this.#worker);
		const { streaming, notes: before } = this.#capabilities;
		const all = [...new Set([...before, ...notes])];
		this.#capabilities = { worker: kind, streaming, notes: all };
		const given = { missing, statistics, cacheLimit, archive };
		const settings = { module: this.module, byteBudget, ...given };
		if (worker) return new WorkerClient(worker, cached, settings);
		const { LocalClient } = await import("../worker/local-client.js");
		return new LocalClient(source, settings);
	}
}

/** Returns the page's source for the worker, with a persistent cache if requested. */
async function cachedOnPage(
	source: Source,
	cacheLimit: number | undefined,
): Promise<Source> {
	if (cacheLimit === undefined || locate(source, cacheLimit).kind === "url")
		return source;
	const { withCache } = await import("../source/cache/cached-source.js");
	return withCache(source, cacheLimit);
}
