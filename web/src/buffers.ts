/** Buffers kept for later; more than a few views are rarely alive at a time. */
const MOST_KEPT = 8;
/** Bytes kept in all: a ring of three batches of sixteen images of L5Kit's usual size. */
const MOST_BYTES = 192 * 2 ** 20;

/**
 * Memory for results and for what is fetched, used again when it comes back: filling a
 * fresh buffer costs up to twenty times what filling a used one does, for every page of it
 * is faulted in.
 */
export class Buffers {
	readonly #kept: ArrayBuffer[] = [];
	readonly #mostBytes: number;

	constructor(mostBytes = MOST_BYTES) {
		this.#mostBytes = mostBytes;
	}

	/**
	 * A buffer of at least `size` bytes: the smallest kept one that is not far too big, and
	 * of several the last that came back, which the processor may still have at hand.
	 */
	take(size: number): ArrayBuffer {
		const [best] = this.#kept
			.filter(({ byteLength }) => byteLength >= size && byteLength <= 4 * size)
			.reverse()
			.sort((a, b) => a.byteLength - b.byteLength);
		if (!best) return new ArrayBuffer(size);
		this.#kept.splice(this.#kept.indexOf(best), 1);
		return best;
	}

	/** Takes a buffer back; the oldest go when there are too many. */
	give(buffer: ArrayBuffer): void {
		if (buffer.byteLength === 0) return;
		this.#kept.push(buffer);
		while (this.#kept.length > MOST_KEPT || this.bytes > this.#mostBytes) {
			this.#kept.shift();
		}
	}

	/** Bytes kept. */
	get bytes(): number {
		return this.#kept.reduce((sum, buffer) => sum + buffer.byteLength, 0);
	}
}
