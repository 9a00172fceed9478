/** Maximum number of values before the present one. */
export const MAX_PAST = 100;

/** Values in the order in which they were current, of which one is: undo and redo. */
export class History<T> {
	#past: readonly T[] = [];
	#future: readonly T[] = [];
	#present: T;

	constructor(present: T) {
		this.#present = present;
	}

	/** The current value. */
	get present(): T {
		return this.#present;
	}

	/** The value that `undo` returns to; undefined if there is none. */
	get before(): T | undefined {
		return this.#past.at(-1);
	}

	/** The value that `redo` returns to; undefined if there is none. */
	get after(): T | undefined {
		return this.#future[0];
	}

	/** Makes `next` current. What was undone can no longer be redone. */
	change(next: T): void {
		this.#past = [...this.#past, this.#present].slice(-MAX_PAST);
		this.#present = next;
		this.#future = [];
	}

	/** Replaces the current value, as a part of the change that led to it. */
	amend(present: T): void {
		this.#present = present;
	}

	/** Makes the value before current; ignored if there is none. */
	undo(): void {
		const { before } = this;
		if (before === undefined) return;
		this.#future = [this.#present, ...this.#future];
		this.#past = this.#past.slice(0, -1);
		this.#present = before;
	}

	/** Makes the value after current; ignored if there is none. */
	redo(): void {
		const { after } = this;
		if (after === undefined) return;
		this.#past = [...this.#past, this.#present];
		this.#future = this.#future.slice(1);
		this.#present = after;
	}

	/** Forgets everything but `present`. */
	reset(present: T): void {
		this.#past = [];
		this.#future = [];
		this.#present = present;
	}
}
