/** A half-open range: bytes `begin` to `end - 1`. */
export interface ByteRange {
	/** Offset of the first byte. */
	readonly begin: number;
	/** Offset after the last byte. */
	readonly end: number;
}

/** Options of a read. */
export interface ReadOptions {
	/** Byte range to read. Default: the whole object. */
	range?: ByteRange | undefined;
	/** Aborts the read. */
	signal?: AbortSignal | undefined;
	/**
	 * False if the key may be absent; an unreadable response is then not necessarily an
	 * outage. Default true. A source may ignore it.
	 */
	required?: boolean | undefined;
}

/** Where an object was looked for that is absent. */
export interface Absence {
	/** URL of the request, or of the file. */
	readonly url: string;
	/** HTTP status of the response. */
	readonly status?: number | undefined;
}

/** A pending retry after a wait that the server requested. */
export interface Waiting {
	/** Key of the delayed request. */
	readonly key: string;
	/** Total duration of the wait. */
	readonly seconds: number;
	/** End of the wait, in milliseconds since 1970. */
	readonly until: number;
}

/**
 * Reads objects by key. This is the only interface to networks and disks, and thus the
 * only one that tests have to fake.
 */
export interface Source {
	/**
	 * Returns the object `key`, or a range of it, cut at the object's end; `undefined` if
	 * the object is absent. Every other failure rejects.
	 */
	read(key: string, options?: ReadOptions): Promise<Uint8Array | undefined>;
	/**
	 * Returns an object's length; `undefined` if it is absent or its length is unknown.
	 * Without this method, an object is read whole when only its end is needed.
	 */
	size?(key: string, signal?: AbortSignal): Promise<number | undefined>;
	/**
	 * Returns an object's CRC-32 if it is known without reading the object, as in archives;
	 * `undefined` if the object is absent.
	 */
	checksum?(key: string, signal?: AbortSignal): Promise<number | undefined>;
	/** Recycles the memory of a read whose bytes are no longer used. */
	recycle?(bytes: Uint8Array): void;
	/** Drops cached bytes of an object: they were damaged and must be fetched again. */
	forget?(key: string): void;
	/** Returns a server's last answer that an object is absent, if it is known. */
	absence?(key: string): Absence | undefined;
	/** Optional keys whose read failed and which are treated as absent. */
	readonly presumedAbsent?: readonly string[];
	/** Bytes read from the persistent cache instead of the network. */
	readonly cachedBytes?: number;
	/** The longest wait in progress that a server requested. */
	readonly waiting?: Waiting | undefined;
	/** Calls `listener` when `waiting` changes; returns a function that removes it. */
	onWaiting?(listener: () => void): () => void;
}

/** Returns `range` of `whole`, cut at its end. Shares memory. */
export function slice(whole: Uint8Array, range: ByteRange | undefined): Uint8Array {
	return range ? whole.subarray(range.begin, range.end) : whole;
}

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
