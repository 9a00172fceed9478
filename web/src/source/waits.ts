import type { Waiting } from "./source.js";

/** Waits in progress that are reported to the user. */
export class Waits {
	readonly #waits = new Set<Waiting>();
	readonly #listeners = new Set<() => void>();

	/** Calls `listener` on every change; returns a function that removes it. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** The wait that ends last. */
	get longest(): Waiting | undefined {
		let longest: Waiting | undefined;
		for (const wait of this.#waits) {
			if (!longest || wait.until > longest.until) longest = wait;
		}
		return longest;
	}

	/** Runs `work`, which waits `ms` milliseconds for `key`. */
	async during(key: string, ms: number, work: () => Promise<void>): Promise<void> {
		const wait = { key, seconds: ms / 1000, until: Date.now() + ms };
		this.#waits.add(wait);
		this.#tell();
		try {
			await work();
		} finally {
			this.#waits.delete(wait);
			this.#tell();
		}
	}

	#tell(): void {
		for (const listener of this.#listeners) listener();
	}
}
