import type { Ticker } from "../../src/elements/timeline/player.js";

/** A ticker controlled by the test. */
export class FakeTicker implements Ticker {
	readonly #callbacks = new Map<number, (now: number) => void>();
	#now = 0;
	#next = 1;

	get waiting(): number {
		return this.#callbacks.size;
	}

	request(callback: (now: number) => void): number {
		this.#callbacks.set(this.#next, callback);
		this.#next += 1;
		return this.#next - 1;
	}

	cancel(handle: number): void {
		this.#callbacks.delete(handle);
	}

	/** Advances the time by `milliseconds`, then runs the pending callbacks once. */
	tick(milliseconds: number): void {
		this.#now += milliseconds;
		const due = [...this.#callbacks.values()];
		this.#callbacks.clear();
		for (const callback of due) callback(this.#now);
	}
}
