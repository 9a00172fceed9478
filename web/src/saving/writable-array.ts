import "../base/dispose.js";
import type { AbortOptions, AxisSelection, LoadOptions, ZarrDtype } from "../api.js";
import { axesOf, type Field, fieldsOf } from "../arrays/structured-array.js";
import {
	asNumbers,
	check,
	checkOptions,
	type Kinds,
	refuse,
} from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { Core, Given, Handle } from "../core/core.js";
import { folderArrays } from "./array-folder.js";
import { ArrayHost } from "./array-host.js";
import type { ArrayStore } from "./array-store.js";
import { type BatchData, bytesOf, dtypeOf } from "./config.js";
import { loadCore, SerialQueue } from "./core.js";
import { batchOf, type LoadedBatch, type LoadedRows } from "./data-loader.js";

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

/**
 * Elements of an array: an index, a slice or null per axis; row indices; or a mask with a
 * value per row.
 */
export type ElementSelection =
	| readonly AxisSelection[]
	| {
			/** Indices along the first axis. */
			readonly rows: ArrayLike<number>;
	  }
	| {
			/** A value per row. */
			readonly mask: Uint8Array | readonly boolean[];
	  };

/**
 * Values of elements, in C order: of the element's type, strings and records as stored
 * bytes; a column or array that was read; or one value for all elements.
 */
export type ArrayValues =
	| BatchData
	| {
			/** Elements in C order. */
			readonly data: ArrayBufferView;
	  }
	| number
	| bigint
	| boolean
	| string;

/** Options of `assign`. */
export interface AssignOptions extends AbortOptions {
	/** 0 or false keeps an element: a value per selected element. Not with rows and masks. */
	readonly where?: Uint8Array | readonly boolean[] | undefined;
}

/** What an array is, and what it occupies. */
export interface ArrayInfo {
	/** Length of each axis. */
	readonly shape: readonly number[];
	/** Length of a chunk along each axis. */
	readonly chunks: readonly number[];
	/** The dtype in the notation of `.zarray`. */
	readonly dtype: ZarrDtype;
	/** Order of the elements in a chunk, `C` or `F`. */
	readonly order: string;
	/** Codec of the chunks as in the metadata; null for none. */
	readonly compressor: unknown;
	/** Fill value as in the metadata. */
	readonly fillValue: unknown;
	/** Number of chunks of the shape. */
	readonly chunkCount: number;
	/** Chunks that are stored. */
	readonly storedChunks: number;
	/** Bytes of the stored chunks and the metadata. */
	readonly storedBytes: number;
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
 * A zarr array that can be changed while other pages, workers and, in S3, machines read
 * and write it.
 *
 * Only chunks with changed elements are read and written, each at once; codec and order
 * stay. Writers of one chunk take turns, so that disjoint elements are never lost. A reader
 * gets each chunk from before or from after a change. Calls run one after the other; an
 * aborted or failed call leaves each chunk old or new.
 */
export class WritableArray implements Disposable {
	/** Path in the store. */
	readonly path: string;
	readonly #host: ArrayHost;
	readonly #core: Core;
	readonly #turns = new SerialQueue();
	#array: Handle<"Writable"> | undefined;
	#meta: Metadata = { shape: [], chunks: [], dtype: "", order: "C" };

	/** @internal See `openArray`. */
	constructor(store: ArrayStore, path: string, core: Core) {
		this.path = path;
		this.#core = core;
		const given = { path, place: store.name, has_locks: store.lock !== undefined };
		this.#array = core.run("writable", given);
		this.#host = new ArrayHost(store, path, core, this.#array);
	}

	/** Length of each axis, as last read. */
	get shape(): readonly number[] {
		return this.#meta.shape;
	}

	/** Length of a chunk along each axis. */
	get chunks(): readonly number[] {
		return this.#meta.chunks;
	}

	/** The dtype in the notation of `.zarray`. */
	get dtype(): ZarrDtype {
		return this.#meta.dtype;
	}

