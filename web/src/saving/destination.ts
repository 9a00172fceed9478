import type { AbortOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import { MemorySource, type Source } from "../source/source.js";

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
	/** Returns the parts of all keys before the first `/`, each once. */
	list(): Promise<readonly string[]>;
	/** Removes an object if it exists. */
	remove(key: string): Promise<void>;
	/** Removes all objects, or those whose keys begin with `NAME/`. */
	clear(name?: string): Promise<void>;
}

/** Options of `Destination.begin`. */
export interface BeginOptions extends AbortOptions {
	/** Whether a data set is there that `publish` replaces. */
	readonly replace: boolean;
}

/** Where a data set is written. One commit writes it at a time. */
export interface Destination {
	/** Name in messages, without secrets. */
	readonly name: string;
	/**
	 * Returns the data set that is there; undefined if nothing is. Default: nothing.
	 *
	 * @throws BevError `invalid_argument` if something else is there
	 */
	existing?(options?: AbortOptions): Promise<Source | undefined>;
	/** Whether `publish` can replace a data set at once; default false. */
	readonly replaces?: boolean | undefined;
	/**
	 * Whether the data set is a .zip. `put` is then called with its consecutive bytes, and
	 * `existing` returns a source of its bytes; the key is "" for both.
	 */
	readonly archive?: boolean | undefined;
	/** Prepares for `put`; removes what an interrupted attempt has left. */
	begin(options: BeginOptions): Promise<void>;
	/** Writes an object. Chunks come first; each key is written once. */
	put(
		key: string,
		bytes: Uint8Array<ArrayBuffer>,
		options?: AbortOptions,
	): Promise<void>;
	/**
	 * Called after the last object: readers must see the data set afterwards.
	 *
	 * @throws BevError `changed` if another writer has published since `existing`
	 */
	publish(options?: AbortOptions): Promise<void>;
	/** Called if a commit fails after `begin`: removes what was written. */
	discard?(): Promise<void>;
	/** Returns where rows are collected until they are published; default: in memory. */
	parts?(): ObjectStore;
	/** Number of objects that may be written at the same time; default 1. */
	readonly concurrency?: number | undefined;
}

/** Rejects because a destination has a data set. */
export function existsAlready(name: string): BevError {
	return new BevError(
		"invalid_argument",
		`${name}: already exists (append and replace must be asked for)`,
	);
}

/** Rejects because another writer has published a data set. */
export function changedMeanwhile(name: string): BevError {
	return new BevError("changed", `${name}: was replaced since the commit began`);
}

/** Whether two objects are equal, or both absent. */
export function sameBytes(
	a: Uint8Array | undefined,
	b: Uint8Array | undefined,
): boolean {
	if (!a || !b) return a === b;
	return a.length === b.length && a.every((byte, i) => byte === b[i]);
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

	/** Returns the parts of all keys before the first `/`. */
	async list(): Promise<readonly string[]> {
		return [
			...new Set([...this.#objects.keys()].map((key) => key.split("/", 1)[0] ?? "")),
		];
	}

	/** Removes an object if it exists. */
	async remove(key: string): Promise<void> {
		this.#objects.delete(key);
	}

	/** Removes all objects, or those below `name`. */
	async clear(name?: string): Promise<void> {
		for (const key of [...this.#objects.keys()]) {
			if (name === undefined || key.startsWith(`${name}/`)) this.#objects.delete(key);
		}
	}
}

/** A data set in memory: `map` receives all objects at once. */
export function toMap(map: Map<string, Uint8Array<ArrayBuffer>>): Destination {
	const written = new Map<string, Uint8Array<ArrayBuffer>>();
	let before: ReadonlyMap<string, Uint8Array> = new Map();
	return {
		name: "map",
		replaces: true,
		async existing() {
			before = new Map(map);
			return map.size > 0 ? new MemorySource(before) : undefined;
		},
		async begin({ replace }) {
			written.clear();
			if (!replace) before = new Map();
		},
		async put(key, bytes) {
			written.set(key, bytes);
		},
		async publish() {
			const isSame = [...map].every(([key, bytes]) => before.get(key) === bytes);
			if (map.size !== before.size || !isSame) throw changedMeanwhile("map");
			map.clear();
			for (const [key, bytes] of written) map.set(key, bytes);
			written.clear();
		},
	};
}
