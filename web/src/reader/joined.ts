import "../base/dispose.js";
import type { AbortOptions } from "../api.js";
import { refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import { type Query, type ReaderChoice, valueBy } from "../worker/protocol.js";
import type { ReaderBatch } from "./batch.js";
import type { ReaderExplanation } from "./explanation.js";
import { clientOfReader, type DatasetReader } from "./reader.js";

/** A batch of several readers. */
export interface JoinedBatch {
	/** Number of the reader that it comes from. */
	readonly reader: number;
	/** The items. */
	readonly batch: ReaderBatch;
}

type Loop = AsyncGenerator<ReaderBatch, void, undefined>;

/**
 * Batches of several readers with equal fields: a mixture or a concatenation. A loop
 * continues at its position; leaving it stops all requests.
 */
export abstract class JoinedReaders implements AsyncIterable<JoinedBatch>, Disposable {
	/** @internal The readers, which are not read elsewhere meanwhile. */
	protected readonly readers: readonly DatasetReader[];
	/** For errors. */
	readonly #name: string;
	/** Options of a mixture as JSON; undefined for a concatenation. */
	readonly #mixture: string | undefined;
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
	protected constructor(
		readers: readonly DatasetReader[],
		name: string,
		mixture?: string,
	) {
		const isReader = (one: unknown) => typeof Object(one).explain === "function";
		if (!Array.isArray(readers) || !readers.every(isReader))
			refuse(name, readers, "readers of data sets");
		if (readers.length === 0) {
			throw new BevError(
				"invalid_argument",
				`${name}: no readers (expected 1 or more)`,
			);
		}
		this.readers = [...readers];
		this.#name = name;
		this.#mixture = mixture;
	}

	/** Reads all batches, as `batches()`. */
	[Symbol.asyncIterator](): AsyncGenerator<JoinedBatch, void, undefined> {
		return this.batches();
	}

	/** As iterating, with a signal that aborts the iteration. */
	async *batches(
		options: AbortOptions = {},
	): AsyncGenerator<JoinedBatch, void, undefined> {
		if (this.#isReading) {
			throw new BevError(
				"invalid_argument",
				`${this.#name}: already being read (expected one loop at a time)`,
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
		for (const reader of this.readers) readers.push(await reader.state(options));
		return this.#positionOf(false, readers, options);
	}

	/**
	 * Continues at a state of equal readers, joined in the same way, in any host. An
	 * invalid state is reported by the next read.
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
		for (const reader of this.readers) reader.close();
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	#begin(): void {
		for (const reader of this.readers) reader.reset();
		this.#restored = undefined;
		this.#order = undefined;
		this.#exhausted = 0;
	}

	/** Yields batches up to the end, or to a change of the position. */
	async *#read(options: AbortOptions): AsyncGenerator<JoinedBatch, void, undefined> {
		const moves = this.#moves;
		const loops = new Map<number, Loop>();
		try {
			if (!this.#isChecked) await assertAlike(this.#name, this.readers, options);
			this.#isChecked = true;
			await this.#resume(options);
			while (this.#moves === moves) {
				const { reader, state } = await this.#choose(options);
				if (reader < 0) return this.#end();
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

	/** The loop after one over a concatenation reads the next epoch. */
	#end(): void {
		if (this.#mixture !== undefined) return;
		this.#order = undefined;
		this.#exhausted = 0;
	}

	#loop(reader: number, options: AbortOptions): Loop {
		const found = this.readers[reader];
		if (found) return found.batches(options);
		throw new BevError("internal", `${this.#name}: no reader ${reader}`);
	}

	async #choose(options: AbortOptions): Promise<ReaderChoice> {
		const text = await this.#positionOf(
			true,
			this.readers.map(() => ""),
			options,
		);
		return JSON.parse(text) as ReaderChoice;
	}

	/** Goes to the state of the last `restore`, if any. */
	async #resume(options: AbortOptions): Promise<void> {
		const state = this.#restored;
		if (state === undefined) return;
		const given = { mixture: this.#mixture, state, readers: this.readers.length };
		const text = await this.#ask(valueBy("reader_states", given), options);
		const states = JSON.parse(text) as readonly string[];
		if (this.#restored !== state) return this.#resume(options);
		this.readers.forEach((reader, i) => {
			reader.restore(states[i] ?? "");
		});
		this.#order = state;
		this.#exhausted = 0;
		this.#restored = undefined;
	}

	/** Asks for the reader of the next batch, or for the state of them all. */
	#positionOf(
		chooses: boolean,
		readers: readonly string[],
		options: AbortOptions,
	): Promise<string> {
		const [mixture, state, exhausted] = [this.#mixture, this.#order, this.#exhausted];
		const given = { mixture, state, exhausted, readers, chooses };
		return this.#ask(valueBy("reader_order", given), options);
	}

	/** Asks the core in the worker of the first reader. */
	async #ask(query: Query, { signal }: AbortOptions): Promise<string> {
		const [first] = this.readers;
		const client = first && (await clientOfReader(first, signal));
		const text = (await client?.ask(query, { signal }))?.text;
		if (text !== undefined) return text;
		throw new BevError("internal", `${this.#name}: answer without text`);
	}
}

/** Throws unless the readers' arrays have the same names, types and shapes. */
async function assertAlike(
	name: string,
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
			`${name}: fields of reader ${i} differ (found ${found}, expected ${expected})`,
		);
	}
}

function fieldsOf({ fields }: ReaderExplanation): string {
	return fields
		.map(({ name, dtype, shape }) => `${name} ${dtype} (${shape.join(", ")})`)
		.join("; ");
}
