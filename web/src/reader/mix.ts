import "../dispose.js";
import type { AbortOptions } from "../api.js";
import { BevError } from "../errors.js";
import type { MixtureChoice, MixtureQuery } from "../worker/protocol.js";
import type { ReaderBatch } from "./batch.js";
import type { ReaderExplanation } from "./explanation.js";
import { clientOfReader, type DatasetReader } from "./reader.js";

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

/** A batch of a mixture. */
export interface MixedBatch {
	/** Number of the reader that it comes from. */
	readonly reader: number;
	/** The items. */
	readonly batch: ReaderBatch;
}

type Loop = AsyncGenerator<ReaderBatch, void, undefined>;

/**
 * Batches of several readers, each from a reader chosen at random by weight. See
 * `mixReaders`.
 *
 * A loop continues at the mixture's position; leaving it stops all requests.
 */
export class ReaderMixture implements AsyncIterable<MixedBatch>, Disposable {
	readonly #readers: readonly DatasetReader[];
	/** JSON, see core/reader/mixture.hpp. */
	readonly #options: string;
	/** The position after the last batch; undefined before the first one. */
	#order: string | undefined;
	/** How many epochs of readers have ended since the last batch. */
	#exhausted = 0;
	/** A state to continue at, which was not checked yet. */
	#restored: string | undefined;
	/** Number of changes of the position by the caller. */
	#moves = 0;
	#isReading = false;
	/** Whether the readers have equal fields. */
	#isChecked = false;

	/** @internal */
	constructor(readers: readonly WeightedReader[], options: MixOptions) {
		if (readers.length === 0) {
			throw new BevError("invalid_argument", "mix: no readers (expected 1 or more)");
		}
		this.#readers = readers.map(({ reader }) => reader);
		this.#options = JSON.stringify({
			weights: readers.map(({ weight }) => weight),
			seed: options.seed ?? 0,
			on_exhausted: options.onExhausted ?? "stop",
		});
	}

	/** Reads all batches, as `batches()`. */
	[Symbol.asyncIterator](): AsyncGenerator<MixedBatch, void, undefined> {
		return this.batches();
	}

	/** As iterating over the mixture, with a signal that aborts the iteration. */
	async *batches(
		options: AbortOptions = {},
	): AsyncGenerator<MixedBatch, void, undefined> {
		if (this.#isReading) {
			throw new BevError(
				"invalid_argument",
				"mix: already being read (expected one loop at a time)",
			);
		}
		this.#isReading = true;
		try {
			let moves: number;
			do {
				moves = this.#moves;
				yield* this.#read(options);
			} while (this.#moves !== moves);
		} finally {
			this.#isReading = false;
		}
	}

	/** Returns the position as JSON, for `restore`; it contains the readers' states. */
	async state(options: AbortOptions = {}): Promise<string> {
		// A loop goes to it itself, once its readers are idle.
		if (this.#isReading && this.#restored !== undefined) return this.#restored;
		await this.#resume(options);
		const readers: string[] = [];
		for (const reader of this.#readers) readers.push(await reader.state(options));
		return this.#ask({ want: "state", readers }, options);
	}

	/**
	 * Continues at a state of a mixture of equal readers, weights, seed and rule, in any
	 * host. An invalid state is reported by the next read.
	 */
	restore(state: string): void {
		this.#restored = state;
		this.#moves += 1;
	}

	/** Continues at the begin of the first epoch of all readers. */
	reset(): void {
		this.#begin();
		this.#moves += 1;
	}

	/** Closes all readers. */
	close(): void {
		for (const reader of this.#readers) reader.close();
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	#begin(): void {
		for (const reader of this.#readers) reader.reset();
		this.#restored = undefined;
		this.#order = undefined;
		this.#exhausted = 0;
	}

	/** Yields batches up to the end, or to a change of the position. */
	async *#read(options: AbortOptions): AsyncGenerator<MixedBatch, void, undefined> {
		const moves = this.#moves;
		const loops = new Map<number, Loop>();
		try {
			if (!this.#isChecked) await assertAlike(this.#readers, options);
			this.#isChecked = true;
			await this.#resume(options);
			while (this.#moves === moves) {
				const { reader, state } = await this.#choose(options);
				if (reader < 0) return;
				const loop = loops.get(reader) ?? this.#loop(reader, options);
				loops.set(reader, loop);
				const { done, value: batch } = await loop.next();
				if (this.#moves !== moves) {
					batch?.release();
					if (this.#order === undefined) this.#begin(); // the reader may have moved on
					return;
				}
				if (done || !batch) {
					loops.delete(reader);
					this.#exhausted += 1;
					continue;
				}
				// At once, as the reader has moved on.
				this.#order = state;
				this.#exhausted = 0;
				yield { reader, batch };
			}
		} finally {
			for (const loop of loops.values()) await loop.return();
		}
	}

	#loop(reader: number, options: AbortOptions): Loop {
		const found = this.#readers[reader];
		if (found) return found.batches(options);
		throw new BevError("internal", `mix: no reader ${reader}`);
	}

	async #choose(options: AbortOptions): Promise<MixtureChoice> {
		const text = await this.#ask({ want: "choice" }, options);
		return JSON.parse(text) as MixtureChoice;
	}

	/** Goes to the state of the last `restore`, if any. */
	async #resume(options: AbortOptions): Promise<void> {
		const state = this.#restored;
		if (state === undefined) return;
		const text = await this.#ask({ want: "readers", state }, options);
		const states = JSON.parse(text) as readonly string[];
		if (this.#restored !== state) return this.#resume(options);
		this.#readers.forEach((reader, i) => {
			reader.restore(states[i] ?? "");
		});
		this.#order = state;
		this.#exhausted = 0;
		this.#restored = undefined;
	}

	/** Asks the core in the worker of the first reader. */
	async #ask(
		about: Pick<MixtureQuery, "want"> & Partial<MixtureQuery>,
		{ signal }: AbortOptions,
	): Promise<string> {
		const [first] = this.#readers;
		const query: MixtureQuery = {
			kind: "mixture",
			options: this.#options,
			state: this.#order,
			exhausted: this.#exhausted,
			readers: this.#readers.map(() => ""),
			...about,
		};
		const client = first && (await clientOfReader(first, signal));
		const text = (await client?.ask(query, { signal }))?.text;
		if (text !== undefined) return text;
		throw new BevError("internal", "mix: answer without text");
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

/** Throws unless the readers' arrays have the same names, types and shapes. */
async function assertAlike(
	readers: readonly DatasetReader[],
	options: AbortOptions,
): Promise<void> {
	let expected: string | undefined;
	for (const [i, reader] of readers.entries()) {
		const found = fieldsOf(await reader.explain(options));
		expected ??= found;
		if (found === expected) continue;
		throw new BevError(
			"invalid_argument",
			`mix: fields of reader ${i} differ (found ${found}, expected ${expected})`,
		);
	}
}

function fieldsOf({ fields }: ReaderExplanation): string {
	return fields
		.map(({ name, dtype, shape }) => `${name} ${dtype} (${shape.join(", ")})`)
		.join("; ");
}
