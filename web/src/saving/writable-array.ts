import "../base/dispose.js";
import type { AbortOptions, ZarrDtype } from "../api.js";
import { type Field, fieldsOf } from "../arrays/structured-array.js";
import { asNumbers, check, checkOptions } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { Core, Given, Handle } from "../core/core.js";
import { ArrayHost } from "./array-host.js";
import type { ArrayStore } from "./array-store.js";
import {
	type ArrayValues,
	chosenOf,
	type ElementSelection,
	jsonOf,
	valuesByField,
} from "./array-values.js";
import { type BatchData, bytesOf, dtypeOf } from "./config.js";
import { SerialQueue } from "./core.js";
import { batchOf, type LoadedBatch, type LoadedRows } from "./data-loader.js";

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

	/** @internal Opens the array, or creates it as `created` says. */
	open(
		created: Omit<Given<"writable_create">, "array"> | undefined,
		signal: AbortSignal | undefined,
	): Promise<void> {
		return this.#do((own) => {
			if (created) this.#core.run("writable_create", { ...own, ...created });
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
