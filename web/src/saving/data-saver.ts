import "../dispose.js";
import type { AbortOptions, LoadOptions } from "../api.js";
import type { CoreNewObject, CoreSave, CoreSaver } from "../core-save.js";
import { BevError } from "../errors.js";
import {
	type BatchData,
	bytesOf,
	configFrom,
	configJson,
	type DataConfig,
	dtypeOf,
} from "./config.js";
import { called, loadCore, Turns } from "./core.js";
import { type Destination, MemoryStore, type ObjectStore } from "./destination.js";

/** Key of the list of a part's objects. */
const JOURNAL = "manifest.json";

/** Bytes of chunks that are written at the same time, or the largest chunk. */
const MAX_WRITING = 2 ** 26;

/** Options of `DataSaver.open`. */
export interface SaverOptions extends AbortOptions {
	/**
	 * Where rows are collected until they are committed. Default: what the destination
	 * suggests, a folder beside it; for S3 and maps, memory.
	 */
	readonly parts?: ObjectStore | undefined;
	/**
	 * Whether to continue with rows that an interrupted saver has flushed. Default: if
	 * there are any, opening fails.
	 */
	readonly resume?: boolean | undefined;
	/** The module's URL, its bytes, or a compiled module; default: the package's file. */
	readonly wasm?: LoadOptions["wasm"];
}

/** Uploads or writes in progress, limited in number and bytes. */
class Writes {
	readonly #pending = new Set<Promise<void>>();
	#bytes = 0;
	#failure: { readonly error: unknown } | undefined;

	constructor(readonly concurrency: number) {}

