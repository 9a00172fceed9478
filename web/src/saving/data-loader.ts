import "../base/dispose.js";
import type { AbortOptions, DatasetFrom, LoadOptions } from "../api.js";
import { asNumbers, check, checkOptions } from "../base/arguments.js";
import { BevError, toBevError } from "../base/errors.js";
import type { Core, CoreArray, Handle } from "../core/core.js";
import { resolveSource } from "../dataset/resolve.js";
import { MemorySource, type Source } from "../source/source.js";
import { unlessAborted } from "../source/unless-aborted.js";
import { ZipSource } from "../source/zip-source.js";
import { type BatchData, bytesOf, configFrom, type DataConfig } from "./config.js";
import { loadCore, SerialQueue } from "./core.js";

/** Consolidated metadata of versions 2 and 3. */
const METADATA = [".zmetadata", "zarr.json"];

const DEFAULT_BYTE_BUDGET = 256 * 2 ** 20;

/** Options of `DataLoader.open`. */
export interface LoaderOptions extends AbortOptions {
	/** Memory for decoded chunks in bytes, at least the largest chunk; default 256 MiB. */
	readonly byteBudget?: number | undefined;
	/** Attributes that are loaded, in this order; default: all. Of others, nothing is read. */
	readonly attributes?: readonly string[] | undefined;
	/** The module's URL, its bytes, or a compiled module; default: the package's file. */
	readonly wasm?: LoadOptions["wasm"];
}

/** What `DataLoader.open` reads: as `ChunkedDataset.open`, or objects in memory by key. */
export type LoadFrom = DatasetFrom | ReadonlyMap<string, Uint8Array>;

/** Rows of an attribute. */
export interface LoadedRows {
	/** NumPy's code, e.g. `<f4`; fields of a record as JSON. */
	readonly dtype: string;
	/** Number of rows, followed by the shape of an item. */
	readonly shape: readonly number[];
	/**
	 * Values of all rows. Strings, records, booleans and big-endian numbers are bytes
	 * (`Uint8Array`); complex numbers have two values each.
	 */
	readonly data: BatchData;
}

/** Rows of all attributes by name. */
export type LoadedBatch = Readonly<Record<string, LoadedRows>>;

/** A file that was attached to a data set. */
export interface Attachment {
	/** Its name. */
	readonly name: string;
	/** Its size. */
	readonly bytes: number;
	/** Its SHA-256, 64 hexadecimal digits. */
	readonly sha256: string;
}

/** What a loader has read. */
export interface LoaderStats {
	/** Chunks read and decoded, again after eviction. */
	readonly chunks: number;
	/** Bytes of decoded chunks in memory. */
	readonly heldBytes: number;
}

/**
 * Loads rows of a data set that savers have written: by index, or in order. Opening reads
 * one object. Every chunk is read whole, and once if the rows are read in order; of shards,
 * the whole object.
 *
 * ```ts
 * const loader = await DataLoader.open("https://host/digits.zarr");
 * for await (const { image, label } of loader.batches(64)) train(image, label);
 * ```
 *
 * Reads that fail, absent and damaged chunks, and a data set that was replaced since it
 * was opened are errors; no row is filled up. The loader remains usable. Calls run one
 * after the other.
 */
export class DataLoader implements Disposable {
	/** Number of rows. */
	readonly length: number;
	/** The configuration that the rows were saved with; of the attributes, those loaded. */
	readonly config: Required<DataConfig>;
	/** The attached files, sorted by name. */
	readonly attachments: readonly Attachment[];
	/** Rows per chunk by attribute. */
	readonly chunkRows: Readonly<Record<string, number>>;
	readonly #source: Source;
	readonly #metadata: StoredObject;
	/** The shard of each attribute that was read last: its next chunks are needed next. */
	readonly #shards = new Map<string, StoredObject>();
	readonly #turns = new SerialQueue();
	readonly #core: Core;
	#loader: Handle<"Loader"> | undefined;

