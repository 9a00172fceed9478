import "../base/dispose.js";
import type { AbortOptions, LoadOptions } from "../api.js";
import { check, checkOptions, type Kinds, refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { Handle } from "../core/core.js";
import { commitAt } from "./commit.js";
import {
	type BatchData,
	bytesOf,
	checkConfig,
	configFrom,
	configJson,
	type DataConfig,
	dtypeIn,
	dtypeOf,
} from "./config.js";
import { loadCore, objectOf, SerialQueue } from "./core.js";
import { type Destination, MemoryStore, type ObjectStore } from "./destination.js";
import { Part, type Place, type SaveMode } from "./parts.js";

/** Options of `DataSaver.open`. */
export interface SaverOptions extends AbortOptions {
	/** Number among several savers: rows are in the order of these; default 0. */
	readonly saver?: number | undefined;
	/** What happens to a data set that is at the destination; default `create`. */
	readonly mode?: SaveMode | undefined;
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

const SAVER: Kinds = {
	...{ signal: "any", saver: "index", mode: "text", parts: "object" },
	...{ resume: "flag", wasm: "any" },
};

/**
 * Saves batches of rows as a data set: a zarr group with an array per attribute, each
 * object of which is at most `maxObjectSize` bytes. See docs/saver.md.
 *
 * ```ts
 * const saver = await DataSaver.open(config, toFolder(directory, "digits.zarr"));
 * await saver.save({ image, label });
 * await saver.commit();
 * ```
 *
 * Readers see all rows after `commit`, and none before. Several savers of a destination
 * have a number each: all call `finish`, then one calls `commitParts`. Calls run one after
 * the other.
 * If `save` or `flush` fails to write, every later call rejects with the same error; rows
 * that were flushed are kept for `resume` if the parts are in a folder.
 */
export class DataSaver implements Disposable {
	/** The configuration, with all members. */
	readonly config: Required<DataConfig>;
	readonly #place: Place;
	readonly #part: Part;
	readonly #turns = new SerialQueue();
	#saver: Handle<"Saver"> | undefined;
	#isFinished = false;
	#failure: { readonly error: unknown } | undefined;
	#counts = { rows: 0, batches: 0 };

	/**
	 * Joins the savers of a destination, or begins.
	 *
	 * @throws BevError `invalid_argument` for an invalid configuration, for another one or
	 * another mode than other savers have, for a number in use, if a data set exists at
	 * the destination in mode `create`, and if rows are kept there and `resume` is not
	 * given; `unsupported` for a destination that cannot replace its data set
	 */
	static async open(
		config: DataConfig,
		destination: Destination,
		options: SaverOptions = {},
	): Promise<DataSaver> {
		checkConfig(config);
		checkOptions("saver", options, SAVER);
		if (typeof Object(destination).begin !== "function")
			refuse("saver: destination", destination, "one of toFolder and others");
		const { saver = 0, mode = "create", resume = false, signal } = options;
		signal?.throwIfAborted();
		const core = await loadCore(options.wasm);
		const json = core.run("normal_config", { config: configJson(config) });
		const store = options.parts ?? destination.parts?.() ?? new MemoryStore();
		const place = { core, destination, store };
		const part = await Part.join(place, { config: json, mode, saver, signal });
		try {
			const handle = core.run("saver", { config: json, saver });
			const opened = new DataSaver(json, place, part, handle);
			await opened.#continue(resume, signal);
			return opened;
		} catch (error) {
			part.release();
			throw error;
		}
	}

	private constructor(json: string, place: Place, part: Part, saver: Handle<"Saver">) {
		this.config = configFrom(json);
		this.#place = place;
		this.#part = part;
		this.#saver = saver;
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
			check("save", batch ?? null, "options");
			this.#pass(saver, batch);
			await this.#work(() => this.#write(saver));
		});
	}

	/**
	 * Copies bytes into the data set as they are, in place of those attached under this name
	 * before; see `DataLoader.attachment`. Survives the end of the page after `flush`,
	 * visible after `commit`.
	 *
	 * @param name a file name without slashes that begins with no dot
	 * @throws BevError `invalid_argument` for other names; `limit_exceeded` above 1 GiB
	 */
	attach(
		name: string,
		bytes: Uint8Array,
		{ signal }: AbortOptions = {},
	): Promise<void> {
		return this.#turns.run(async () => {
			const saver = this.#open(signal);
			check("attach: name", name ?? null, "text");
			if (!(bytes instanceof Uint8Array))
				refuse("attach", bytes, "bytes, a Uint8Array");
			this.#place.core.run("saver_attach", { saver, name, bytes });
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

	/** Flushes and completes the part. The saver cannot be used afterwards. */
	finish({ signal }: AbortOptions = {}): Promise<void> {
		return this.#turns.run(() => this.#finish(signal));
	}

	/**
	 * As `finish`, then `commitParts`. Returns the data set's number of rows. If publishing
	 * fails or is aborted, readers see what they saw before, and the call can be repeated.
	 */
	commit({ signal }: AbortOptions = {}): Promise<number> {
		return this.#turns.run(async () => {
			if (!this.#isFinished) await this.#finish(signal);
			const rows = await commitAt(this.#place, signal);
			this.#isFinished = false;
			return rows;
		});
	}

	/** Removes the rows collected. The saver cannot be used afterwards. */
	abort(): Promise<void> {
		return this.#turns.run(async () => {
			if (this.#saver === undefined) this.#open(undefined);
			this.#end();
			await this.#part.clear();
		});
	}

	/** Frees memory, after all calls are settled. Rows that were not flushed are lost. */
	close(): void {
		this.#end();
		this.#part.release();
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	#end(): void {
		if (this.#saver !== undefined) this.#place.core.release(this.#saver);
		this.#saver = undefined;
	}

	async #finish(signal: AbortSignal | undefined): Promise<void> {
		const saver = this.#open(signal);
		await this.#work(() => this.#flush(saver, true));
		this.#isFinished = true;
		this.close();
	}

	#open(signal: AbortSignal | undefined): Handle<"Saver"> {
		signal?.throwIfAborted();
		if (this.#failure) throw this.#failure.error;
		if (this.#saver !== undefined) return this.#saver;
		throw new BevError(
			"invalid_argument",
			`${this.#place.destination.name}: the saver has ended`,
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

	/** Continues with the rows that were found, or begins a part. */
	async #continue(resume: boolean, signal: AbortSignal | undefined): Promise<void> {
		const saver = this.#open(signal);
		const { core } = this.#place;
		const journal = await this.#part.journal({ signal });
		if (journal === undefined) return void (await this.#flush(saver, false));
		try {
			core.run("resume_saver", { saver, journal });
			this.#count(saver);
			if (!resume && this.batches > 0) {
				throw new BevError(
					"invalid_argument",
					`${this.#place.destination.name}: ${this.rows} rows of an earlier saver are kept (resume them, or remove them with discardParts)`,
				);
			}
			const next = () => core.run("saver_needs", { saver })[0];
			for (let key = next(); key !== undefined; key = next()) {
				const bytes = await this.#part.read(key, { signal });
				core.run("saver_supply", { saver, bytes });
			}
		} catch (error) {
			this.#end();
			throw error;
		}
	}

	#count(saver: Handle<"Saver">): void {
		const [rows = 0, batches = 0] = this.#place.core.run("saver_counts", { saver });
		this.#counts = { rows, batches };
	}

	/** Passes a batch to the module, which checks it before any of it is used. */
	#pass(saver: Handle<"Saver">, batch: Readonly<Record<string, BatchData>>): void {
		const { attributes } = this.config;
		const { core } = this.#place;
		try {
			for (const [name, data] of Object.entries(batch)) {
				const dtype = dtypeOf(name, data, dtypeIn(attributes, name));
				core.run("saver_add", { saver, name, dtype, bytes: bytesOf(data) });
			}
			core.run("saver_save", { saver });
		} finally {
			core.run("saver_clear", { saver });
		}
		this.#count(saver);
	}

	/** Writes the objects that are ready, one at a time. */
	async #write(saver: Handle<"Saver">): Promise<void> {
		const take = () => objectOf(this.#place.core.run("saver_take", { saver }));
		for (let object = take(); object; object = take()) {
			await this.#part.put(object.key, object.bytes);
		}
	}

	/** Writes all rows, then the journal that names their objects. */
	async #flush(saver: Handle<"Saver">, complete: boolean): Promise<void> {
		const { core } = this.#place;
		await this.#write(saver);
		core.run("saver_flush", { saver });
		await this.#write(saver);
		await this.#part.writeJournal(core.run("saver_journal", { saver, complete }));
		const unused = core.run("saver_confirm", { saver });
		for (const key of unused) await this.#part.remove(key);
	}
}
