import { type ReadOptions, type Source, slice } from "./source.js";

/** Serves objects in memory by key. */
export class MemorySource implements Source {
	readonly #objects: ReadonlyMap<string, Uint8Array>;

	constructor(
		objects: Iterable<readonly [string, Uint8Array]> | Record<string, Uint8Array>,
	) {
		const entries = Symbol.iterator in objects ? objects : Object.entries(objects);
		this.#objects = new Map(entries as Iterable<readonly [string, Uint8Array]>);
	}

	/** Returns a copy, so that the caller may transfer it. */
	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		const whole = this.#objects.get(key);
		return whole && slice(whole, range).slice();
	}

	/** Returns an object's length; undefined if it is absent. */
	async size(key: string): Promise<number | undefined> {
		return this.#objects.get(key)?.length;
	}
}
