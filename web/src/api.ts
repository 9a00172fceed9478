import type { FormerNames } from "./base/names.js";
import type { CacheStats } from "./core/options.js";
import type { Source, Waiting } from "./source/source.js";

export type { Waiting };

/** How the core runs in this page. */
export interface Capabilities {
	/**
	 * `module`: a worker of the same origin; `blob`: a blob worker that imports the
	 * script from another origin; `thread`: a thread of Node; `none`: the calling thread.
	 */
	readonly worker: "module" | "blob" | "thread" | "none";
	/** Whether the module was compiled while it was downloaded. */
	readonly streaming: boolean;
	/** Why a better choice was not possible, one sentence per reason. */
	readonly notes: readonly string[];
}

/** Progress of opening. */
export interface LoadProgress {
	/**
	 * `core`: loading the WebAssembly module; `metadata`: reading the data set's
	 * metadata.
	 */
	readonly phase: "core" | "metadata";
	/** Bytes read so far in this phase. */
	readonly done: number;
	/** Length of the module in bytes, if the server reports it. */
	readonly of?: number | undefined;
	/** Requests answered so far. */
	readonly requests: number;
	/** @deprecated The former name of `done`; removed in 0.4. */
	readonly bytes: number;
	/** @deprecated The former name of `of`; removed in 0.4. */
	readonly total?: number | undefined;
	/** Longest wait in progress that the server requested (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

/** A WebAssembly module: its URL, its bytes, or compiled. */
export type ModuleFrom =
	| string
	| URL
	| Response
	| ArrayBuffer
	| (ArrayBufferView & {
			/** Not shared with other threads. */
			readonly buffer: ArrayBuffer;
	  })
	| WebAssembly.Module;

/** Options of loading the WebAssembly modules and the worker. */
export interface LoadOptions {
	/** The module: its URL, its bytes, or compiled. Default: next to this script. */
	wasm?: ModuleFrom | undefined;
	/**
	 * The module that reads every format, given in the same ways. Loaded for archives, for
	 * data sets that `wasm` rejects with `unsupported` (zarr version 3, filters, codecs other
	 * than Blosc's LZ4), and when a data set's first reader reads.
	 */
	streamWasm?: ModuleFrom | undefined;
	/** URL of the worker script, or false to run on the calling thread. */
	worker?: string | URL | false | undefined;
	/** Aborts loading. */
	signal?: AbortSignal | undefined;
	/** Called as bytes arrive. */
	onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** Options of opening a data set. */
export interface OpenOptions {
	/** Aborts opening. */
	signal?: AbortSignal | undefined;
	/** Called as bytes arrive. */
	onProgress?: ((progress: LoadProgress) => void) | undefined;
	/** Byte budget for encoded chunks in memory. Default 256 MiB. */
	byteBudget?: number | undefined;
	/** Limits of the caches in memory and in the browser's storage. */
	cache?: CacheOptions | undefined;
	/**
	 * Path of the data set in a .zip that contains several. Default: the shortest path.
	 */
	folder?: string | undefined;
	/**
	 * Behaviour of reads of absent chunks. `fill`: their rows have the array's fill
	 * value, as zarr specifies. `error`: the read fails with `missing_key`. Default:
	 * `error` for scenes, frames, agents and traffic_light_faces, whose rows are
	 * addressed by intervals; `fill` for other arrays.
	 */
	missing?: MissingRule | undefined;
	/**
	 * Whether readers look for stored statistics, `.bevscope/statistics.json`, and facts for
	 * those beside the data, `.bevscope/facts.zip`. False saves a request for each, and a
	 * 404 in the console of a page, where there are none.
	 * Default true.
	 */
	statistics?: boolean | undefined;
	/** How the WebAssembly modules and the worker are loaded. */
	load?: LoadOptions | undefined;
}

/** How an absent chunk is treated: as the fill value, or as an error. */
export type MissingRule = "fill" | "error";

/** Options of the persistent cache. */
export interface CacheOptions {
	/**
	 * Caches a data set that was opened by URL in the browser's storage, so that the next
	 * visit does not download it again. Each object is revalidated with the server before
	 * its first use. `limit` is in bytes, for all data sets of the origin; default 1 GiB.
	 */
	persistent?:
		| boolean
		| {
				/** Maximum size in bytes. */
				readonly limit?: number | undefined;
		  }
		| undefined;
}

/** A folder from the user: dropped, chosen in a file input, or picked. */
export type DatasetFiles =
	| FileList
	| readonly File[]
	| FileSystemDirectoryHandle
	| FileSystemDirectoryEntry
	| ReadonlyMap<string, Blob>;

/**
 * Argument of `ChunkedDataset.open`. A file, and a URL that ends in .zip, is a zip
 * archive. In Node also the path or `file:` URL of a folder or .zip.
 */
export type DatasetFrom = string | URL | Source | DatasetFiles | File;

/** One object: its URL, or a source and a key. */
export type ObjectFrom =
	| string
	| URL
	| {
			/** Source that contains the object. */
			readonly source: Source;
			/** The object's key in the source. */
			readonly key: string;
	  };

/** Statistics of a data set's reads. */
export interface Stats {
	/** Bytes of encoded data read from the source. */
	readonly bytes: number;
	/** Number of reads from the source. */
	readonly requests: number;
	/** The part of `bytes` that came from the persistent cache. */
	readonly cachedBytes: number;
	/** The chunks in memory. */
	readonly cache: CacheStats;
	/**
	 * Number of requested chunks that are absent; `dataset.absentChunks()` lists them.
	 */
	readonly absentChunks: number;
	/** Optional keys whose read failed and which are treated as absent. */
	readonly presumedAbsent: readonly string[];
	/** Longest wait in progress that the server requested (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

/** A dtype in the notation of `.zarray`. */
export type ZarrDtype = string | readonly ZarrField[];
/** A field of a record: name, type and shape. */
export type ZarrField =
	| readonly [name: string, dtype: ZarrDtype]
	| readonly [name: string, dtype: ZarrDtype, shape: number | readonly number[]];

/** Metadata of an array. */
export interface ArrayDescription {
	/** Length of each axis. */
	readonly shape: readonly number[];
	/** Length of a chunk along each axis. */
	readonly chunks: readonly number[];
	/** NumPy type of an element, or the fields of a record. */
	readonly dtype: ZarrDtype;
	/** Memory order of a chunk: `C` or `F`. */
	readonly order: string;
	/** Value of the elements of absent chunks, as in the metadata. */
	readonly fill_value: unknown;
	/** Codec of the chunks, as in the metadata; null for none. */
	readonly compressor: unknown;
	/** Filters of the chunks, as in the metadata; null for none. */
	readonly filters: unknown;
}

/** The data set's metadata. */
export interface Description
	extends FormerNames<Record<"hasTrafficLightFaces", boolean>> {
	/** Name of the data set's format. */
	readonly format: string;
	/** The attributes of its group. */
	readonly attrs: Readonly<Record<string, unknown>>;
	/** Names of the label classes. */
	readonly labels: readonly string[];
	/** Arrays by path. */
	readonly arrays: Readonly<Record<string, ArrayDescription>>;
	/** Whether it contains traffic light faces. */
	readonly hasTrafficLightFaces: boolean;
}

/** Options of an operation that can be aborted. */
export interface AbortOptions {
	/** Aborts the operation, which then rejects with the signal's reason. */
	signal?: AbortSignal | undefined;
}

/** Options of reading rows. */
export interface RowsOptions<K extends string = string> extends AbortOptions {
	/**
	 * Distance between rows, not 0. If negative, rows are in descending order. Default 1.
	 */
	step?: number | undefined;
	/** Field names; nested names are joined by dots. Default: all fields. */
	fields?: readonly K[] | undefined;
}

/** A slice of an axis, as in NumPy: negative bounds count from the end. */
export interface AxisSlice {
	/** First index; negative counts from the end. */
	readonly begin?: number | undefined;
	/** Index after the last one; negative counts from the end. */
	readonly end?: number | undefined;
	/** Not 0; a negative step reverses the axis. Default 1. */
	readonly step?: number | undefined;
}

/** Selection along one axis: an index (drops the axis), a slice, or null for all. */
export type AxisSelection = number | AxisSlice | null;

/** Options of reading a box. */
export interface SelectOptions extends AbortOptions {
	/** The field to read from an array of records; nested names are joined by dots. */
	field?: string | undefined;
}

/** Options of a frame query. */
export interface FrameOptions extends AbortOptions {
	/** Number of past frames in `trails`. Default 25. */
	past?: number | undefined;
	/** Number of future frames in `futures`. Default 0. */
	future?: number | undefined;
	/** `agents.kept` is 1 if `known_probability` is greater than this. Default 0.5. */
	threshold?: number | undefined;
	/**
	 * Hint that later frames follow: reads whole chunks instead of only this frame's
	 * ranges.
	 */
	sequential?: boolean | undefined;
	/** If false, the agents are not read: `agents` is empty. Default true. */
	agents?: boolean | undefined;
	/** If false, the traffic light faces are not read: `lights` is empty. Default true. */
	lights?: boolean | undefined;
}
