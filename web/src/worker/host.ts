import type { MissingRule, Stats } from "../api.js";
import { Buffers } from "../buffers.js";
import type {
	CoreArray,
	CoreEngine,
	CoreModule,
	CoreQuery,
	CoreRequest,
	CoreStoreQuery,
} from "../core.js";
import { BevError, toBevError } from "../errors.js";
import { SharedTask } from "../shared-task.js";
import type { Source } from "../source/source.js";
import { type Archive, ZipSource } from "../source/zip-source.js";
import { freeing } from "./kept.js";
import { Maps } from "./maps.js";
import { pack } from "./pack.js";
import type { Answer, MapQuery, Progress, Query, SamplingQuery } from "./protocol.js";
import { isSampling, Sampling } from "./sampling.js";
import { type ReadRequest, SharedReads } from "./shared-reads.js";
import { isTrap } from "./trap.js";

/**
 * Maximum rounds per query. Bytes refer to further bytes two or three times; more
 * rounds mean that queries evict each other's chunks.
 */
const MOST_ROUNDS = 64;

export interface HostOptions {
	readonly createCore: () => Promise<CoreModule>;
	readonly source: Source;
	/** The object of `source` that contains the data set, if it is an archive. */
	readonly archive?: Archive | undefined;
	readonly byteBudget: number;
	readonly missing?: MissingRule | undefined;
	/** Called after every read, with a function that returns the current statistics. */
	readonly onRead?: ((stats: () => Stats) => void) | undefined;
	/** Called when `Stats.waiting` changes. */
	readonly onWaiting?: ((stats: Stats) => void) | undefined;
}

export interface RunOptions {
	signal?: AbortSignal | undefined;
	prefetch?: boolean | undefined;
	onProgress?: ((progress: Progress) => void) | undefined;
}

type ListQuery = Extract<Query, { kind: "absent-chunks" }>;
type DataQuery = Exclude<Query, MapQuery | SamplingQuery | ListQuery>;

/** A module and its engine, until they trap or the host is closed. */
interface Instance {
	readonly core: CoreModule;
	readonly engine: CoreEngine;
	/** Whether the metadata has been read. */
	opened: boolean;
	/** The reason why the module's memory must not be used any more. */
	ended: BevError | undefined;
}

/**
 * One engine and its source. Runs the host's loop: ask a query what is missing, read
 * it, supply it, repeat, build. Used in a worker and on the page's thread.
 */
