/** One feature's part of the state, in the feature's directory. */
export interface Slice<T extends object> {
	/** Initial values. */
	readonly empty: T;
	/** Returns the values that stay when another data set is opened: settings. */
	readonly kept: (state: T) => Partial<T>;
}

type Listener<T> = (state: T, previous: T) => void;

/** An observable immutable value. */
export class Store<T extends object> {
	#state: T;
	readonly #listeners = new Set<Listener<T>>();

	constructor(state: T) {
		this.#state = state;
	}

	/** The current value. */
	get state(): T {
		return this.#state;
	}

	/** Replaces the given members. Listeners are not called if nothing changes. */
	patch(changes: Partial<T>): void {
		const previous = this.#state;
		const keys = Object.keys(changes) as (keyof T)[];
		if (keys.every((key) => Object.is(previous[key], changes[key]))) return;
		this.#state = { ...previous, ...changes };
		for (const listener of [...this.#listeners]) listener(this.#state, previous);
	}

	/** Calls `listener` after each change until the returned function is called. */
	subscribe(listener: Listener<T>): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}

/**
 * Resolves with the first state, starting at the current one, for which `is` returns
 * true; rejects when aborted.
 */
export function until<T extends object>(
	store: Store<T>,
	is: (state: T) => boolean,
	signal: AbortSignal,
): Promise<T> {
	return new Promise((resolve, reject) => {
		signal.throwIfAborted();
		if (is(store.state)) {
			resolve(store.state);
			return;
		}
		const end = (): void => {
			stop();
			signal.removeEventListener("abort", onAbort);
		};
		const onAbort = (): void => {
			end();
			reject(signal.reason);
		};
		const stop = store.subscribe((state) => {
			if (!is(state)) return;
			end();
			resolve(state);
		});
		signal.addEventListener("abort", onAbort);
	});
}