	/** Leaf fields; a single field "" if elements are no records. */
	get fields(): readonly Field[] {
		return fieldsOf(this.#meta.dtype);
	}

	/** @internal */
	open(
		{ mode, ...array }: NewArray & { mode: ArrayMode },
		signal: AbortSignal | undefined,
	): Promise<void> {
		return this.#do((own) => {
			const existing = EXISTING[mode];
			const isNew = existing !== undefined && array.shape !== undefined;
			if (isNew)
				this.#core.run("writable_create", { ...own, existing, ...specOf(array) });
			else this.#core.run("writable_open", own);
		}, signal);
	}

	/** Reads the metadata again: others may have changed the shape. */
	refresh({ signal }: AbortOptions = {}): Promise<void> {
		return this.#do((own) => this.#core.run("writable_refresh", own), signal);
	}

	/**
	 * Reads elements as they are stored now: whole chunks, which are not kept. Absent chunks
	 * read as the fill value. Of records, one field.
	 *
	 * @throws BevError `invalid_argument` for records without a field
	 */
	async read(
		selection: ElementSelection = [],
		options: AbortOptions & { readonly field?: string | undefined } = {},
	): Promise<LoadedRows> {
		checkOptions(`${this.path}: read`, options, { field: "text", signal: "any" });
		const { field = "", signal } = options;
		const found = await this.#read(selection, field, signal);
		const rows = found[field];
		if (rows) return rows;
		const names = Object.keys(found).join(", ");
		throw new BevError(
			"invalid_argument",
			`${this.path}: read: a field is needed (expected one of ${names})`,
		);
	}

	/** Reads all fields of records, by name. */
	columns(
		selection: ElementSelection = [],
		{ signal }: AbortOptions = {},
	): Promise<LoadedBatch> {
		return this.#read(selection, "", signal);
	}

	/**
	 * Changes elements: of records, the fields that `values` has.
	 *
	 * @throws BevError `invalid_argument` for values of another type or number,
	 * `out_of_range` for elements outside the array, `corrupt_chunk` for a damaged chunk of
	 * which a part would be kept
	 */
	assign(
		selection: ElementSelection,
		values: ArrayValues | Readonly<Record<string, ArrayValues>>,
		options: AssignOptions = {},
	): Promise<void> {
		const chosen = chosenOf(this.path, selection);
		checkOptions(`${this.path}: assign`, options, { where: "list", signal: "any" });
		const where = options.where && Uint8Array.from(options.where, Number);
		return this.#do((own) => {
			this.#pass(own, values);
			this.#core.run("writable_assign", { ...own, ...chosen, ...(where && { where }) });
		}, options.signal);
	}

	/**
	 * Appends rows along the first axis; of records, all fields. Returns the new shape. With
	 * locks, the rows appear at once; in S3 they read as fill values until they are written.
	 */
	async append(
		values: ArrayValues | Readonly<Record<string, ArrayValues>>,
		{ signal }: AbortOptions = {},
	): Promise<readonly number[]> {
		await this.#do((own) => {
			this.#pass(own, values);
			this.#core.run("writable_append", own);
		}, signal);
		return this.shape;
	}

	/**
	 * Changes the length of the axes. New elements have the fill value; chunks outside are
	 * removed.
	 */
	resize(shape: readonly number[], { signal }: AbortOptions = {}): Promise<void> {
		check(`${this.path}: resize`, shape ?? null, "list");
		const lengths = asNumbers(shape);
		return this.#do(
			(own) => this.#core.run("writable_resize", { ...own, shape: lengths }),
			signal,
		);
	}

	/** Returns what the array is and occupies, from a listing of its objects. */
	async info({ signal }: AbortOptions = {}): Promise<ArrayInfo> {
		const [chunkCount = 0, storedChunks = 0, storedBytes = 0] = await this.#do(
			(own) => this.#core.run("writable_use", own),
			signal,
			(own) => this.#core.run("writable_counts", own),
		);
		const { shape, chunks, dtype, order, ...others } = this.#meta;
		const { compressor = null, fill_value: fillValue = null } = others;
		const stored = { chunkCount, storedChunks, storedBytes };
		return { shape, chunks, dtype, order, compressor, fillValue, ...stored };
	}

	/** Frees the memory; later calls reject. */
	close(): void {
		if (this.#array !== undefined) this.#core.release(this.#array);
		this.#array = undefined;
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	#read(
		selection: ElementSelection,
		field: string,
		signal: AbortSignal | undefined,
	): Promise<LoadedBatch> {
		const chosen = chosenOf(this.path, selection);
		return this.#do(
			(own) => this.#core.run("writable_read", { ...own, ...chosen }),
			signal,
			(own) => batchOf(this.#core.views("writable_take", { ...own, field })),
		);
	}

	/** Runs work of the core; `begin` also checks its arguments. */
	#do<T = void>(
		begin: (own: Own) => unknown,
		signal: AbortSignal | undefined,
		end?: (own: Own) => T,
	): Promise<T> {
		return this.#turns.run(async () => {
			signal?.throwIfAborted();
			const own = this.#own();
			begin(own);
			await this.#host.run(signal);
			const now = this.#own();
			this.#meta = JSON.parse(this.#core.run("describe_writable", now)) as Metadata;
			return end?.(now) as T;
		});
	}

	#own(): Own {
		if (this.#array !== undefined) return { array: this.#array };
		throw new BevError("closed", `${this.path}: closed`);
	}

	/** Passes values to the core. */
	#pass(own: Own, values: ArrayValues | Readonly<Record<string, ArrayValues>>): void {
		this.#core.run("writable_clear", own);
		for (const [field, given] of valuesByField(this.path, values)) {
			const data = Object(given).data ?? given;
			if (!ArrayBuffer.isView(data)) {
				const value = jsonOf(`${this.path}: value`, given);
				this.#core.run("writable_value", { ...own, field, value });
				continue;
			}
			const known = this.fields.find(({ name }) => name === field)?.dtype ?? [];
			const name = field || this.path;
			const dtype = dtypeOf(name, data as BatchData, known);
			const bytes = bytesOf(data);
			this.#core.run("writable_values", { ...own, field, dtype, bytes });
		}
	}
}