	/**
	 * Opens a data set.
	 *
	 * @throws BevError `invalid_argument` for a store that no saver has written,
	 * `missing_key` if there is none; `invalid_argument` for an empty list of attributes
	 * and for one named twice, `not_found` for an unknown one
	 */
	static async open(from: LoadFrom, options: LoaderOptions = {}): Promise<DataLoader> {
		checkOptions("loader", options, {
			byteBudget: "index",
			attributes: "texts",
			signal: "any",
			wasm: "any",
		});
		const { byteBudget = DEFAULT_BYTE_BUDGET, attributes, signal, wasm } = options;
		if (typeof from !== "string") check("loader", from ?? null, "object");
		signal?.throwIfAborted();
		const core = await loadCore(wasm);
		const source = await sourceOf(from, core);
		for (const key of METADATA) {
			const bytes = await source.read(key, { signal, required: true });
			if (!bytes) continue;
			const metadata = new TextDecoder().decode(bytes);
			const given = { metadata, where: key, byte_budget: byteBudget, attributes };
			const loader = core.run("loader", given);
			return new DataLoader(source, { key, bytes }, core, loader);
		}
		throw absent(METADATA.join(", "));
	}

	private constructor(
		source: Source,
		metadata: StoredObject,
		core: Core,
		loader: Handle<"Loader">,
	) {
		this.#source = source;
		this.#metadata = metadata;
		this.#core = core;
		this.#loader = loader;
		const text = core.run("describe_loader", { loader });
		const { config, rows, attachments, chunkRows } = JSON.parse(text) as Description;
		this.length = rows;
		this.config = configFrom(config);
		this.attachments = attachments;
		const names = Object.keys(this.config.attributes);
		this.chunkRows = Object.fromEntries(
			names.map((name, i) => [name, chunkRows[i] ?? 0]),
		);
	}

	/** What was read so far. */
	get stats(): LoaderStats {
		const stats = this.#core.run("loader_stats", { loader: this.#open() });
		const [chunks = 0, heldBytes = 0] = stats;
		return { chunks, heldBytes };
	}