	/** Starts `work` when there is room. Rejects if an earlier one has failed. */
	async add(bytes: number, work: () => Promise<void>): Promise<void> {
		const isFull = (): boolean =>
			this.#pending.size >= this.concurrency ||
			(this.#pending.size > 0 && this.#bytes + bytes > MAX_WRITING);
		while (isFull()) await Promise.race(this.#pending);
		this.#check();
		this.#bytes += bytes;
		const done = work()
			.catch((error: unknown) => {
				this.#failure ??= { error };
			})
			.finally(() => {
				this.#bytes -= bytes;
				this.#pending.delete(done);
			});
		this.#pending.add(done);
	}

	/** Resolves when nothing is in progress; rejects if anything has failed. */
	async settled(): Promise<void> {
		while (this.#pending.size > 0) await Promise.all(this.#pending);
		this.#check();
	}

	#check(): void {
		if (this.#failure) throw this.#failure.error;
	}
}

/**
 * Saves batches of rows as a data set: a zarr group with an array per attribute, each
 * object of which is at most `maxObjectSize` bytes. See docs/storage.md.
 *
 * ```ts
 * const saver = await DataSaver.open(config, toFolder(directory, "digits.zarr"));
 * await saver.save({ image, label });
 * await saver.commit();
 * ```
 *
 * Readers see all rows after `commit`, and none before. Calls run one after the other.
 * If `save` or `flush` fails to write, every later call rejects with the same error; rows
 * that were flushed are kept for `resume` if the parts are in a folder.
 */
export class DataSaver implements Disposable {
	/** The configuration, with all members. */
	readonly config: Required<DataConfig>;
	readonly #core: CoreSave;
	readonly #json: string;
	readonly #destination: Destination;
	readonly #parts: ObjectStore;
	readonly #turns = new Turns();
	#saver: CoreSaver | undefined;
	#failure: { readonly error: unknown } | undefined;
	#counts = { rows: 0, batches: 0 };

	/**
	 * Opens a saver.
	 *
	 * @throws BevError `invalid_argument` for an invalid configuration, if a data set
	 * exists at the destination, and if rows are kept there and `resume` is not given
	 */
	static async open(
		config: DataConfig,
		destination: Destination,
		{ parts, resume = false, signal, wasm }: SaverOptions = {},
	): Promise<DataSaver> {
		signal?.throwIfAborted();
		const core = await loadCore(wasm);
		const json = called(() => core.normalConfig(configJson(config)));
		await destination.begin({ signal });
		const store = parts ?? destination.parts?.() ?? new MemoryStore();
		const saver = new DataSaver(core, json, destination, store);
		try {
			await saver.#continue(resume, signal);
		} catch (error) {
			saver.close();
			throw error;
		}
		return saver;
	}

	private constructor(
		core: CoreSave,
		json: string,
		destination: Destination,
		parts: ObjectStore,
	) {
		this.config = configFrom(json);
		this.#core = core;
		this.#json = json;
		this.#destination = destination;
		this.#parts = parts;
		this.#saver = called(() => core.makeSaver(json));
	}

	/** Rows saved, including those that were found. */
	get rows(): number {
		return this.#counts.rows;
	}

	/** Batches saved, including those that were found. */
	get batches(): number {
		return this.#counts.batches;
	}

	/**
	 * Appends a batch: values of every attribute, with equal numbers of rows. Strings,
	 * records, booleans and big-endian numbers are passed as bytes (`Uint8Array`). The
	 * arrays must not change until the promise is settled.
	 *
	 * @throws BevError `invalid_argument` for a batch that does not match the
	 * configuration; nothing of it is then saved, and the saver remains usable
	 */
	save(
		batch: Readonly<Record<string, BatchData>>,
		{ signal }: AbortOptions = {},
	): Promise<void> {
		return this.#turns.run(async () => {
			const saver = this.#open(signal);
			this.#pass(saver, batch);
			await this.#work(() => this.#write(saver));
		});
	}

	/** Makes the rows saved so far survive the end of the page, unless parts are in memory. */
	flush({ signal }: AbortOptions = {}): Promise<void> {
		return this.#turns.run(async () => {
			const saver = this.#open(signal);
			await this.#work(() => this.#flush(saver, false));
		});
	}

	/**
	 * Flushes, and publishes the data set. Returns its number of rows. The saver cannot
	 * be used afterwards. If publishing fails or is aborted, readers see nothing, and the
	 * call can be repeated.
	 */
	commit({ signal }: AbortOptions = {}): Promise<number> {
		return this.#turns.run(async () => {
			const saver = this.#open(signal);
			const manifest = await this.#work(() => this.#flush(saver, true));
			await this.#publish(manifest, signal);
			await this.#parts.clear();
			this.close();
			return this.rows;
		});
	}

	/** Removes the rows collected. The saver cannot be used afterwards. */
	abort(): Promise<void> {
		return this.#turns.run(async () => {
			this.close();
			await this.#parts.clear();
		});
	}

	/** Frees memory, after all calls are settled. Rows that were not flushed are lost. */
	close(): void {
		this.#saver?.delete();
		this.#saver = undefined;
	}

	[Symbol.dispose](): void {
		this.close();
	}

	#open(signal: AbortSignal | undefined): CoreSaver {
		signal?.throwIfAborted();
		if (this.#failure) throw this.#failure.error;
		if (this.#saver) return this.#saver;
		throw new BevError(
			"invalid_argument",
			`${this.#destination.name}: the saver has ended`,
		);
	}

	/** Runs `work`, whose failure ends the saver's use. */
	async #work<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			this.#failure = { error };
			throw error;
		}
	}

	/** Continues with the rows that were found. */
	async #continue(resume: boolean, signal: AbortSignal | undefined): Promise<void> {
		const saver = this.#open(signal);
		const journal = await this.#parts.read(JOURNAL, { signal });
		if (!journal) return;
		called(() => saver.resume(new TextDecoder().decode(journal)));
		this.#count(saver);
		if (!resume) {
			throw new BevError(
				"invalid_argument",
				`${this.#destination.name}: ${this.rows} rows of an earlier saver are kept (resume them, or remove them with discardParts)`,
			);
		}
		for (let key = saver.needed(); key !== null; key = saver.needed()) {
			const bytes = await this.#part(key, signal);
			called(() => saver.supply(bytes));
		}
	}

	async #part(key: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
		const bytes = await this.#parts.read(key, { signal });
		if (bytes) return bytes;
		throw new BevError("missing_key", `${this.#destination.name}: ${key}: not found`, {
			key,
		});
	}

	#count(saver: CoreSaver): void {
		this.#counts = { rows: saver.rows(), batches: saver.batches() };
	}

	/** Passes a batch to the module, which checks it before any of it is used. */
	#pass(saver: CoreSaver, batch: Readonly<Record<string, BatchData>>): void {
		const { attributes } = this.config;
		called(() => {
			try {
				for (const [name, data] of Object.entries(batch)) {
					const type = attributes[name];
					const dtype = typeof type === "string" ? type : type?.dtype;
					saver.add(name, dtypeOf(name, data, dtype ?? ""), bytesOf(data));
				}
				saver.save();
			} finally {
				saver.clear();
			}
		});
		this.#count(saver);
	}

	/** Writes the objects that are ready, one at a time. */
	async #write(saver: CoreSaver): Promise<void> {
		const take = (): CoreNewObject | null => called(() => saver.take());
		for (let object = take(); object; object = take()) {
			await this.#parts.put(object.key, object.bytes);
		}
	}

	/** Writes all rows, then the journal that names their objects. Returns the journal. */
	async #flush(saver: CoreSaver, complete: boolean): Promise<string> {
		await this.#write(saver);
		called(() => saver.flush());
		await this.#write(saver);
		const journal = called(() => saver.journal(complete));
		await this.#parts.put(JOURNAL, new TextEncoder().encode(journal));
		for (const key of called(() => saver.confirm())) await this.#parts.remove(key);
		return journal;
	}

	/** Writes the data set: chunks side by side, then documents one after the other. */
	async #publish(manifest: string, signal: AbortSignal | undefined): Promise<void> {
		const destination = this.#destination;
		const writes = new Writes(destination.concurrency ?? 1);
		const commit = called(() => this.#core.makeCommit(this.#json, manifest));
		try {
			while (!commit.isComplete()) {
				signal?.throwIfAborted();
				for (const key of commit.missing()) {
					const bytes = await this.#part(key, signal);
					called(() => commit.supply(key, bytes));
				}
				const object = called(() => commit.next());
				if (!object) continue;
				const { key, bytes } = object;
				const isDocument = /(^|\/)\.z[a-z]+$/.test(key);
				if (isDocument) await writes.settled();
				await writes.add(bytes.length, () => destination.put(key, bytes, { signal }));
				if (isDocument) await writes.settled();
			}
			await writes.settled();
			await destination.publish({ signal });
		} catch (error) {
			await writes.settled().catch(() => {});
			throw error;
		} finally {
			commit.delete();
		}
	}
}

/** Removes the rows that savers of a destination have collected and not committed. */
export async function discardParts(
	destination: Destination,
	parts: ObjectStore | undefined = destination.parts?.(),
): Promise<void> {
	await parts?.clear();
}
