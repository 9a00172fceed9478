import type { AbortOptions } from "../api.js";
import type { ReaderCountOptions } from "./explanation.js";
import { JoinedReaders } from "./joined.js";
import type { DatasetReader } from "./reader.js";

/**
 * Batches of several readers, one after another. See `concatReaders`.
 *
 * A loop reads up to the end of the last reader's epoch; the next loop reads the next
 * epoch of all readers.
 */
export class ReaderConcatenation extends JoinedReaders {
	/** @internal */
	constructor(readers: readonly DatasetReader[]) {
		super(readers, "concat");
	}

	/**
	 * Returns the number of items in an epoch of all readers: of all shards, or with `{ of:
	 * "shard" }` of the readers' own.
	 */
	async count(options: Omit<ReaderCountOptions, "onProgress"> = {}): Promise<number> {
		let sum = 0;
		for (const reader of this.readers) sum += await reader.count(options);
		return sum;
	}

	/** @deprecated Use `count({ of: "shard" })`; removed in 0.4. */
	length(options: AbortOptions = {}): Promise<number> {
		return this.count({ ...options, of: "shard" });
	}
}

/**
 * Reads readers with equal fields one after another, for example those of several data
 * sets.
 *
 * ```ts
 * const all = concatReaders(datasets.map((dataset) => dataset.reader(options)));
 * for await (const { reader, batch } of all) train(batch);
 * ```
 *
 * @throws invalid_argument without readers; when it is read: for readers whose fields
 * differ, with those of both
 */
export function concatReaders(readers: readonly DatasetReader[]): ReaderConcatenation {
	return new ReaderConcatenation(readers);
}
