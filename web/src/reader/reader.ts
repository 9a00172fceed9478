import "../base/dispose.js";
import type { AbortOptions } from "../api.js";
import type { AnyFields } from "../arrays/schema.js";
import { checkOptions } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import { SharedTask } from "../base/shared-task.js";
import type { Client } from "../worker/client.js";
import type { ReaderPosition } from "../worker/protocol.js";
import type { ReaderBatch } from "./batch.js";
import type {
	DescribeOptions,
	GroupedDescription,
	ReaderDescription,
} from "./description.js";
import type {
	CountOptions,
	Cursor,
	ReaderCountOptions,
	ReaderExplanation,
} from "./explanation.js";
import type { ReaderOptions } from "./options.js";
import type { Reading } from "./reading.js";
import type { ReaderEngines } from "./session.js";
import type { ReaderDiagnostics } from "./work.js";

const enginesOf = new WeakMap<DatasetReader, ReaderEngines>();

/** Returns the client of a reader's engine. */
export function clientOfReader(
	reader: DatasetReader,
	signal: AbortSignal | undefined,
): Promise<Client> {
	const found = enginesOf.get(reader);
	if (found) return found.forReaders(signal);
	throw new TypeError("reader: invalid argument (expected a DatasetReader)");
}

/**
 * Reads rows or windows of a table in batches. See `ChunkedDataset.reader`.
 *
 * A loop over the reader continues at its position, up to the end of the epoch; the next
 * loop reads the next epoch. One batch is read ahead. Leaving the loop stops all
 * requests.
 *
 * ```ts
 * const reader = dataset.reader({ where: "speed > 10", fields: ["centroid"] });
 * for await (const batch of reader) draw(batch.column("centroid").data);
 * reader.close();
 * ```
 *
 * `F` has the type of each column.
 */
export class DatasetReader<F extends object = AnyFields>
	implements AsyncIterable<ReaderBatch<F>>, Disposable
{
	readonly #options: ReaderOptions;
	readonly #closed = new AbortController();
	readonly #cursor: Cursor;
	/** Loads the rest of the reader, which few pages need. */
	readonly #reading: SharedTask<Reading>;

	/** @internal */
	constructor(engines: ReaderEngines, options: ReaderOptions) {
		this.#options = options;
		enginesOf.set(this, engines);
		const start = { epoch: options?.epoch ?? 0, items: 0 };
		this.#cursor = { start, moves: 0, diagnostics: undefined };
		this.#reading = new SharedTask(async () => {
			const { Reading } = await import("./reading.js");
			return new Reading(engines, options, this.#cursor, this.#closed.signal);
		});
	}

	/** Reads all batches, as `batches()`. */
	[Symbol.asyncIterator](): AsyncGenerator<ReaderBatch<F>, void, undefined> {
		return this.batches();
	}

	/** As iterating over the reader, with a signal that aborts the iteration. */
	async *batches(
		options: AbortOptions = {},
	): AsyncGenerator<ReaderBatch<F>, void, undefined> {
		yield* (await this.#reading.join()).batches<F>(options);
	}

	/**
	 * Returns the number of items in an epoch: of all shards, or with `{ of: "shard" }` of
	 * this reader's. Filters and windows have to be applied to the whole table.
	 */
	async count(options: ReaderCountOptions = {}): Promise<number> {
		return (await this.#reading.join()).count(options);
	}

	/** @deprecated Use `count({ of: "shard" })`; removed in 0.4. */
	length(options: AbortOptions = {}): Promise<number> {
		return this.count({ ...options, of: "shard" });
	}

	/** Returns the position as JSON of less than 1 KB, for `restore`. */
	async state(options: AbortOptions = {}): Promise<string> {
		return (await this.#reading.join()).state(options);
	}

	/**
	 * Continues at a state of a reader of the same data and plan, which may have had
	 * another number of strided shards. An invalid state is reported by the next read.
	 */
	restore(state: string): void {
		this.#moveTo(state);
	}

	/** Continues at a position. */
	seek(position: ReaderPosition): void {
		checkOptions("seek", position ?? null, { epoch: "index", items: "index" });
		this.#moveTo({ epoch: position.epoch, items: position.items });
	}

	/** Continues at the begin of the first epoch. */
	reset(): void {
		this.seek({ epoch: this.#options.epoch ?? 0, items: 0 });
	}

	/** Returns the plan, the table's columns and how the filter is applied. */
	async explain(options: AbortOptions = {}): Promise<ReaderExplanation> {
		return (await this.#reading.join()).explain(options);
	}

	/**
	 * Returns limits, mean, standard deviation, quantiles and histogram of the numeric
	 * fields, of the rows of this shard or, with `by`, of those of each value of a
	 * column. The position stays. See docs/reader.md.
	 *
	 * @throws invalid_argument for windows, for shards of equal length, and if rows
	 * cannot be grouped by the column; limit_exceeded for too many groups
	 */
	async describe(
		options: DescribeOptions & { readonly by: string },
	): Promise<GroupedDescription>;
	/** Describes all rows together. */
	async describe(
		options?: CountOptions & { readonly by?: undefined },
	): Promise<ReaderDescription>;
	async describe(
		options: DescribeOptions = {},
	): Promise<ReaderDescription | GroupedDescription> {
		return (await this.#reading.join()).describe(options);
	}

	/** What was read and tested, as of the last batch; undefined before the first. */
	get diagnostics(): ReaderDiagnostics | undefined {
		return this.#cursor.diagnostics;
	}

	/** Aborts all reads. */
	close(): void {
		this.#closed.abort(new BevError("closed", "reader: closed"));
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	#moveTo(start: ReaderPosition | string): void {
		this.#cursor.start = start;
		this.#cursor.moves += 1;
	}
}
