import type { Waiting } from "./source.js";

/** The waits under way that are worth telling. */
export class Waits {
	readonly #waits = new Set<Waiting>();
	#onChange: (() => void) | undefined;

	set onChange(listener: (() => void) | undefined) {
		this.#onChange = listener;
	}

	get onChange(): (() => void) | undefined {
		return this.#onChange;
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
		this.#onChange?.();
		try {
			await work();
		} finally {
			this.#waits.delete(wait);
			this.#onChange?.();
		}
	}
}
