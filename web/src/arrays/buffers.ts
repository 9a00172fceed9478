/** Maximum number of pooled buffers; rarely more than a few results are alive. */
const MAX_KEPT = 8;
/** Maximum pooled bytes: three batches of sixteen images of L5Kit's usual size. */
const MAX_BYTES = 192 * 2 ** 20;

/**
 * Pools the memory of results and downloads. Filling a new buffer costs up to twenty
 * times as much as filling a used one, because each page is faulted in.
 */
export class Buffers {
	readonly #kept: ArrayBuffer[] = [];
	readonly #mostBytes: number;

	constructor(mostBytes = MAX_BYTES) {
		this.#mostBytes = mostBytes;
	}

	/**
	 * Returns a buffer of at least `size` bytes: the smallest pooled one of at most `4 *
	 * size`, otherwise a new one. Of equal ones it returns the most recently used, which
	 * may still be in the processor's cache.
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

	/** Returns a buffer to the pool; drops the oldest ones above the limits. */
	give(buffer: ArrayBuffer): void {
		if (buffer.byteLength === 0) return;
		this.#kept.push(buffer);
		while (this.#kept.length > MAX_KEPT || this.bytes > this.#mostBytes) {
			this.#kept.shift();
		}
	}

	/** Pooled bytes. */
	get bytes(): number {
		return this.#kept.reduce((sum, buffer) => sum + buffer.byteLength, 0);
	}
}
