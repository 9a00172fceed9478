import type { Waiting } from "./source.js";

/** The waits under way that are worth telling. */
export class Waits {
	readonly #waits = new Set<Waiting>();
	readonly #listeners = new Set<() => void>();

	/** Calls `listener` at every change; returns what ends that. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** The one that ends last. */
	get longest(): Waiting | undefined {
		let longest: Waiting | undefined;
		for (const wait of this.#waits) {
			if (!longest || wait.until > longest.until) longest = wait;
		}
		return longest;
	}

	/** Runs `work`, a wait of `ms` for `key`. */
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