	/**
	 * Returns rows `begin` to `end - 1`. Calls that continue each other read ahead.
	 *
	 * @throws BevError `out_of_range` unless 0 <= begin <= end <= length
	 */
	async rows(
		begin: number,
		end: number,
		options: AbortOptions = {},
	): Promise<LoadedBatch> {
		check("rows: begin", begin ?? null, "integer");
		check("rows: end", end ?? null, "integer");
		return this.#answer(
			(loader) => this.#core.run("loader_ask", { loader, begin, end }),
			options,
		);
	}

	/**
	 * Returns these rows, in this order. Negative indices count from the end.
	 *
	 * @throws BevError `out_of_range` for rows that do not exist
	 */
	async items(
		indices: ArrayLike<number>,
		options: AbortOptions = {},
	): Promise<LoadedBatch> {
		check("items", indices ?? null, "list");
		const rows = { indices: asNumbers(indices) };
		return this.#answer(
			(loader) => this.#core.run("loader_ask_rows", { loader, ...rows }),
			options,
		);
	}

	/** Returns batches of consecutive rows, the last one shorter. */
	async *batches(
		size: number,
		{ begin = 0, signal }: AbortOptions & { readonly begin?: number | undefined } = {},
	): AsyncGenerator<LoadedBatch, void, undefined> {
		check("batches: begin", begin, "index");
		if (!Number.isSafeInteger(size) || size < 1) {
			throw new BevError(
				"invalid_argument",
				`batches: invalid size (found ${size}, expected a positive integer)`,
			);
		}
		for (let row = begin; row < this.length; row += size) {
			yield await this.rows(row, Math.min(row + size, this.length), { signal });
		}
	}

	/**
	 * Reads an attached file and compares it with its SHA-256.
	 *
	 * @throws BevError `not_found` if there is none of this name, `corrupt_chunk`
	 */
	attachment(name: string, { signal }: AbortOptions = {}): Promise<Uint8Array> {
		return this.#turns.run(async () => {
			signal?.throwIfAborted();
			check("attachment", name ?? null, "text");
			const loader = this.#open();
			const key = this.#core.run("attachment_key", { loader, name });
			const reading = this.#source.read(key, { signal, required: true });
			const bytes = await unlessAborted(reading, signal);
			if (!bytes) throw absent(key);
			await this.#checkUnchanged(signal);
			try {
				this.#core.run("check_attachment", { loader: this.#open(), name, bytes });
			} catch (error) {
				this.#source.forget?.(key);
				throw error;
			}
			return bytes;
		});
	}

	/** Removes all chunks from memory. */
	clear(): void {
		this.#core.run("loader_clear", { loader: this.#open() });
		this.#shards.clear();
	}

	/** Frees the memory; later calls reject. */
	close(): void {
		if (this.#loader !== undefined) this.#core.release(this.#loader);
		this.#loader = undefined;
		this.#shards.clear();
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	#open(): Handle<"Loader"> {
		if (this.#loader !== undefined) return this.#loader;
		throw new BevError("closed", "loader: closed");
	}

	#answer(
		ask: (loader: Handle<"Loader">) => void,
		{ signal }: AbortOptions,
	): Promise<LoadedBatch> {
		return this.#turns.run(async () => {
			signal?.throwIfAborted();
			ask(this.#open());
			for (;;) {
				const keys = this.#core.run("loader_missing", { loader: this.#open() });
				if (keys.length === 0) break;
				await this.#read(keys, signal);
			}
			return batchOf(this.#core.views("loader_take", { loader: this.#open() }));
		});
	}

	/** Reads chunks side by side, then checks that they are of the data set opened. */
	async #read(keys: readonly string[], signal: AbortSignal | undefined): Promise<void> {
		const reads = keys.map(async (key) => {
			const held = this.#shards.get(attributeOf(key));
			if (held?.key === key) return [key, held.bytes] as const;
			const bytes = await this.#source.read(key, { signal, required: true });
			if (!bytes) throw absent(key);
			return [key, bytes] as const;
		});
		const chunks = await unlessAborted(Promise.all(reads), signal);
		await this.#checkUnchanged(signal);
		const loader = this.#open();
		for (const [key, bytes] of chunks) {
			try {
				this.#core.run("loader_supply", { loader, key, bytes });
			} catch (error) {
				this.#source.forget?.(key);
				this.#shards.clear();
				throw error;
			}
			if (this.config.chunksPerShard) {
				this.#shards.set(attributeOf(key), { key, bytes });
			} else {
				this.#source.recycle?.(bytes);
			}
		}
	}

	async #checkUnchanged(signal: AbortSignal | undefined): Promise<void> {
		const { key, bytes: before } = this.#metadata;
		const now = await this.#source.read(key, { signal, required: true });
		const isSame =
			now?.length === before.length && now.every((byte, i) => byte === before[i]);
		if (isSame) return;
		throw new BevError("changed", `${key}: was replaced since it was opened`, { key });
	}
}

/** See `describe_loader`. */
interface Description {
	readonly config: string;
	readonly rows: number;
	readonly chunkRows: readonly number[];
	readonly attachments: readonly Attachment[];
}

interface StoredObject {
	readonly key: string;
	readonly bytes: Uint8Array;
}

/** Returns the attribute of a chunk's key; names have no slashes. */
function attributeOf(key: string): string {
	return key.slice(0, key.indexOf("/"));
}

function absent(key: string): BevError {
	return new BevError("missing_key", `${key}: not found`, { key });
}

/** Returns arrays by attribute; big-endian numbers as bytes. */
export function batchOf(rows: readonly CoreArray[]): LoadedBatch {
	return Object.fromEntries(
		rows.map(({ name, dtype, shape, data }) => {
			const own = data.slice();
			const values = dtype.startsWith(">") ? bytesOf(own) : (own as BatchData);
			return [name, { dtype, shape, data: values }];
		}),
	);
}

async function sourceOf(from: LoadFrom, core: Core): Promise<Source> {
	const isMap = (from as object) instanceof Map;
	const [first] = isMap ? (from as ReadonlyMap<string, unknown>).values() : [];
	if (isMap && (first === undefined || first instanceof Uint8Array)) {
		return new MemorySource(from as ReadonlyMap<string, Uint8Array>);
	}
	const { source, zip } = await resolveSource(from as DatasetFrom).catch((thrown) => {
		throw toBevError(thrown, "invalid_argument");
	});
	return zip ? new ZipSource(zip.holder, zip.archive, async () => core) : source;
}
