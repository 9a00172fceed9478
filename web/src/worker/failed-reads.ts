/** Maximum number of remembered failures; the oldest is dropped first. */
const MOST = 4096;

/** Lifetime of a remembered failure; networks recover. */
const MEMORY_MS = 30_000;

interface Failure {
	readonly error: unknown;
	readonly until: number;
}

/**
 * Remembers keys whose read failed, with the error. For 30 seconds, reads of such a key
 * fail with the same error and without a request. Aborts are not failures.
 */
export class FailedReads {
	readonly #now: () => number;
	/** In order of failure. */
	readonly #failures = new Map<string, Failure>();

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	note(key: string, error: unknown): void {
		this.#failures.delete(key);
		this.#failures.set(key, { error, until: this.#now() + MEMORY_MS });
		if (this.#failures.size <= MOST) return;
		for (const oldest of this.#failures.keys()) {
			this.#failures.delete(oldest);
			break;
		}
	}

	/** Throws the error remembered for `key`, if any. */
	check(key: string): void {
		const failure = this.#failures.get(key);
		if (!failure) return;
		if (this.#now() < failure.until) throw failure.error;
		this.#failures.delete(key);
	}

	/** Forgets the failure of `key`, or all failures. */
	forget(key?: string): void {
		if (key === undefined) this.#failures.clear();
		else this.#failures.delete(key);
	}
}
