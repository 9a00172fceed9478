import { holdLock } from "./locks.js";

/** An object as it was read. */
export interface StoredObject {
	/** Its bytes; undefined if it is absent. */
	readonly bytes?: Uint8Array | undefined;
	/** Names this state of the object, also of an absent one. Stores without locks have it. */
	readonly tag?: string | undefined;
}

/** An object in a listing. */
export interface ListedObject {
	/** Its key. */
	readonly key: string;
	/** Its size in bytes. */
	readonly size: number;
}

/**
 * A store whose objects can be replaced one by one while others read and write them.
 * Writers exclude each other by `lock`, or, without it, by replacing an object only if
 * nobody else has.
 */
export interface ArrayStore {
	/** Name in messages, without secrets. */
	readonly name: string;
	/** Returns an object. */
	read(key: string, signal?: AbortSignal): Promise<StoredObject>;
	/**
	 * Replaces an object at once: readers see the old or the new one.
	 *
	 * `tag` is that of `read`, for stores without locks: if the object has another one, it
	 * waits for a moment and returns false. Undefined: in any case.
	 */
	replace(
		key: string,
		bytes: Uint8Array<ArrayBuffer>,
		tag: string | undefined,
	): Promise<boolean>;
	/** Removes an object if it exists. */
	remove(key: string): Promise<void>;
	/** Returns the objects below `path/`, those of its subfolders included. */
	list?(path: string): Promise<readonly ListedObject[]>;
	/**
	 * Waits for a lock on a name within an array ("": the array). Returns the function that
	 * releases it. Locks must also end with the page or process that holds them.
	 */
	lock?(array: string, name: string, exclusive: boolean): Promise<() => void>;
}

/** Returns the last name of a path. */
export function lastName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Waits for a lock of this origin, or of this process. An array has one name whichever
 * folder around it is opened; arrays that share the name wait for each other.
 */
export function lockArray(
	root: string,
	array: string,
	name: string,
	exclusive: boolean,
): Promise<() => void> {
	const own = `bevscope array ${lastName(array || root)}: ${name}`;
	return holdLock(own, exclusive ? "exclusive" : "shared");
}
