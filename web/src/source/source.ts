/** Half open: bytes `begin` to `end - 1`. */
export interface ByteRange {
	readonly begin: number;
	readonly end: number;
}

export interface ReadOptions {
	/** Only these bytes of the object; all of it when not given. */
	range?: ByteRange | undefined;
	signal?: AbortSignal | undefined;
	/**
	 * False where the data set may well do without the key; an unreadable answer then need
	 * not be an outage. Default true. A source may ignore it.
	 */
	required?: boolean | undefined;
}

/** A request that is to be sent again later, as the server asked for. */
export interface Waiting {
	readonly key: string;
	/** How long the wait is in all. */
	readonly seconds: number;
	/** When it ends, in milliseconds since 1970. */
	readonly until: number;
}

/**
 * Where bytes come from. The one interface that touches a network or a disk, and so the
 * only thing a test has to fake.
 */
export interface Source {
	/**
	 * The object under `key`, or the range of it asked for, cut at the object's end;
	 * `undefined` where there is no such object. Every other failure rejects.
	 */
	read(key: string, options?: ReadOptions): Promise<Uint8Array | undefined>;
	/**
	 * Bytes of the object under `key`; `undefined` where there is none, or no telling. A
	 * source without this is read whole where only the end of an object is wanted.
	 */
	size?(key: string, signal?: AbortSignal): Promise<number | undefined>;
	/** Takes back the memory of what it has read, when nobody looks at that any more. */
	recycle?(bytes: Uint8Array): void;
	/** Drops what is held of the object: its bytes were damaged, and are to be fetched again. */
	forget?(key: string): void;
	/** Optional keys whose answer could not be read and was taken for absence. */
	readonly presumedAbsent?: readonly string[];
	/** Bytes that were kept from an earlier visit and did not have to be fetched. */
	readonly keptBytes?: number;
	/** The longest wait under way that a server asked for. */
	readonly waiting?: Waiting | undefined;
	/** Calls `listener` when `waiting` changes; returns what ends that. */
	onWaiting?(listener: () => void): () => void;
}

/** `range` of `whole`, cut at its end. Shares memory. */
export function slice(whole: Uint8Array, range: ByteRange | undefined): Uint8Array {
	return range ? whole.subarray(range.begin, range.end) : whole;
}
