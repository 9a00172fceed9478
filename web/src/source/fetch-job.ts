import type { BevError } from "../base/errors.js";
import { MAX_DOCUMENT_BYTES } from "./document.js";
import type { Fetch } from "./http.js";
import type { RetryPolicy } from "./retry.js";
import { type ByteRange, type ReadOptions, slice } from "./source.js";
import type { Validator } from "./validator.js";

/** Options that can be sent to a worker. */
export interface FetchSettings {
	/** Headers sent with each request. */
	headers?: Readonly<Record<string, string>> | undefined;
	/** As in `fetch`. */
	credentials?: "omit" | "same-origin" | "include" | undefined;
	/**
	 * Treat 403 as "not found". Object stores return 403 for missing keys when listing is
	 * denied.
	 */
	forbiddenIsAbsent?: boolean | undefined;
	/** How temporary failures are retried. */
	retry?: Partial<RetryPolicy> | undefined;
	/**
	 * Maximum time without data, before the response or between two pieces of it. Default
	 * 30 s.
	 */
	timeoutMs?: number | undefined;
	/** Maximum object size in bytes. Default 2 GiB; for metadata documents 64 MiB. */
	maxBytes?: number | undefined;
	/** URLs of objects that are not at the source's URL followed by their key. */
	addresses?: Readonly<Record<string, string>> | undefined;
}

/** Options of a `FetchSource`. */
export interface FetchSourceOptions extends FetchSettings {
	/**
	 * Replaces the global `fetch`; reads then run on the thread that created the source.
	 */
	fetch?: Fetch | undefined;
}

/** Options of a read of a `FetchSource`. */
export interface FetchReadOptions extends ReadOptions {
	/** Called with the object's state according to the response, unless it is absent. */
	onState?: ((state: Validator) => void) | undefined;
}

/** A read of a FetchSource. */
export interface Job {
	readonly key: string;
	readonly url: URL;
	readonly range: ByteRange | undefined;
	readonly signal: AbortSignal | undefined;
	readonly required: boolean;
	/** If set, the job only checks whether the object still has this state. */
	readonly known?: Validator | undefined;
	/** Whether to bypass all caches. */
	readonly fresh?: boolean | undefined;
	/** HTTP status of the response that is judged. */
	readonly status?: number;
}

/** How a request is sent. */
export interface Sending {
	readonly ranged: boolean;
	/** Maximum length of the body in bytes. */
	readonly limit: number;
	/** Whether another attempt may read a body above the limit. */
	readonly isTrial?: boolean;
}

/** A failure that may be temporary. */
export class Transient {
	constructor(
		readonly error: BevError,
		readonly retryAfter: string | null = null,
		/** Whether no response was visible: another origin may hide a 404 in this way. */
		readonly isOpaque = false,
	) {}
}

/** Bytes, and the state of their object according to the response. */
export interface Tagged {
	readonly bytes: Uint8Array;
	readonly validator: Validator;
}

/** Result of an attempt; undefined means absent. */
export type Outcome = Tagged | undefined | Transient;

/** Sending options of small requests other than data. */
export const WHOLE: Sending = { ranged: false, limit: MAX_DOCUMENT_BYTES };

/**
 * Extra bytes of a partial response that are read, so that an error can report its
 * length.
 */
export const SLACK = 2 ** 16;

/** Copies `range` out of a whole object. */
export function cut({ bytes, validator }: Tagged, range: ByteRange): Tagged {
	return { bytes: slice(bytes, range).slice(), validator };
}
