import type { MissingRule, Stats } from "../api.js";
import { Buffers } from "../buffers.js";
import { type CoreArray, type CoreDoor, Door, type Handle } from "../core/door.js";
import { BevError, toBevError } from "../errors.js";
import { SharedTask } from "../shared-task.js";
import type { Source } from "../source/source.js";
import { type Archive, ZipSource } from "../source/zip-source.js";
import { Facts } from "./facts.js";
import { Handles } from "./handles.js";
import type { Held } from "./held.js";
import { askJoined } from "./joined.js";
import { isKeeping } from "./kept.js";
import { askMaps } from "./maps.js";
import { pack } from "./pack.js";
import type {
	Answer,
	DataQuery,
	MapQuery,
	Query,
	ReaderQuery,
	SamplingQuery,
} from "./protocol.js";
import { Readers } from "./readers.js";
import { type Instance, Run, type RunHost, type RunOptions, requestOf } from "./run.js";
import { Sampling } from "./sampling.js";
import { type ReadRequest, SharedReads } from "./shared-reads.js";
import { isOverflow, trapOf } from "./wasm-module.js";

export interface HostOptions {
	readonly createCore: () => Promise<CoreDoor>;
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

const OPEN = { kind: "open" } as const;

/**
 * One engine and its source. Runs the host's loop: ask a query what is missing, read
 * it, supply it, repeat, build. Used in a worker and on the page's thread.
 */
export class Host {
	readonly #options: HostOptions;
	readonly #reads: SharedReads;
	readonly #buffers = new Buffers();
	readonly #maps = new Handles<Held<"Map">>("map: released, or lost in a failure");
	readonly #sampling = new Sampling(this.#maps);
	readonly #readers = new Readers(this.#maps, this.#sampling.aerials);
	readonly #facts = new Facts(this.#maps);
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
		const door = async (): Promise<Door> => (await this.#started.join()).door;
		const reads = archive ? new ZipSource(source, archive, door) : source;
		this.#reads = new SharedReads(reads, (request, bytes) =>
			this.#supply(request, bytes),
		);
		this.#runs = {
			reads: this.#reads,
			buffers: this.#buffers,
			byteBudget: options.byteBudget,
			explained: (instance, thrown) => this.#explained(instance, thrown),
		};
		this.#unwatch = source.onWaiting?.(() => this.#tellWaiting());
	}

	/** Rejects with `signal.reason` when aborted, else with a BevError. */
	async run(query: Query, options: RunOptions = {}): Promise<Answer> {
		try {
			return await this.#run(query, options);
		} catch (error) {
			// In WebKitGTK 2.50, the first exception in a module sometimes overflows the
			// stack while another worker starts. The next instance works.
			if (query.kind !== "open" || !isOverflow((error as Error)?.cause)) throw error;
			return this.#run(query, options);
		}
	}

	async #run(query: Query, options: RunOptions): Promise<Answer> {
		const { signal } = options;
		let instance: Instance | undefined;
		try {
			if (this.#closed) throw this.#closed;
			instance = await this.#started.join(signal);
			const answer = await this.#answer(instance, query, options);
			// The caller of an aborted query does not free what it kept.
			if (signal?.aborted && isKeeping(query)) this.#free(query.id);
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
			damaged = instance?.door.run("forget_failures", {
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
		this.#readers.close();
		this.#facts.close();
		instance?.door.release(instance.engine);
	}

	async #start(signal: AbortSignal): Promise<Instance> {
		const door = new Door(await this.#options.createCore());
		signal.throwIfAborted();
		const { byteBudget, missing } = this.#options;
		const engine = door.run("engine", { byte_budget: byteBudget, missing });
		this.#current = { door, engine, opened: false, ended: undefined };
		return this.#current;
	}

	async #answer(
		instance: Instance,
		query: Query,
		options: RunOptions,
	): Promise<Answer> {
		const run = new Run(this.#runs, instance, options);
		run.assertAlive();
		switch (query.kind) {
			case "map":
			case "lane-colours":
			case "map-near":
			case "lane-lines":
			case "light-feature":
			case "geodetic":
				return this.#ofMap(instance, query);
			case "free":
				this.#free(query.id);
				return { stats: this.#stats(instance) };
			case "open":
				return this.#ask(run, query);
		}
		if (!instance.opened) {
			const { signal, prefetch } = options;
			await this.#ask(new Run(this.#runs, instance, { signal, prefetch }), OPEN);
			run.assertAlive();
		}
		switch (query.kind) {
			case "array":
			case "rows":
			case "frame":
			case "timeline":
			case "summary":
				return this.#ask(run, query);
			case "absent-chunks":
				return this.#listed(instance);
			case "joined": {
				const text = askJoined(instance.door, query);
				return { text, stats: this.#stats(instance) };
			}
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
			case "facts-description": {
				const answer = await this.#facts.answer(query, run);
				return { ...answer, stats: this.#stats(instance) };
			}
			default:
				return this.#sample(run, query);
		}
	}

	/** Frees a kept object; ids are unique across all kinds. */
	#free(id: number): void {
		this.#maps.free(id);
		this.#sampling.free(id);
		this.#readers.free(id);
		this.#facts.free(id);
	}

	async #ask(run: Run, query: DataQuery): Promise<Answer> {
		const { door, instance, options } = run;
		const asked = start(instance, query);
		try {
			await Promise.all([run.gather(asked), this.#readAhead(asked, run)]);
			run.assertAlive();
			if (options.prefetch && query.kind !== "open")
				return { stats: this.#stats(instance) };
			const arrays = door.build(asked);
			if (query.kind === "open") instance.opened = true;
			if (query.kind === "open" || query.kind === "array") {
				const text = door.run("describe", { engine: instance.engine });
				return { text, stats: this.#stats(instance) };
			}
			return this.#packed(instance, arrays);
		} catch (thrown) {
			throw run.explained(thrown);
		} finally {
			if (run.isAlive) door.release(asked);
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
	async #readAhead(asked: number, { door, options }: Run): Promise<void> {
		if (options.prefetch) return;
		for (const wanted of door.ahead(asked)) {
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
		const { door, engine } = instance;
		try {
			const { begin, end } = range ?? { begin: -1, end: -1 };
			if (bytes) door.run("supply", { engine, key, begin, end, bytes });
			else door.run("supply_absent", { engine, key });
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

	#listed(instance: Instance): Answer {
		const { door, engine } = instance;
		const text = JSON.stringify(door.run("absent_chunks", { engine }));
		return { text, stats: this.#stats(instance) };
	}

	#ofMap(instance: Instance, query: MapQuery): Answer {
		return this.#packed(instance, askMaps(this.#maps, instance, query));
	}

	#stats({ door, engine }: Instance): Stats {
		const [bytesHeld = 0, byteBudget = 0, hits = 0, misses = 0, evictions = 0] =
			door.run("cache", { engine });
		return {
			bytes: this.#bytes,
			requests: this.#requests,
			cachedBytes: this.#options.source.cachedBytes ?? 0,
			cache: { bytesHeld, byteBudget, hits, misses, evictions },
			absentChunks: door.run("absent_count", { engine }),
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
			this.#maps.forget();
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
	return new BevError(error.code, error.message, { ...absence, key, cause: error });
}

function start({ door, engine }: Instance, query: DataQuery): Handle<"Query"> {
	switch (query.kind) {
		case "open":
			return door.run("open", { engine });
		case "array":
			return door.run("rows", { engine, array: query.path, begin: 0, end: 0 });
		case "rows":
			return door.run("rows", { engine, ...query.rows });
		case "frame": {
			const { scene, frame, options } = query;
			return door.run("frame", { engine, scene, frame, ...options });
		}
		case "timeline":
			return door.run("timeline", { engine, scene: query.scene, ...query.options });
		case "summary":
			return door.run("summary", { engine });
	}
}
