import type { MissingRule, Stats } from "../api.js";
import { Buffers } from "../arrays/buffers.js";
import { BevError, toBevError } from "../base/errors.js";
import { SharedTask } from "../base/shared-task.js";
import { Core, type CoreArray, type CoreModule, isArrays } from "../core/core.js";
import type { Source } from "../source/source.js";
import { type Archive, ZipSource } from "../source/zip-source.js";
import { Facts } from "./facts.js";
import { owned } from "./owned.js";
import { OwnedObjects } from "./owned-objects.js";
import { pack } from "./pack.js";
import type {
	Answer,
	OpenQuery,
	OperationQuery,
	Query,
	ReaderQuery,
	SamplingQuery,
} from "./protocol.js";
import { Readers } from "./readers.js";
import { makesObject } from "./remote-object.js";
import { type Instance, Run, type RunHost, type RunOptions, requestOf } from "./run.js";
import { Sampling } from "./sampling.js";
import { type ReadRequest, SharedReads } from "./shared-reads.js";
import { trapOf } from "./wasm-module.js";

export interface HostOptions {
	readonly createCore: () => Promise<CoreModule>;
	readonly source: Source;
	/** The object of `source` that contains the data set, if it is an archive. */
	readonly archive?: Archive | undefined;
	readonly byteBudget: number;
	readonly missing?: MissingRule | undefined;
	readonly statistics?: boolean | undefined;
	/** Called after every read, with a function that returns the current statistics. */
	readonly onRead?: ((stats: () => Stats) => void) | undefined;
	/** Called when `Stats.waiting` changes. */
	readonly onWaiting?: ((stats: Stats) => void) | undefined;
}

const OPEN = { kind: "open" } as const;

/** The object of stored statistics. */
const STATISTICS = ".bevscope/statistics.json";

/**
 * One engine and its source. Runs the host's loop: ask a query what is missing, read
 * it, supply it, repeat, build. Used in a worker and on the page's thread.
 */
export class Host {
	readonly #options: HostOptions;
	readonly #reads: SharedReads;
	readonly #buffers = new Buffers();
	readonly #objects = new OwnedObjects();
	readonly #sampling = new Sampling(this.#objects);
	readonly #readers = new Readers(this.#objects);
	readonly #facts = new Facts(this.#objects);
	readonly #runs: RunHost;
	/** If creating the module fails, the next query tries again. */
	readonly #started = new SharedTask((signal) => this.#start(signal));
	#current: Instance | undefined;
	#closed: BevError | undefined;
	readonly #unwatch: (() => void) | undefined;
	#bytes = 0;
	#requests = 0;