export class Host {
	readonly #options: HostOptions;
	readonly #reads: SharedReads;
	readonly #buffers = new Buffers();
	readonly #maps = new Maps();
	readonly #sampling = new Sampling(this.#maps);
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
		const core = async (): Promise<CoreModule> => (await this.#started.join()).core;
		const reads = archive ? new ZipSource(source, archive, core) : source;
		this.#reads = new SharedReads(reads, (request, bytes) =>
			this.#supply(request, bytes),
		);
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
			if (signal?.aborted) await this.#drop(instance, query);
			signal?.throwIfAborted();
			return answer;
		} catch (thrown) {
			const error = this.#explained(instance, thrown);
			signal?.throwIfAborted();
			throw error;
		}
	}

	/** Clears the failure of chunk `key`, or of all chunks. */
	forgetFailures(key?: string): void {
		const instance = this.#current;
		let damaged: readonly string[] | undefined;
		try {
			damaged = instance?.engine.forgetFailures(key ?? "");
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
		const closed = new BevError("invalid_argument", "data set: closed");
		const instance = this.#current;
		this.#closed = closed;
		this.#unwatch?.();
		if (instance) instance.ended = closed;
		this.#current = undefined;
		this.#started.abort(closed);
		this.#reads.abort(closed);
		this.#maps.close();
		this.#sampling.close();
		instance?.engine.delete();
	}

	async #start(signal: AbortSignal): Promise<Instance> {
		const core = await this.#options.createCore();
		signal.throwIfAborted();
		const { byteBudget, missing } = this.#options;
		const engine = new core.Engine(byteBudget, missing ?? "");
		this.#current = { core, engine, opened: false, ended: undefined };
		return this.#current;
	}

	async #answer(
		instance: Instance,
		query: Query,
		options: RunOptions,
	): Promise<Answer> {
		assertAlive(instance);
		if ("map" in query) return this.#ofMap(instance, query);
		if (query.kind !== "open" && !instance.opened) {
			const { signal, prefetch } = options;
			await this.#ask(instance, { kind: "open" }, { signal, prefetch });
			assertAlive(instance);
		}
		if (isSampling(query)) return this.#sample(instance, query, options);
		if (query.kind === "absent-chunks") return this.#listed(instance);
		return this.#ask(instance, query, options);
	}

	/** Frees what an aborted query made the engine keep; its caller will not. */
	async #drop(instance: Instance, query: Query): Promise<void> {
		const free = freeing(query);
		if (free) await this.#answer(instance, free, {});
	}

	async #ask(
		instance: Instance,
		query: DataQuery,
		options: RunOptions,
	): Promise<Answer> {
		const { engine } = instance;
		const asked = start(engine, query);
		try {
			const reading = this.#gather(instance, asked, options);
			await Promise.all([reading, this.#readAhead(asked, options)]);
			assertAlive(instance);
			if (query.kind === "open") return this.#open(instance, asked);
			if (options.prefetch) return { stats: this.#stats(engine) };
			return this.#packed(engine, query, asked.build());
		} catch (thrown) {
			throw this.#explained(instance, thrown);
		} finally {
			if (!instance.ended) asked.delete();
		}
	}

	#open(instance: Instance, asked: CoreQuery): Answer {
		const { engine } = instance;
		asked.build();
		instance.opened = true;
		return { text: engine.describe(), stats: this.#stats(engine) };
	}

	async #sample(
		instance: Instance,
		query: SamplingQuery,
		options: RunOptions,
	): Promise<Answer> {
		const { core, engine } = instance;
		const answer = await this.#sampling.answer(query, {
			core,
			engine,
			buffers: this.#buffers,
			signal: options.signal,
			prefetch: options.prefetch ?? false,
			gather: (asked, onRound) => this.#gather(instance, asked, options, onRound),
			alive: () => !instance.ended,
			assertAlive: () => assertAlive(instance),
			failed: (thrown) => this.#explained(instance, thrown),
			progress: (progress) => options.onProgress?.(progress),
		});
		return { ...answer, stats: this.#stats(engine) };
	}

	/**
	 * Starts prefetching and resolves at once. Failures are reported when the chunk is
	 * requested.
	 */
	async #readAhead(asked: CoreStoreQuery, { prefetch }: RunOptions): Promise<void> {
		if (prefetch) return;
		for (const wanted of asked.ahead()) {
			this.#reads.read([request(wanted)], { background: true }).catch(() => {});
		}
	}

	/** Reads rounds until `asked` is complete. Throws once `instance` has ended. */
	async #gather(
		instance: Instance,
		asked: CoreQuery,
		{ signal, prefetch }: RunOptions,
		onRound?: () => void,
	): Promise<void> {
		const most = onRound ? Number.POSITIVE_INFINITY : MOST_ROUNDS;
		for (let round = 0; round < most; round += 1) {
			const lacking = asked.missing().map(request);
			if (lacking.length === 0) return;
			onRound?.();
			await this.#reads.read(lacking, { signal, background: prefetch });
			assertAlive(instance);
		}
		throw new BevError(
			"out_of_memory",
			`query: incomplete after ${MOST_ROUNDS} rounds; increase the byte budget (found ${this.#options.byteBudget})`,
		);
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
		const { engine } = instance;
		try {
			if (bytes) engine.supply(key, range?.begin ?? -1, range?.end ?? -1, bytes);
			else engine.supplyAbsent(key);
			this.#options.onRead?.(() => this.#stats(engine));
		} catch (thrown) {
			// A prefetch has no query that would report the trap.
			throw this.#explained(instance, thrown);
		}
	}

	#packed(engine: CoreEngine, query: Query, arrays: readonly CoreArray[]): Answer {
		const result = pack(arrays, this.#buffers);
		const stats = this.#stats(engine);
		return query.kind === "array"
			? { text: engine.describe(), stats }
			: { result, stats };
	}

	#listed({ engine }: Instance): Answer {
		const text = JSON.stringify(engine.absentChunks());
		return { text, stats: this.#stats(engine) };
	}

	#ofMap({ core, engine }: Instance, query: MapQuery): Answer {
		const arrays = this.#maps.answer(core, query);
		return { result: pack(arrays, this.#buffers), stats: this.#stats(engine) };
	}

	#stats(engine: CoreEngine): Stats {
		return {
			bytes: this.#bytes,
			requests: this.#requests,
			cachedBytes: this.#options.source.cachedBytes ?? 0,
			cache: engine.cache(),
			absentChunks: engine.absentCount(),
			presumedAbsent: [...(this.#options.source.presumedAbsent ?? [])],
			waiting: this.#options.source.waiting,
		};
	}

	#tellWaiting(): void {
		const instance = this.#current;
		if (instance) this.#options.onWaiting?.(this.#stats(instance.engine));
	}

	/**
	 * Converts `thrown` to a BevError. After a trap the module's memory is in an unknown
	 * state: all queries of the instance fail, and the next query creates a new instance.
	 */
	#explained(instance: Instance | undefined, thrown: unknown): BevError {
		if (!isTrap(thrown)) return toBevError(thrown);
		const error = new BevError("internal", `core: failed: ${thrown.message}`, {
			cause: thrown,
		});
		if (!instance || instance.ended) return error;
		instance.ended = error;
		if (this.#current === instance) {
			this.#current = undefined;
			this.#started.forget();
			this.#maps.forget();
			this.#sampling.forget();
			this.#reads.abort(error);
		}
		return error;
	}
}

/** Throws the reason if the module of `instance` must not be used any more. */
function assertAlive({ ended }: Instance): void {
	if (ended) throw ended;
}

function start(engine: CoreEngine, query: DataQuery): CoreStoreQuery {
	switch (query.kind) {
		case "open":
			return engine.open();
		case "array":
			return engine.rows({ array: query.path, begin: 0, end: 0 });
		case "rows":
			return engine.rows(query.rows);
		case "frame":
			return engine.frame(query.scene, query.frame, query.options);
		case "timeline":
			return engine.timeline(query.scene, query.track);
		case "summary":
			return engine.summary();
	}
}

function request({ key, begin, end, required, tail }: CoreRequest): ReadRequest {
	return { key, required, tail, range: begin < 0 ? undefined : { begin, end } };
}
