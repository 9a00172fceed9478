import type { Stats } from "../api.js";
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
import type { Source } from "../source/source.js";
import { type Archive, ZipSource } from "../source/zip-source.js";
import { Maps } from "./maps.js";
import { pack } from "./pack.js";
import type { Answer, MapQuery, Progress, Query, SamplingQuery } from "./protocol.js";
import { isSampling, Sampling } from "./sampling.js";
import { type ReadRequest, SharedReads } from "./shared-reads.js";

/**
 * Rounds of reading after which a query is given up. Bytes name further bytes two or three
 * times; more rounds mean that queries evict each other's chunks.
 */
const MOST_ROUNDS = 64;

export interface HostOptions {
	readonly createCore: () => Promise<CoreModule>;
	readonly source: Source;
	/** The object of it that holds the data set, where the source does not. */
	readonly archive?: Archive | undefined;
	readonly byteBudget: number;
	/** Called after every read, with what counts it all when called. */
	readonly onRead?: ((stats: () => Stats) => void) | undefined;
}

export interface RunOptions {
	signal?: AbortSignal | undefined;
	prefetch?: boolean | undefined;
	onProgress?: ((progress: Progress) => void) | undefined;
}

type DataQuery = Exclude<Query, MapQuery | SamplingQuery>;

interface Instance {
	readonly core: CoreModule;
	readonly engine: CoreEngine;
}

/**
 * One engine and the bytes it asks for: asks what a query lacks, reads that, hands it over,
 * asks again, builds. Runs in a worker or on the page's thread alike.
 */
export class Host {
	readonly #options: HostOptions;
	readonly #reads: SharedReads;
	readonly #buffers = new Buffers();
	readonly #maps = new Maps();
	readonly #sampling = new Sampling(this.#maps);
	#instance: Promise<Instance> | undefined;
	#engine: CoreEngine | undefined;
	/** The engine that has read the metadata. */
	#openedEngine: CoreEngine | undefined;
	#bytes = 0;
	#requests = 0;

	constructor(options: HostOptions) {
		this.#options = options;
		const { source, archive } = options;
		const core = async (): Promise<CoreModule> => (await this.#started()).core;
		const reads = archive ? new ZipSource(source, archive, core) : source;
		this.#reads = new SharedReads(reads, (request, bytes) =>
			this.#supply(request, bytes),
		);
	}

	/** Rejects with `signal.reason` when aborted, else with a BevError. */
	async run(query: Query, options: RunOptions = {}): Promise<Answer> {
		const { signal } = options;
		try {
			const { core, engine } = await this.#started();
			signal?.throwIfAborted();
			if ("map" in query) return this.#ofMap(core, engine, query);
			if (query.kind !== "open") await this.#opened(engine, options);
			if (isSampling(query)) return await this.#sample(core, engine, query, options);
			return await this.#ask(engine, query, options);
		} catch (thrown) {
			signal?.throwIfAborted();
			throw this.#explained(thrown);
		}
	}

	/** Takes a result's buffer for a later one. */
	recycle(buffer: ArrayBuffer): void {
		this.#buffers.give(buffer);
	}

	close(): void {
		this.#reads.abort(new BevError("invalid_argument", "the data set was closed"));
		this.#maps.close();
		this.#sampling.close();
		this.#engine?.delete();
		this.#engine = undefined;
	}

	/** A module of its own; after a failure to make one the next query tries again. */
	#started(): Promise<Instance> {
		this.#instance ??= this.#start().catch((error) => {
			this.#instance = undefined;
			throw error;
		});
		return this.#instance;
	}

	/** Reads the metadata if that was not done yet: a new module knows nothing. */
	async #opened(engine: CoreEngine, { signal, prefetch }: RunOptions): Promise<void> {
		if (this.#openedEngine === engine) return;
		await this.#ask(engine, { kind: "open" }, { signal, prefetch });
	}

	async #start(): Promise<Instance> {
		const core = await this.#options.createCore();
		this.#engine = new core.Engine(this.#options.byteBudget);
		return { core, engine: this.#engine };
	}

	async #ask(
		engine: CoreEngine,
		query: DataQuery,
		options: RunOptions,
	): Promise<Answer> {
		const asked = start(engine, query);
		try {
			const reading = this.#gather(asked, options);
			await Promise.all([reading, this.#readAhead(asked, options)]);
			if (query.kind === "open") return this.#open(engine, asked);
			if (options.prefetch) return { stats: this.#stats(engine) };
			return this.#answer(engine, query, asked.build());
		} finally {
			if (engine === this.#engine) asked.delete();
		}
	}

	#open(engine: CoreEngine, asked: CoreQuery): Answer {
		asked.build();
		this.#openedEngine = engine;
		return { text: engine.describe(), stats: this.#stats(engine) };
	}

	async #sample(
		core: CoreModule,
		engine: CoreEngine,
		query: SamplingQuery,
		options: RunOptions,
	): Promise<Answer> {
		const answer = await this.#sampling.answer(query, {
			core,
			engine,
			buffers: this.#buffers,
			signal: options.signal,
			prefetch: options.prefetch ?? false,
			gather: (asked, onRound) => this.#gather(asked, options, onRound),
			alive: () => engine === this.#engine,
			progress: (progress) => options.onProgress?.(progress),
		});
		return { ...answer, stats: this.#stats(engine) };
	}

	/** Resolves at once. What fails is told when it is asked for. */
	async #readAhead(asked: CoreStoreQuery, { prefetch }: RunOptions): Promise<void> {
		if (prefetch) return;
		for (const wanted of asked.ahead()) {
			this.#reads.read([request(wanted)], { background: true }).catch(() => {});
		}
	}

	async #gather(
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
		}
		throw new BevError(
			"out_of_memory",
			`still incomplete after ${MOST_ROUNDS} rounds of reading: the byte budget of ${this.#options.byteBudget} is too small for what is read at a time`,
		);
	}

	#supply({ key, range }: ReadRequest, bytes: Uint8Array | undefined): void {
		this.#requests += 1;
		this.#bytes += bytes?.length ?? 0;
		const engine = this.#engine;
		if (!engine) return;
		if (bytes) engine.supply(key, range?.begin ?? -1, range?.end ?? -1, bytes);
		else engine.supplyAbsent(key);
		this.#options.onRead?.(() => this.#stats(engine));
	}

	#answer(engine: CoreEngine, query: Query, arrays: readonly CoreArray[]): Answer {
		const result = pack(arrays, this.#buffers);
		const stats = this.#stats(engine);
		return query.kind === "array"
			? { text: engine.describe(), stats }
			: { result, stats };
	}

	#ofMap(core: CoreModule, engine: CoreEngine, query: MapQuery): Answer {
		const arrays = this.#maps.answer(core, query);
		return { result: pack(arrays, this.#buffers), stats: this.#stats(engine) };
	}

	#stats(engine: CoreEngine): Stats {
		return {
			bytes: this.#bytes,
			requests: this.#requests,
			keptBytes: this.#options.source.keptBytes ?? 0,
			cache: engine.cache(),
			absentChunks: engine.absentChunks(),
			presumedAbsent: [...(this.#options.source.presumedAbsent ?? [])],
		};
	}

	/** A trap leaves the module's memory in an unknown state: the next query gets a new one. */
	#explained(thrown: unknown): BevError {
		if (thrown instanceof WebAssembly.RuntimeError) {
			this.#instance = undefined;
			this.#engine = undefined;
			this.#maps.forget();
			this.#sampling.forget();
			return new BevError("internal", `the core failed: ${thrown.message}`, {
				cause: thrown,
			});
		}
		return toBevError(thrown);
	}
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
