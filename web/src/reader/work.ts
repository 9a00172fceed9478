import type { Stats } from "../api.js";
import type { BatchInfo, ReaderWork, SkippedBlock } from "../worker/protocol.js";

/** What a reader did, and what its data set's readers read. */
export interface ReaderDiagnostics {
	/** Bytes read by all readers of the data set. */
	readonly bytes: number;
	/** Reads by all readers of the data set; more than server requests with a cache. */
	readonly requests: number;
	/** Lookups of chunks that were in memory, by all readers of the data set. */
	readonly cacheHits: number;
	/** Items that were delivered. */
	readonly items: number;
	/** Batches that were delivered. */
	readonly batches: number;
	/** Rows of the scanned blocks. */
	readonly rows: number;
	/** Rows on which the filter was evaluated. */
	readonly rowsTested: number;
	/** Parts of blocks within one chunk. */
	readonly pieces: number;
	/** Of these, not read because the filter excludes their frames or scene. */
	readonly piecesExcludedByFrame: number;
	/** Not read because statistics exclude them. */
	readonly piecesExcluded: number;
	/** Not read for the filter because all of their rows pass it. */
	readonly piecesIncluded: number;
	/** Blocks left out because of damaged chunks, each once; see `onDamage`. */
	readonly skipped: readonly SkippedBlock[];
}

type Sums = Omit<ReaderWork, "blocksDone" | "blockCount">;

const NONE: Sums = {
	rows: 0,
	rowsTested: 0,
	pieces: 0,
	piecesExcludedByFrame: 0,
	piecesExcluded: 0,
	piecesIncluded: 0,
};

/** Sums up what the sessions of a reader did. */
export class Work {
	/** Of ended sessions. */
	#before = NONE;
	/** Of the current session. */
	#now = NONE;
	#stats: Stats | undefined;
	#items = 0;
	#batches = 0;
	readonly #skipped = new Map<number, SkippedBlock>();

	/** Call it when a session starts: its work is counted from 0. */
	begin(): void {
		this.#before = sum(this.#before, this.#now);
		this.#now = NONE;
	}

	/** Notes a session's work after a batch. */
	note(info: BatchInfo): void {
		this.#now = sum(NONE, info);
		for (const one of info.skipped) this.#skipped.set(one.block, one);
	}

	noteStats(stats: Stats): void {
		this.#stats = stats;
	}

	deliver(items: number): void {
		this.#items += items;
		this.#batches += 1;
	}

	get diagnostics(): ReaderDiagnostics {
		const { bytes = 0, requests = 0, cache } = this.#stats ?? {};
		return {
			bytes,
			requests,
			cacheHits: cache?.hits ?? 0,
			items: this.#items,
			batches: this.#batches,
			...sum(this.#before, this.#now),
			skipped: [...this.#skipped.values()],
		};
	}
}

function sum(a: Sums, b: Sums): Sums {
	const names = Object.keys(NONE) as (keyof Sums)[];
	return Object.fromEntries(
		names.map((name) => [name, a[name] + b[name]]),
	) as unknown as Sums;
}
