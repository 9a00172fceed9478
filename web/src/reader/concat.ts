import type { AbortOptions } from "../api.js";
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

	/** Returns the number of items of the readers' shards in an epoch. */
	async length(options: AbortOptions = {}): Promise<number> {
		return this.#sum((reader) => reader.length(options));
	}

	/** Returns the number of items of all shards in an epoch. */
	async count(options: AbortOptions = {}): Promise<number> {
		return this.#sum((reader) => reader.count(options));
	}

	async #sum(of: (reader: DatasetReader) => Promise<number>): Promise<number> {
		let sum = 0;
		for (const reader of this.readers) sum += await of(reader);
		return sum;
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
