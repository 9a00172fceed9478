import type { BevError } from "../errors.js";
import type { ByteRange } from "./source.js";
import type { Validator } from "./validator.js";

/** What a source of fetches has been asked. */
export interface Job {
	readonly key: string;
	readonly url: URL;
	readonly range: ByteRange | undefined;
	readonly signal: AbortSignal | undefined;
	readonly required: boolean;
	/** Where only this is asked: whether the object is as it was. */
	readonly known?: Validator;
}

/** A failure that may pass. */
export class Transient {
	constructor(
		readonly error: BevError,
		readonly retryAfter: string | null = null,
	) {}
}

/** Bytes, and what the answer said of their object. */
export interface Tagged {
	readonly bytes: Uint8Array;
	readonly validator: Validator;
}

/** What one attempt ends in; undefined is absence. */
export type Outcome = Tagged | undefined | Transient;
