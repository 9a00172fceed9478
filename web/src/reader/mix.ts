import { check, checkOptions } from "../base/arguments.js";
import { JoinedReaders } from "./joined.js";
import type { DatasetReader } from "./reader.js";

/** A reader of a mixture. */
export interface WeightedReader {
	/** Not read elsewhere meanwhile. */
	readonly reader: DatasetReader;
	/** Its share of the batches, relative to the others' weights; above 0. */
	readonly weight: number;
}

/** Options of `mixReaders`. */
export interface MixOptions {
	/** From 0 to 2^53; another one is another order. Default 0. */
	readonly seed?: number | undefined;
	/**
	 * At the end of a reader's epoch: `stop` the mixture (default), `renormalise` the
	 * other readers' weights until all have ended, or `restart` the reader with its next
	 * epoch, without end.
	 */
	readonly onExhausted?: "stop" | "renormalise" | "restart" | undefined;
}

/**
 * Batches of several readers, each from a reader chosen at random by weight. See
 * `mixReaders`.
 */
export class ReaderMixture extends JoinedReaders {
	/** @internal */
	constructor(readers: readonly WeightedReader[], options: MixOptions) {
		checkOptions("mix", options, { seed: "index", onExhausted: "text" });
		check("mix: readers", readers ?? null, "list");
		const all = Array.from(readers, (one): WeightedReader => Object(one));
		// The core refuses other numbers when it reads.
		for (const { weight } of all)
			if (typeof weight !== "number") check("mix: weight", weight ?? null, "number");
		super(
			all.map(({ reader }) => reader),
			"mix",
			JSON.stringify({
				weights: all.map(({ weight }) => weight),
				seed: options.seed ?? 0,
				on_exhausted: options.onExhausted ?? "stop",
			}),
		);
	}
}

/**
 * Mixes batches of readers with equal fields. The reader of each batch is chosen at
 * random by weight: a function of `seed`, of the number of the batch and of the readers
 * that have ended, equal in all hosts.
 *
 * ```ts
 * const mixed = mixReaders([{ reader: city, weight: 3 }, { reader: motorway, weight: 1 }]);
 * for await (const { reader, batch } of mixed) train(batch);
 * ```
 *
 * @throws invalid_argument without readers; when it is read: for invalid weights and
 * for readers whose fields differ
 */
export function mixReaders(
	readers: readonly WeightedReader[],
	options: MixOptions = {},
): ReaderMixture {
	return new ReaderMixture(readers, options);
}
