/**
 * An object whose code is loaded on first use. Uses are executed in order; if loading
 * fails, they are dropped and the next use tries again.
 */
export class Lazy<T> {
	readonly #load: () => Promise<T>;
	readonly #onFailure: (error: unknown) => void;
	#loaded: Promise<T> | undefined;
	#value: T | undefined;

	constructor(load: () => Promise<T>, onFailure: (error: unknown) => void) {
		this.#load = load;
		this.#onFailure = onFailure;
	}

	/** The object; undefined until it is loaded. */
	get value(): T | undefined {
		return this.#value;
	}

	/** Resolves when no loading is under way, and the uses that waited were called. */
	async settled(): Promise<void> {
		await this.#loaded?.catch(() => {});
	}

	/**
	 * Loads the object and calls `act` with it; immediately if it is loaded. Resolves with
	 * undefined if loading failed, which is reported.
	 */
	async use<R>(act: (value: T) => R): Promise<Awaited<R> | undefined> {
		if (this.#value) return await act(this.#value);
		this.#loaded ??= this.#load();
		const loaded = this.#loaded;
		try {
			this.#value = await loaded;
		} catch (error) {
			// Reported once for all uses that wait.
			if (this.#loaded === loaded) this.#onFailure(error);
			this.#loaded = undefined;
			return undefined;
		}
		return await act(this.#value);
	}
}