	constructor(options: HostOptions) {
		this.#options = options;
		const { source, archive } = options;
		const core = async (): Promise<Core> => (await this.#started.join()).core;
		const reads = archive ? new ZipSource(source, archive, core) : source;
		this.#reads = new SharedReads(reads, (request, bytes) =>
			this.#supply(request, bytes),
		);
		this.#runs = {
			reads: this.#reads,
			source: reads,
			buffers: this.#buffers,
			byteBudget: options.byteBudget,
			explained: (instance, thrown) => this.#explained(instance, thrown),
		};
		this.#unwatch = source.onWaiting?.(() => this.#tellWaiting());
	}

	/** Rejects with `signal.reason` when aborted, else with a BevError. */
	async run(query: Query, options: RunOptions = {}): Promise<Answer> {
		const { signal } = options;
		let instance: Instance | undefined;
		try {
			if (this.#closed) throw this.#closed;
			instance = await this.#started.join(signal);
			const answer = await this.#answer(instance, query, options);
			// The caller of an aborted query does not free what it kept.
			if (signal?.aborted && makesObject(query)) this.#free(query.id);
			signal?.throwIfAborted();
			return answer;
		} catch (thrown) {
			const error = this.#explained(instance, thrown);
			signal?.throwIfAborted();
			throw answered(error, query, this.#options.source);
		}
	}

	/** Clears the failure of chunk `key`, or of all chunks. */
	forgetFailures(key?: string): void {
		const instance = this.#current;
		let damaged: readonly string[] | undefined;
		try {
			damaged = instance?.core.run("forget_failures", {
				engine: instance.engine,
				key: key ?? "",
			});
		} catch (thrown) {
			this.#explained(instance, thrown); // pending queries report it
		}
		this.#reads.forgetFailures(key, new Set(damaged));
	}

	/** Returns a result's buffer to the pool. */
	recycle(buffer: ArrayBuffer): void {
		this.#buffers.give(buffer);
	}

	close(): void {
		const closed = new BevError("closed", "data set: closed");
		const instance = this.#current;
		this.#closed = closed;
		this.#unwatch?.();
		if (instance) instance.ended = closed;
		this.#current = undefined;
		this.#started.abort(closed);
		this.#reads.abort(closed);
		this.#objects.close();
		this.#sampling.close();
		this.#readers.close();
		this.#facts.close();
		instance?.core.release(instance.engine);
	}

	async #start(signal: AbortSignal): Promise<Instance> {
		const core = new Core(await this.#options.createCore());
		signal.throwIfAborted();
		const { byteBudget, missing, statistics } = this.#options;
		const engine = core.run("engine", { byte_budget: byteBudget, missing });
		if (statistics === false) core.run("supply_absent", { engine, key: STATISTICS });
		this.#current = { core, engine, opened: false, ended: undefined };
		return this.#current;
	}

	async #answer(
		instance: Instance,
		query: Query,
		options: RunOptions,
	): Promise<Answer> {
		const { engine } = this.#objects.handlesOf({ engine: query.engine });
		const run = new Run(this.#runs, instance, options, engine);
		run.assertAlive();
		if (query.kind === "free") {
			this.#free(query.id);
			return { stats: this.#stats(instance) };
		}
		if (query.kind === "open") return this.#open(run, query);
		if (!instance.opened) {
			const { signal, prefetch } = options;
			await this.#open(new Run(this.#runs, instance, { signal, prefetch }), OPEN);
			run.assertAlive();
		}
		switch (query.kind) {
			case "array":
				return this.#open(run, query);
			case "value":
			case "query":
			case "keep":
				return this.#operate(run, query);
			case "reader":
			case "reader-next":
			case "reader-count":
			case "reader-state":
			case "reader-explain":
			case "description":
			case "description-step":
				return this.#ofReader(run, query);
			case "facts":
			case "facts-part":
			case "facts-choice":
			case "facts-description":
			case "side-open":
			case "side-believe":
			case "side-check":
			case "side-scenes":
			case "side-thumbnail":
			case "side-rows": {
				const answer = await this.#facts.answer(query, run);
				return { ...answer, stats: this.#stats(instance) };
			}
			default:
				return this.#sample(run, query);
		}
	}

	/** Frees a kept object; ids are unique across all kinds. */
	#free(id: number): void {
		this.#objects.free(id);
		this.#sampling.free(id);
		this.#readers.free(id);
		this.#facts.free(id);
	}

	/** Runs an operation, and keeps, reads or returns what it makes. */
	async #operate(run: Run, query: OperationQuery): Promise<Answer> {
		const { core, engine, instance } = run;
		const objects = this.#objects.handlesOf(query.objects);
		const made = core.any(query.name, { engine, ...query.given, ...objects });
		if (query.kind === "query") return this.#built(run, made as number);
		if (query.kind === "keep") {
			this.#objects.add(query.id, owned(core, made as number));
			return { stats: this.#stats(instance) };
		}
		if (isArrays(made)) return this.#packed(instance, made);
		const text = typeof made === "string" ? made : JSON.stringify(made);
		return { text, stats: this.#stats(instance) };
	}

	/** Reads what a query needs, and answers its arrays. */
	#built(run: Run, asked: number): Promise<Answer> {
		const { core, instance, options } = run;
		return this.#read(run, asked, () =>
			options.prefetch
				? { stats: this.#stats(instance) }
				: this.#packed(instance, core.build(asked)),
		);
	}

	#open(run: Run, query: OpenQuery): Promise<Answer> {
		const { core, engine, instance } = run;
		const asked =
			query.kind === "open"
				? core.run("open", { engine })
				: core.run("rows", { engine, array: query.path, begin: 0, end: 0 });
		return this.#read(run, asked, () => {
			core.build(asked);
			if (query.kind === "open") instance.opened = true;
			return { text: core.run("describe", { engine }), stats: this.#stats(instance) };
		});
	}

	/** Reads what a query needs, uses and frees it. */
	async #read(run: Run, asked: number, use: () => Answer): Promise<Answer> {
		try {
			await Promise.all([run.gather(asked), this.#readAhead(asked, run)]);
			run.assertAlive();
			return use();
		} catch (thrown) {
			throw run.explained(thrown);
		} finally {
			if (run.isAlive) run.core.release(asked);
		}
	}

	async #sample(run: Run, query: SamplingQuery): Promise<Answer> {
		const answer = await this.#sampling.answer(query, run);
		return { ...answer, stats: this.#stats(run.instance) };
	}

	async #ofReader(run: Run, query: ReaderQuery): Promise<Answer> {
		const answer = await this.#readers.answer(query, run);
		return { ...answer, stats: this.#stats(run.instance) };
	}

	/**
	 * Starts prefetching and resolves at once. Failures are reported when the chunk is
	 * requested.
	 */
	async #readAhead(asked: number, { core, options }: Run): Promise<void> {
		if (options.prefetch) return;
		for (const wanted of core.ahead(asked)) {
			this.#reads.read([requestOf(wanted)], { background: true }).catch(() => {});
		}
	}

	/**
	 * Supplies bytes to the current instance, which requested them: a trap aborts all
	 * earlier reads.
	 */
	#supply({ key, range }: ReadRequest, bytes: Uint8Array | undefined): void {
		this.#requests += 1;
		this.#bytes += bytes?.length ?? 0;
		const instance = this.#current;
		if (!instance) return;
		const { core, engine } = instance;
		try {
			const { begin, end } = range ?? { begin: -1, end: -1 };
			if (bytes) core.run("supply", { engine, key, begin, end, bytes });
			else core.run("supply_absent", { engine, key });
			this.#options.onRead?.(() => this.#stats(instance));
		} catch (thrown) {
			// A prefetch has no query that would report the trap.
			throw this.#explained(instance, thrown);
		}
	}

	#packed(instance: Instance, arrays: readonly CoreArray[]): Answer {
		const result = pack(arrays, this.#buffers);
		return { result, stats: this.#stats(instance) };
	}

	#stats({ core, engine }: Instance): Stats {
		const [bytesHeld = 0, byteBudget = 0, hits = 0, misses = 0, evictions = 0] =
			core.run("cache", { engine });
		return {
			bytes: this.#bytes,
			requests: this.#requests,
			cachedBytes: this.#options.source.cachedBytes ?? 0,
			cache: { bytesHeld, byteBudget, hits, misses, evictions },
			absentChunks: core.run("absent_count", { engine }),
			presumedAbsent: [...(this.#options.source.presumedAbsent ?? [])],
			waiting: this.#options.source.waiting,
		};
	}

	#tellWaiting(): void {
		const instance = this.#current;
		if (instance) this.#options.onWaiting?.(this.#stats(instance));
	}

	/**
	 * Converts `thrown` to a BevError. After a trap the module's memory is in an unknown
	 * state: all queries of the instance fail, and the next query creates a new instance.
	 */
	#explained(instance: Instance | undefined, thrown: unknown): BevError {
		const trap = trapOf(thrown);
		if (!trap) return toBevError(thrown);
		const error = new BevError("internal", `core: failed: ${trap.message}`, {
			cause: trap,
		});
		if (!instance || instance.ended) return error;
		instance.ended = error;
		if (this.#current === instance) {
			this.#current = undefined;
			this.#started.forget();
			this.#objects.forget();
			this.#sampling.forget();
			this.#readers.forget();
			this.#facts.forget();
			this.#reads.abort(error);
		}
		return error;
	}
}

/** Adds the server's answer to the core's error that an object is absent. */
function answered(error: BevError, { kind }: Query, source: Source): BevError {
	if (error.code !== "missing_key" || error.key) return error;
	// Where there is no data set, several documents are absent.
	const key = /^(.+?): /.exec(error.message)?.[1] ?? (kind === "open" ? ".zgroup" : "");
	const absence = source.absence?.(key);
	if (!absence) return error;
	const end = kind === "open" ? absence.url.lastIndexOf(`/${key}`) : -1;
	const said =
		end < 0 ? error.message : `${absence.url.slice(0, end)}: ${error.message}`;
	return new BevError(error.code, said, { ...absence, key, cause: error });
}
