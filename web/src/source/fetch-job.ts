import type { BevError } from "../errors.js";
import { MAX_DOCUMENT_BYTES } from "./document.js";
import { type ByteRange, slice } from "./source.js";
import type { Validator } from "./validator.js";

/** What a source of fetches has been asked. */
export interface Job {
	readonly key: string;
	readonly url: URL;
	readonly range: ByteRange | undefined;
	readonly signal: AbortSignal | undefined;
	readonly required: boolean;
	/** Set where only this is asked: whether the object is as it was. */
	readonly known?: Validator | undefined;
	/** Past all caches. */
	readonly fresh?: boolean | undefined;
}

/** How a job is sent. */
export interface Sending {
	readonly ranged: boolean;
	/** Most bytes of the body. */
	readonly limit: number;
	/** Whether a body above the limit may be read by another attempt. */
	readonly isTrial?: boolean;
}

/** A failure that may pass. */
export class Transient {
	constructor(
		readonly error: BevError,
		readonly retryAfter: string | null = null,
		/** Whether nothing of the answer could be seen: another origin may hide a 404 so. */
		readonly isOpaque = false,
	) {}
}

/** Bytes, and what the answer said of their object. */
export interface Tagged {
	readonly bytes: Uint8Array;
	readonly validator: Validator;
}

/** What one attempt ends in; undefined is absence. */
export type Outcome = Tagged | undefined | Transient;

/** How small requests beside the data are sent. */
export const WHOLE: Sending = { ranged: false, limit: MAX_DOCUMENT_BYTES };

/** Bytes more than asked for that are read of a part, to say how wrong it is. */
export const SLACK = 2 ** 16;

/** `range` of a whole object, in memory of its own. */
export function cut({ bytes, validator }: Tagged, range: ByteRange): Tagged {
	return { bytes: slice(bytes, range).slice(), validator };
}
