/** Number of reads without a range after a server ignored one. */
const PAUSE = 8;

/**
 * Decides whether to send range requests. Once a server has honoured a range, always.
 * If it ignored one, it is tried again from time to time: a cache in front of it may
 * have been cold.
 */
export class RangeSupport {
	#honoured = false;
	#pause = 0;

	/** Call it once per ranged read. */
	isWorthAsking(): boolean {
		if (this.#honoured || this.#pause === 0) return true;
		this.#pause -= 1;
		return false;
	}

	honoured(): void {
		this.#honoured = true;
	}

	ignored(): void {
		this.#pause = PAUSE;
	}
}
