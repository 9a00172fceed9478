import type { AbortOptions } from "../api.js";
import { BevError } from "../errors.js";

/** Objects by key that can be written, read and removed: the rows saved so far. */
export interface ObjectStore {
	/** Returns an object; undefined if it is absent. */
	read(key: string, options?: AbortOptions): Promise<Uint8Array | undefined>;
	/** Writes an object, which replaces the previous one at once or not at all. */
	put(
		key: string,
		bytes: Uint8Array<ArrayBuffer>,
		options?: AbortOptions,
	): Promise<void>;
	/** Removes an object if it exists. */
	remove(key: string): Promise<void>;
	/** Removes all objects. */
	clear(): Promise<void>;
}

/** Where a data set is written. One saver writes it at a time. */
export interface Destination {
	/** Name in messages, without secrets. */
	readonly name: string;
	/**
	 * Prepares for `put`; removes what an interrupted attempt has left.
	 *
	 * @throws BevError `invalid_argument` if a data set exists there
	 */
	begin(options?: AbortOptions): Promise<void>;
	/** Writes an object. Chunks come first; each key is written once. */
	put(
		key: string,
		bytes: Uint8Array<ArrayBuffer>,
		options?: AbortOptions,
	): Promise<void>;
	/** Called after the last object: readers must see the data set afterwards. */
	publish(options?: AbortOptions): Promise<void>;
	/** Returns where rows are collected until they are published; default: in memory. */
	parts?(): ObjectStore;
	/** Number of objects that may be written at the same time; default 1. */
	readonly concurrency?: number | undefined;
}

/** Rejects because a destination has a data set. */
export function existsAlready(name: string): BevError {
	return new BevError(
		"invalid_argument",
		`${name}: already exists (expected an unused name; data sets are not replaced)`,
	);
}

/** Objects in memory. */
export class MemoryStore implements ObjectStore {
	readonly #objects = new Map<string, Uint8Array<ArrayBuffer>>();

	/** Returns an object; undefined if it is absent. */
	async read(key: string): Promise<Uint8Array | undefined> {
		return this.#objects.get(key);
	}

	/** Keeps an object, without a copy. */
	async put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
		this.#objects.set(key, bytes);
	}

	/** Removes an object if it exists. */
	async remove(key: string): Promise<void> {
		this.#objects.delete(key);
	}

	/** Removes all objects. */
	async clear(): Promise<void> {
		this.#objects.clear();
	}
}

/** A data set in memory: `map` receives all objects at once. */
export function toMap(map: Map<string, Uint8Array<ArrayBuffer>>): Destination {
	const written = new Map<string, Uint8Array<ArrayBuffer>>();
	const refuse = (): void => {
		if (map.size > 0) throw existsAlready("map");
	};
	return {
		name: "map",
		async begin() {
			refuse();
			written.clear();
		},
		async put(key, bytes) {
			written.set(key, bytes);
		},
		async publish() {
			refuse();
			for (const [key, bytes] of written) map.set(key, bytes);
			written.clear();
		},
	};
}
