import type { AbortOptions, LoadOptions, ZarrDtype } from "../api.js";
import {
	asNumbers,
	check,
	checkOptions,
	type Kinds,
	refuse,
} from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { Given } from "../core/core.js";
import { folderArrays } from "./array-folder.js";
import type { ArrayStore } from "./array-store.js";
import { jsonOf } from "./array-values.js";
import { loadCore } from "./core.js";
import { WritableArray } from "./writable-array.js";

/**
 * What `openArray` does: `r+` opens an array; `a` creates it if there is none; `w` creates
 * it in place of an existing one; `w-` creates it, or rejects.
 */
export type ArrayMode = "r+" | "a" | "w" | "w-";

/** An array to be created. */
export interface NewArray {
	/** Length of each axis. */
	readonly shape?: readonly number[] | undefined;
	/** NumPy's code, e.g. `<f4`, or the fields of a record. */
	readonly dtype?: ZarrDtype | undefined;
	/** Length of a chunk along each axis; default: one chunk, of at most 1 MiB by fewer rows. */
	readonly chunks?: readonly number[] | undefined;
	/**
	 * `none`, `zlib`, `gzip`, `zstd`, `lz4`, or Blosc with `blosc:lz4` (the default),
	 * `blosc:lz4hc`, `blosc:blosclz`, `blosc:zlib`, `blosc:zstd`.
	 */
	readonly codec?: string | undefined;
	/** Level of the codec. */
	readonly level?: number | undefined;
	/** Value of the elements until they are assigned; null: zeros. Default 0. */
	readonly fillValue?: number | bigint | boolean | string | null | undefined;
	/** Order of the elements in a chunk, `C` or `F`; default `C`. */
	readonly order?: "C" | "F" | undefined;
	/** Version of the zarr format; default 2. Version 3 has no order F, zlib and lz4. */
	readonly zarrFormat?: 2 | 3 | undefined;
}

/** Options of `openArray`. */
export interface OpenArrayOptions extends NewArray, AbortOptions {
	/** Default `r+`. */
	readonly mode?: ArrayMode | undefined;
	/** The module's URL, its bytes, or a compiled module; default: the package's file. */
	readonly wasm?: LoadOptions["wasm"];
}

const NEW: Kinds = {
	...{ shape: "list", dtype: "any", chunks: "list", codec: "text", level: "integer" },
	...{ fillValue: "any", order: "text", zarrFormat: "index" },
};

const EXISTING: Readonly<Record<string, string>> = {
	a: "keep",
	w: "replace",
	"w-": "refuse",
};

/**
 * Opens an array that can be changed, or creates it.
 *
 * ```ts
 * const folder = await navigator.storage.getDirectory();
 * const speeds = await openArray(folder, "d.zarr/speeds", {
 * 	mode: "w", shape: [0, 3], dtype: "<f4", chunks: [1000, 3],
 * });
 * await speeds.append(new Float32Array(30));
 * await speeds.assign([{ begin: 2, end: 4 }, 0], 1.5);
 * ```
 *
 * @param store a folder of the browser, or a store: `folderArrays`, `s3Arrays`, `nodeArrays`
 * @param path  path in it; "" if the array is the store
 * @throws BevError `not_found` if there is no array, `unsupported` for arrays with filters
 * and for shards with another index than zarr-python's, `invalid_argument` for an array
 * that exists (`w-`; `a`: with another shape or dtype)
 */
export async function openArray(
	store: ArrayStore | FileSystemDirectoryHandle,
	path: string,
	options: OpenArrayOptions = {},
): Promise<WritableArray> {
	check("openArray: store", store ?? null, "object");
	check("openArray: path", path ?? null, "text");
	const kinds: Kinds = { ...NEW, mode: "text", signal: "any", wasm: "any" };
	checkOptions("openArray", options, kinds);
	const { mode = "r+", signal, wasm, ...array } = options;
	const names = path === "" ? [] : path.split("/");
	if (names.some((name) => ["", ".", ".."].includes(name))) {
		refuse("openArray: path", path, "names and / between them");
	}
	if (mode !== "r+" && !Object.hasOwn(EXISTING, mode)) {
		refuse("openArray: mode", mode, "r+, a, w, w-");
	}
	const isNew = array.shape !== undefined && array.dtype !== undefined;
	const isDescribed = Object.values(array).some((value) => value !== undefined);
	if (isNew ? mode === "r+" : isDescribed || mode === "w" || mode === "w-") {
		const needed = isNew ? "is for arrays that exist" : "needs shape and dtype";
		throw new BevError("invalid_argument", `openArray: mode ${mode} ${needed}`);
	}
	const place = "getFileHandle" in store ? folderArrays(store) : store;
	if (mode === "w" && !place.list) {
		const message = `${place.name}: cannot replace arrays (objects are not listed)`;
		throw new BevError("unsupported", message);
	}
	signal?.throwIfAborted();
	const opened = new WritableArray(place, path, await loadCore(wasm));
	try {
		const existing = EXISTING[mode];
		const created = isNew && existing ? { existing, ...specOf(array) } : undefined;
		await opened.open(created, signal);
	} catch (error) {
		opened.close();
		throw error;
	}
	return opened;
}

function specOf(array: NewArray): Omit<Given<"writable_create">, "array" | "existing"> {
	const { shape = [], dtype = "", chunks = [], codec, level, order } = array;
	return {
		shape: asNumbers(shape),
		dtype: typeof dtype === "string" ? dtype : JSON.stringify(dtype),
		chunks: asNumbers(chunks),
		fill: jsonOf("create: fillValue", array.fillValue ?? 0, array.fillValue === null),
		format: array.zarrFormat ?? 2,
		...(codec !== undefined && { codec }),
		...(level !== undefined && { level }),
		...(order !== undefined && { order }),
	};
}
