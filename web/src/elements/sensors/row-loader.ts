import { messageOf } from "../../base/errors.js";
import type { Dated, Shown } from "./sensors-view.js";

/** A frame, and the row that belongs to it. */
export interface FrameRow {
	readonly frame: number;
	readonly row: number;
}

export interface RowLoaderOptions<T> {
	/**
	 * Reads a row; undefined if it is null.
	 *
	 * @param sequential whether the rows after it will be read, too
	 */
	readonly read: (
		row: number,
		signal: AbortSignal,
		sequential: boolean,
	) => Promise<T | undefined>;
	readonly bytesOf: (value: T) => number;
	readonly release: (value: T) => void;
	/** Called when `shown` has changed. */
	readonly onChange: () => void;
	/** Limit of the loaded values, in bytes; exceeded by what is shown. */
	readonly budget: number;
}

/** A value that was read, or why it could not be. */
type Answer<T> = { readonly value: T | undefined } | { readonly why: string };

interface Reading {
	readonly abort: AbortController;
	/** Number of the request; 0 if the row was only read ahead. */
	serial: number;
	frame: number;
}

/** Concurrent reads while playing. */
const IN_FLIGHT = 2;
/** What a null takes in the budget. */
const ENTRY_BYTES = 256;

/**
 * Loads values of one field for the requested frame, and of the following ones. A value
 * of an earlier request never replaces one of a later request.
 */
export class RowLoader<T> {
	readonly #options: RowLoaderOptions<T>;
	/** By row, the least recently used first. */
	readonly #held = new Map<number, Answer<T>>();
	readonly #inFlight = new Map<number, Reading>();
	#bytes = 0;
	#wanted: FrameRow | undefined;
	#ahead: readonly FrameRow[] = [];
	#sequential = false;
	#serial = 0;
	/** The answer of the latest request that has one, and the request's number. */
	#last: (Dated<T> & { readonly row: number }) | undefined;
	#lastSerial = 0;

	constructor(options: RowLoaderOptions<T>) {
		this.#options = options;
	}

	/** What to show for the requested row; undefined if none is requested. */
	get shown(): Shown<T> | undefined {
		if (!this.#wanted) return undefined;
		const answer = this.#held.get(this.#wanted.row);
		if (!answer) return { state: "late", before: this.#last };
		if ("why" in answer) return { state: "failed", why: answer.why };
		if (answer.value === undefined) return { state: "null" };
		return { state: "current", value: answer.value };
	}

	/**
	 * Requests the row of a frame, then those of the frames ahead; undefined for none.
	 * Unless rows are read in sequence, reads of other rows are aborted.
	 */
	want(
		wanted: FrameRow | undefined,
		ahead: readonly FrameRow[] = [],
		sequential = false,
	): void {
		const isNew = wanted?.row !== this.#wanted?.row;
		this.#wanted = wanted;
		this.#ahead = ahead;
		this.#sequential = sequential;
		if (isNew) {
			this.#serial += 1;
			this.#forgetFailures();
		}
		if (wanted) this.#touch(wanted);
		else {
			this.#last = undefined;
			this.#lastSerial = this.#serial;
		}
		this.#abortOthers();
		this.#pump();
		if (isNew) this.#options.onChange();
	}

	/** Reads a row that failed again. */
	retry(): void {
		this.#forgetFailures();
		this.#pump();
		this.#options.onChange();
	}

	/** Stops all reads, releases everything and requests nothing. */
	clear(): void {
		this.#wanted = undefined;
		this.#last = undefined;
		for (const { abort } of this.#inFlight.values()) abort.abort();
		this.#inFlight.clear();
		for (const answer of this.#held.values()) this.#release(answer);
		this.#held.clear();
		this.#bytes = 0;
	}

	/** Makes a requested row the most recently used one, and what is shown. */
	#touch({ row, frame }: FrameRow): void {
		const answer = this.#held.get(row);
		const reading = this.#inFlight.get(row);
		if (reading) Object.assign(reading, { serial: this.#serial, frame });
		if (!answer) return;
		this.#held.delete(row);
		this.#held.set(row, answer);
		this.#show({ row, frame }, answer, this.#serial);
	}

	#show({ row, frame }: FrameRow, answer: Answer<T>, serial: number): void {
		const value = "value" in answer ? answer.value : undefined;
		this.#last = value === undefined ? undefined : { row, frame, value };
		this.#lastSerial = serial;
	}

	#forgetFailures(): void {
		for (const [row, answer] of this.#held)
			if ("why" in answer) this.#drop(row, answer);
	}

	#abortOthers(): void {
		if (this.#sequential && this.#wanted) return;
		const rows = new Set([this.#wanted, ...this.#ahead].map((one) => one?.row));
		for (const [row, { abort }] of this.#inFlight) {
			if (rows.has(row)) continue;
			this.#inFlight.delete(row);
			abort.abort();
		}
	}

	#pump(): void {
		const wanted = this.#wanted;
		if (!wanted) return;
		for (const next of [wanted, ...this.#ahead]) {
			if (this.#held.has(next.row) || this.#inFlight.has(next.row)) continue;
			// A frame that the user waits for does not wait for others.
			const isFree = this.#inFlight.size < IN_FLIGHT;
			if (!isFree && (this.#sequential || next !== wanted)) return;
			void this.#read(next, next === wanted ? this.#serial : 0);
		}
	}

	async #read({ row, frame }: FrameRow, serial: number): Promise<void> {
		const abort = new AbortController();
		const reading: Reading = { abort, serial, frame };
		this.#inFlight.set(row, reading);
		let answer: Answer<T>;
		try {
			const { read } = this.#options;
			answer = { value: await read(row, abort.signal, this.#sequential) };
		} catch (error) {
			answer = { why: messageOf(error) };
		}
		if (this.#inFlight.get(row) === reading) this.#inFlight.delete(row);
		if (abort.signal.aborted) {
			this.#release(answer);
			return;
		}
		this.#keep(row, answer);
		if (reading.serial > this.#lastSerial)
			this.#show({ row, frame: reading.frame }, answer, reading.serial);
		this.#evict();
		this.#pump();
		this.#options.onChange();
	}

	#keep(row: number, answer: Answer<T>): void {
		this.#held.set(row, answer);
		this.#bytes += this.#bytesOf(answer);
	}

	/** Drops what was used least recently, but not what is shown or will be. */
	#evict(): void {
		const kept = new Set([this.#wanted?.row, this.#last?.row]);
		for (const [row, answer] of this.#held) {
			if (this.#bytes <= this.#options.budget) return;
			if (!kept.has(row)) this.#drop(row, answer);
		}
	}

	#drop(row: number, answer: Answer<T>): void {
		this.#held.delete(row);
		this.#bytes -= this.#bytesOf(answer);
		this.#release(answer);
	}

	#bytesOf(answer: Answer<T>): number {
		const value = "value" in answer ? answer.value : undefined;
		return ENTRY_BYTES + (value === undefined ? 0 : this.#options.bytesOf(value));
	}

	#release(answer: Answer<T>): void {
		if ("value" in answer && answer.value !== undefined)
			this.#options.release(answer.value);
	}
}
