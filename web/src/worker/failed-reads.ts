/** Failed reads remembered at a time; beyond that the oldest is dropped. */
const MOST = 4096;

/** How long a failed read counts, unless it is forgotten earlier: networks recover. */
const MEMORY_MS = 30_000;

interface Failure {
	readonly error: unknown;
	readonly until: number;
}

/**
 * Keys whose read failed, each with its error. For 30 seconds every read of such a key
 * fails at once with the same error and without a request. Aborts are not failures.
 */
export class FailedReads {
	readonly #now: () => number;
	/** In the order of failure. */
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

	/** Throws the error that is remembered for `key`, if any. */
	check(key: string): void {
		const failure = this.#failures.get(key);
		if (!failure) return;
		if (this.#now() < failure.until) throw failure.error;
		this.#failures.delete(key);
	}

	/** Forgets the failure of `key`, or all of them. */
	forget(key?: string): void {
		if (key === undefined) this.#failures.clear();
		else this.#failures.delete(key);
	}
}