/** What operations on an array need. */
interface Own {
	readonly array: Handle<"Writable">;
}

/** The used members of a .zarray. */
interface Metadata {
	readonly shape: readonly number[];
	readonly chunks: readonly number[];
	readonly dtype: ZarrDtype;
	readonly order: string;
	readonly compressor?: unknown;
	readonly fill_value?: unknown;
}

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
		await opened.open({ ...(isNew ? array : {}), mode }, signal);
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

/** Returns a value as a fill value in metadata. */
function jsonOf(of: string, value: unknown, isNull = false): string {
	if (isNull) return "null";
	if (typeof value === "bigint") return String(value);
	if (typeof value === "number") {
		return JSON.stringify(Number.isFinite(value) ? value : String(value));
	}
	if (typeof value === "boolean" || typeof value === "string") {
		return JSON.stringify(value);
	}
	return refuse(of, value, "a typed array or one value");
}

function chosenOf(
	path: string,
	selection: ElementSelection,
): Omit<Given<"writable_read">, "array"> {
	check(`${path}: selection`, selection ?? null, "object");
	if ("rows" in selection) {
		check(`${path}: rows`, selection.rows ?? null, "list");
		return { indices: asNumbers(selection.rows) };
	}
	if ("mask" in selection) {
		check(`${path}: mask`, selection.mask ?? null, "list");
		return { mask: Uint8Array.from(selection.mask, Number) };
	}
	check(`${path}: selection`, selection, "list");
	return { axes: axesOf(selection) };
}

/** Returns the values of each field; "" for whole elements. */
function valuesByField(
	path: string,
	values: ArrayValues | Readonly<Record<string, ArrayValues>>,
): (readonly [string, ArrayValues])[] {
	const isOne = typeof values !== "object" || values === null;
	if (isOne || ArrayBuffer.isView(values)) return [["", values as ArrayValues]];
	if ("data" in values && ArrayBuffer.isView(values.data))
		return [["", values as ArrayValues]];
	if (isColumns(values)) return values.names.map((name) => [name, values.column(name)]);
	const fields = Object.entries(values as Readonly<Record<string, ArrayValues>>);
	if (fields.length === 0) refuse(`${path}: values`, values, "values of a field");
	return fields;
}

/** Whether values are rows that a data set returned: `Columns`. */
function isColumns(values: object): values is {
	readonly names: readonly string[];
	column(name: string): { readonly data: ArrayBufferView };
} {
	return "names" in values && typeof Object(values).column === "function";
}
