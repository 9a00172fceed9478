import type { CoreCacheStats } from "./core.js";
import type { Source, Waiting } from "./source/source.js";

export type { Waiting };

/** Which way the core runs here. */
export interface Capabilities {
	/** `module`: a worker of this origin; `blob`: one that imports from another; `none`: the page's own thread. */
	readonly worker: "module" | "blob" | "none";
	/** Whether the module was compiled while it came in. */
	readonly streaming: boolean;
	/** Why a better choice was not possible, one sentence each. */
	readonly notes: readonly string[];
}

export interface LoadProgress {
	/** `core`: the WebAssembly module; `metadata`: the data set's. */
	readonly phase: "core" | "metadata";
	/** Read so far: of the module, then of data. */
	readonly bytes: number;
	readonly requests: number;
	/** The module's length, where the server tells. */
	readonly total?: number | undefined;
	/** The longest wait under way that the server asked for (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

export type ModuleFrom = string | URL | Response | BufferSource | WebAssembly.Module;

export interface LoadOptions {
	/** The module: where it lies, its bytes, or compiled. Default: beside this script. */
	wasm?: ModuleFrom | undefined;
	/**
	 * The module that reads every format, in the same ways: loaded for archives, and where
	 * the first says `unsupported` (of version 3, filters, codecs other than Blosc's LZ4).
	 */
	fullWasm?: ModuleFrom | undefined;
	/** Where the worker script lies, or false to work on the calling thread. */
	worker?: string | URL | false | undefined;
	signal?: AbortSignal | undefined;
	onProgress?: ((progress: LoadProgress) => void) | undefined;
}

export interface OpenOptions {
	signal?: AbortSignal | undefined;
	onProgress?: ((progress: LoadProgress) => void) | undefined;
	/** Bytes of encoded chunks to keep in memory. Default 256 MiB. */
	byteBudget?: number | undefined;
	cache?: CacheOptions | undefined;
	/** Path of the data set in a .zip that holds several. Default: the shortest. */
	folder?: string | undefined;
	/**
	 * What reads of chunks do that are not stored. `fill`: their rows are the array's fill
	 * value, which is zarr's rule. `error`: the read fails with `missing_key`. Default:
	 * `error` for scenes, frames, agents and traffic_light_faces, whose rows are named by
	 * intervals, `fill` for other arrays.
	 */
	missing?: MissingRule | undefined;
	load?: LoadOptions | undefined;
}

export type MissingRule = "fill" | "error";

export interface CacheOptions {
	/**
	 * Keeps what is read of a data set that came by URL in the browser's storage, so that
	 * the next visit need not fetch it; each object is confirmed by the server before its
	 * first use. `limit` is in bytes, over all data sets of the origin; default 1 GiB.
	 */
	persistent?: boolean | { readonly limit?: number | undefined } | undefined;
}

/** A folder the user gave: dropped, chosen in a file input, or picked. */
export type DatasetFiles =
	| FileList
	| readonly File[]
	| FileSystemDirectoryHandle
	| FileSystemDirectoryEntry
	| ReadonlyMap<string, Blob>;

/** What `ChunkedDataset.open` takes; a file is a .zip, and so are addresses that end so. */
export type DatasetFrom = string | URL | Source | DatasetFiles | File;

/** One object: its address, or a key of a source. */
export type ObjectFrom =
	| string
	| URL
	| { readonly source: Source; readonly key: string };

export interface Stats {
	/** Of encoded data, read from the source. */
	readonly bytes: number;
	/** Reads of the source. */
	readonly requests: number;
	/** Those of the bytes that were kept from an earlier visit. */
	readonly keptBytes: number;
	readonly cache: CoreCacheStats;
	/** Number of chunks asked for that are not stored; `dataset.absentChunks()` lists them. */
	readonly absentChunks: number;
	/** Optional keys whose answer could not be read and was taken for absence. */
	readonly presumedAbsent: readonly string[];
	/** The longest wait under way that the server asked for (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

/** As `.zarray` spells a dtype. */
export type ZarrDtype = string | readonly ZarrField[];
export type ZarrField =
	| readonly [name: string, dtype: ZarrDtype]
	| readonly [name: string, dtype: ZarrDtype, shape: number | readonly number[]];

export interface ArrayDescription {
	readonly shape: readonly number[];
	readonly chunks: readonly number[];
	readonly dtype: ZarrDtype;
	readonly order: string;
	readonly fill_value: unknown;
	readonly compressor: unknown;
	readonly filters: unknown;
}

/** What the metadata says. */
export interface Description {
	readonly format: string;
	readonly attrs: Readonly<Record<string, unknown>>;
	readonly labels: readonly string[];
	readonly arrays: Readonly<Record<string, ArrayDescription>>;
	readonly has_traffic_light_faces: boolean;
}

export interface AbortOptions {
	signal?: AbortSignal | undefined;
}

export interface RowsOptions extends AbortOptions {
	/** Not 0; rows come in falling order where it is less. Default 1. */
	step?: number | undefined;
	/** Names of fields, nested ones joined by dots. Default: all. */
	fields?: readonly string[] | undefined;
}

/** A slice of an axis as NumPy has it: what is negative counts from the end. */
export interface AxisSlice {
	readonly begin?: number | undefined;
	readonly end?: number | undefined;
	/** Not 0; the axis is reversed where it is less. Default 1. */
	readonly step?: number | undefined;
}

/** What of an axis: an index, which takes the axis out of the result, a slice, or all of it. */
export type AxisSelection = number | AxisSlice | null;

export interface SelectOptions extends AbortOptions {
	/** Of records, the one to read; nested names joined by dots. */
	field?: string | undefined;
}

export interface FrameOptions extends AbortOptions {
	/** Frames of trail. Default 25. */
	past?: number | undefined;
	/** Frames of future. Default 0. */
	future?: number | undefined;
	/** `agents.kept`: those whose `known_probability` is greater. Default 0.5. */
	threshold?: number | undefined;
	/** Later frames follow, so chunks are read whole; else only what this one takes. */
	sequential?: boolean | undefined;
}
