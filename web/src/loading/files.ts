import type { LoadOptions, ModuleFrom } from "../api.js";
import { BevError } from "../base/errors.js";
import { absolute, beside } from "../source/url.js";

/** A module's URL, its bytes, or compiled. */
export type ModuleFile = Exclude<ModuleFrom, Response>;

/** A worker script's URL, or false to run on the calling thread. */
export type WorkerFile = Exclude<LoadOptions["worker"], undefined>;

/** Paths of the files below `dist/`, and below a directory written by `bevscope-files`. */
const PATHS = {
	wasm: "wasm/bev_core.wasm",
	streamWasm: "wasm/bev_stream.wasm",
	toolsWasm: "wasm/bev_tools.wasm",
	convertWasm: "wasm/bev_convert.wasm",
	saveWasm: "wasm/bev_save.wasm",
	worker: "worker.js",
	reviewWorker: "review-worker.js",
	convertWorker: "convert-worker.js",
	modelWorker: "model-worker.js",
} as const;

type Workers = "worker" | "reviewWorker" | "convertWorker" | "modelWorker";

type Modules = Exclude<keyof typeof PATHS, Workers>;

/** Servers that addresses of hosts lead to. */
export interface Hosts {
	/** URL of the server of `hf://`. Default `https://huggingface.co`. */
	readonly hf?: string | URL | undefined;
	/**
	 * URL of the server of `s3://`, with the bucket in the path. Default: Amazon's, with the
	 * bucket in the host's name.
	 */
	readonly s3?: string | URL | undefined;
	/** Region of Amazon's buckets, if Amazon does not redirect to it. */
	readonly s3Region?: string | undefined;
}

/** Locations of the package's files. */
export interface FileLocations {
	/**
	 * URL of a directory with all files, relative to the page: a copy of the package's
	 * `dist`, or a directory written by `npx bevscope-files`. The other options name single
	 * files, which take precedence.
	 */
	base?: string | URL | undefined;
	/** Servers that addresses such as `hf://` lead to; default: the public ones. */
	hosts?: Hosts | undefined;
	/** The module that reads what L5Kit writes: `bevscope/core.wasm`. */
	wasm?: ModuleFile | undefined;
	/** The module that reads every format, and of readers: `bevscope/stream.wasm`. */
	streamWasm?: ModuleFile | undefined;
	/** The module of tools and predictions: `bevscope/tools.wasm`. */
	toolsWasm?: ModuleFile | undefined;
	/** The module that converts other data sets: `bevscope/convert.wasm`. */
	convertWasm?: ModuleFile | undefined;
	/** The module that saves and loads arrays: `bevscope/save.wasm`. */
	saveWasm?: ModuleFile | undefined;
	/** The worker of data sets, `bevscope/worker`; false disables all workers. */
	worker?: WorkerFile | undefined;
	/** The worker of predictions, `bevscope/review-worker`. */
	reviewWorker?: WorkerFile | undefined;
	/** The worker that converts other data sets, `bevscope/convert-worker`. */
	convertWorker?: WorkerFile | undefined;
	/** The worker that runs models, `bevscope/model-worker`. */
	modelWorker?: WorkerFile | undefined;
}

/** What `configure` was given. */
export let configured: FileLocations = {};

/**
 * Sets where the library, the elements and the tools find their files, if a bundler does
 * not copy them or the page's policy requires another place. Applies to everything that
 * is loaded afterwards. A later call replaces only the given options; `undefined` restores
 * the default. Options of single calls (`load` of `ChunkedDataset.open`, `wasm` of
 * `loadTools`) take precedence.
 *
 * @throws BevError `invalid_argument` for an unknown option or an invalid URL
 */
export function configure(locations: FileLocations): void {
	const names = ["base", "hosts", ...Object.keys(PATHS)];
	const unknown = Object.keys(locations).find((name) => !names.includes(name));
	if (unknown !== undefined) {
		throw new BevError(
			"invalid_argument",
			`configure: unknown option (found ${unknown}, expected ${names.join(", ")})`,
		);
	}
	const { base } = locations;
	// Resolved now: a later navigation by the history API changes the page's URL.
	const at = base === undefined ? {} : { base: absolute(base) };
	configured = { ...configured, ...locations, ...at };
}

/** Returns the configured location of a module, if any. */
export function moduleFile(name: Modules): ModuleFile | undefined {
	return configured[name] ?? below(name);
}

/** Returns the configured location of a worker's script, if any; false for no worker. */
export function workerFile(name: Workers): WorkerFile | undefined {
	return configured[name] ?? (configured.worker === false ? false : below(name));
}

function below(name: keyof typeof PATHS): URL | undefined {
	const { base } = configured;
	return base === undefined ? undefined : beside(absolute(base), PATHS[name]);
}
