import type { AbortOptions } from "../api.js";
import { checkOptions, type Kinds, refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { BatchInfo, ReaderPosition } from "../worker/protocol.js";
import { ReaderBatch } from "./batch.js";
import {
	type DescribeOptions,
	describeFields,
	type GroupedDescription,
	type ReaderDescription,
} from "./description.js";
import type {
	CountOptions,
	Cursor,
	ReaderCountOptions,
	ReaderExplanation,
} from "./explanation.js";
import { linked } from "./linked.js";
import {
	checkReader,
	hasPatterns,
	needsMaps,
	type Plan,
	planOf,
	type ReaderOptions,
	schemaPlan,
} from "./options.js";
import { ReaderMaps } from "./reader-maps.js";
import {
	type Answered,
	type ReaderEngines,
	ReaderSession,
	type SessionStart,
} from "./session.js";
import { Work } from "./work.js";

/** Batches per message while counting. */
const BATCHES = 16;

/** Does the work of a `DatasetReader`, which has the same methods. */
export class Reading {
	readonly #engines: ReaderEngines;
	readonly #options: ReaderOptions;
	readonly #cursor: Cursor;
	readonly #signal: AbortSignal;
	readonly #work = new Work();
	readonly #maps: ReaderMaps;
	#isReading = false;
	#plan: Plan | undefined;
	/** Number of items of the shard, once it was counted. */
	#length: number | undefined;

	/** @param closed aborts all reads, in addition to the options' signal */
	constructor(
		engines: ReaderEngines,
		options: ReaderOptions,
		cursor: Cursor,
		closed: AbortSignal,
	) {
		checkReader(options);
		this.#engines = engines;
		this.#options = options;
		this.#cursor = cursor;
		this.#signal = linked(new AbortController(), closed, options.signal);
		this.#maps = new ReaderMaps(engines, options.sample);
		closed.addEventListener("abort", () => this.#maps.close(), { once: true });
	}

	/** `F` has the types of the columns. */
	async *batches<F extends object>({
		signal,
	}: AbortOptions = {}): AsyncGenerator<ReaderBatch<F>, void, undefined> {
		if (this.#isReading) {
			throw new BevError(
				"invalid_argument",
				"reader: already being read (expected one loop at a time)",
			);
		}
		this.#isReading = true;
		try {
			let moves: number;
			do {
				moves = this.#cursor.moves;
				yield* this.#read<F>(signal);
			} while (this.#cursor.moves !== moves);
		} finally {
			this.#isReading = false;
		}
	}

	async count(options: ReaderCountOptions): Promise<number> {
		const kinds: Kinds = { of: "text", signal: "any", onProgress: "any" };
		checkOptions("count", options, kinds);
		const { of = "all", ...rest } = options;
		if (of !== "all" && of !== "shard") refuse("count: of", of, "all or shard");
		const plan = await this.#resolve(options.signal);
		if (of === "all") return this.#count({ ...plan, shard: undefined }, rest);
		this.#length ??= await this.#count(plan, rest);
		return this.#length;
	}

	async state({ signal }: AbortOptions = {}): Promise<string> {
		const start = this.#cursor.start;
		if (typeof start === "string") return start;
		const plan = await this.#resolve(signal);
		return this.#with({ plan, start }, signal, (session, on) =>
			session.state({ signal: on }),
		);
	}

	async explain({ signal }: AbortOptions = {}): Promise<ReaderExplanation> {
		const plan = await this.#resolve(signal);
		const start = this.#begin;
		return this.#with({ plan, start }, signal, (session, on) =>
			session.explain({ signal: on }),
		);
	}

	async describe({
		signal: outer,
		...options
	}: DescribeOptions): Promise<ReaderDescription | GroupedDescription> {
		checkOptions("describe", options, { by: "text", onProgress: "any" });
		const control = new AbortController();
		const signal = linked(control, this.#signal, outer);
		try {
			signal.throwIfAborted();
			const plan = await this.#resolve(signal);
			return await describeFields(this.#engines, plan, { ...options, signal });
		} finally {
			control.abort(new DOMException("no caller is waiting", "AbortError"));
		}
	}

	get #begin(): ReaderPosition {
		return { epoch: this.#options.epoch ?? 0, items: 0 };
	}

	/** Counts the items of `plan` in an epoch. */
	async #count(plan: Plan, { signal, onProgress }: CountOptions): Promise<number> {
		const counting = { plan, start: this.#begin, counts: true };
		return this.#with(counting, signal, async (session, on) => {
			for (let items = 0; ; ) {
				const info = await session.count(BATCHES, { signal: on });
				items += info.items;
				onProgress?.({ done: info.blocksDone, of: info.blockCount });
				if (info.atEnd) return items;
			}
		});
	}

	/** Yields batches up to the end of the epoch, or to a change of the position. */
	async *#read<F extends object>(outer: AbortSignal | undefined) {
		const control = new AbortController();
		const signal = linked(control, this.#signal, outer);
		const moves = this.#cursor.moves;
		let session: ReaderSession | undefined;
		let ahead: Promise<Answered> | undefined;
		try {
			signal.throwIfAborted();
			const plan = await this.#resolve(signal);
			session = await this.#open({ plan, start: this.#cursor.start }, signal);
			this.#work.begin();
			ahead = session.next({ signal });
			while (this.#cursor.moves === moves) {
				const { info, arrays } = await ahead;
				this.#work.note(info);
				this.#cursor.diagnostics = this.#work.diagnostics;
				ahead = undefined;
				if (!arrays || info.atEnd) return this.#endEpoch(info, moves);
				ahead = session.next({ signal });
				ahead.catch(() => {}); // reported when it is awaited
				if (this.#cursor.moves === moves) this.#cursor.start = info.state;
				this.#work.deliver(info.items);
				this.#cursor.diagnostics = this.#work.diagnostics;
				yield new ReaderBatch<F>(info, arrays);
				signal.throwIfAborted(); // the next batch may have been answered already
			}
		} finally {
			control.abort(new DOMException("no caller is waiting", "AbortError"));
			ahead?.then(({ arrays }) => arrays?.release()).catch(() => {});
			session?.close();
		}
	}

	#endEpoch(info: BatchInfo, moves: number): void {
		if (this.#cursor.moves !== moves) return;
		this.#cursor.start = { epoch: info.position.epoch + 1, items: 0 };
	}

	/** Returns the plan; reads the names of columns if there are regular expressions. */
	async #resolve(signal: AbortSignal | undefined): Promise<Plan> {
		this.#plan ??= planOf(this.#options, await this.#columnNames(signal));
		return this.#plan;
	}

	async #columnNames(signal: AbortSignal | undefined): Promise<string[]> {
		if (!hasPatterns(this.#options)) return [];
		const { from, sample } = this.#options;
		const plan = sample ? planOf({ from, sample }, []) : schemaPlan(from);
		const start = this.#begin;
		const explained = await this.#with({ plan, start }, signal, (session, on) =>
			session.explain<ReaderExplanation>({ signal: on }),
		);
		const known = sample ? explained.fields : explained.columns;
		return known.map(({ name }) => name);
	}

	/** Runs `work` with a session of its own. */
	async #with<T>(
		start: SessionStart,
		outer: AbortSignal | undefined,
		work: (session: ReaderSession, signal: AbortSignal) => Promise<T>,
	): Promise<T> {
		const control = new AbortController();
		const signal = linked(control, this.#signal, outer);
		let session: ReaderSession | undefined;
		try {
			signal.throwIfAborted();
			session = await this.#open(start, signal);
			return await work(session, signal);
		} finally {
			control.abort(new DOMException("no caller is waiting", "AbortError"));
			session?.close();
		}
	}

	async #open(start: SessionStart, signal: AbortSignal): Promise<ReaderSession> {
		const needed = !start.counts && needsMaps(start.plan);
		const maps = needed ? await this.#maps.load(signal) : {};
		const session = await ReaderSession.open(this.#engines, { ...start, maps }, signal);
		session.onStats = (stats) => this.#work.noteStats(stats);
		return session;
	}
}
