/** Ranges that are not asked for after a server ignored one. */
const PAUSE = 8;

/**
 * Whether a server is worth asking for ranges. One that has ever honoured a range is; one
 * that ignored the first is asked again now and then: a cache in front of it may have been
 * cold.
 */
export class RangeSupport {
	#honoured = false;
	#pause = 0;

	/** Call once for each ranged read. */
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
