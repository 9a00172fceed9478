import { parseContentRange } from "./judge.js";

/** Identifies an object's state, as far as the server exposes it. */
export interface Validator {
	readonly etag?: string | undefined;
	/** Value of `Last-Modified`. */
	readonly modified?: string | undefined;
	/** Length of the whole object in bytes. */
	readonly length?: number | undefined;
}

export type Comparison = "same" | "changed" | "unknown";

/**
 * Returns the object's state from a response. `length` is the body's and is used if the
 * body is the whole object.
 */
export function validatorOf(
	{ headers, status }: Pick<Response, "headers" | "status">,
	length: number | undefined,
): Validator {
	const etag = headers.get("ETag");
	const modified = headers.get("Last-Modified");
	const range = parseContentRange(headers.get("Content-Range") ?? "");
	const whole = status === 206 ? range?.size : length;
	return {
		...(etag && { etag: bare(etag) }),
		...(modified && { modified }),
		...(whole !== undefined && { length: whole }),
	};
}

/**
 * Compares two states of an object. Different lengths prove a change; equal lengths
 * prove nothing.
 */
export function compare(known: Validator, seen: Validator): Comparison {
	const lengths = known.length !== undefined && seen.length !== undefined;
	if (lengths && known.length !== seen.length) return "changed";
	for (const name of ["etag", "modified"] as const) {
		if (known[name] === undefined || seen[name] === undefined) continue;
		return known[name] === seen[name] ? "same" : "changed";
	}
	return "unknown";
}

/** Describes how `seen` differs from `known`, e.g. `ETag "b", was ETag "a"`. */
export function difference(known: Validator, seen: Validator): string {
	if (known.length !== undefined && seen.length !== undefined) {
		if (known.length !== seen.length)
			return `${seen.length} bytes, was ${known.length} bytes`;
	}
	if (known.etag !== undefined && seen.etag !== undefined) {
		return `ETag ${seen.etag}, was ETag ${known.etag}`;
	}
	return `Last-Modified ${seen.modified}, was ${known.modified}`;
}

/** A contradiction between two responses about one object. */
export interface Contradiction {
	/** Whether the object has changed; otherwise its reported lengths differ. */
	readonly isChange: boolean;
	/** The difference, for messages. */
	readonly how: string;
}

/** What responses have reported about objects, by key. */
export class KnownValidators {
	/** States of objects when their bytes were read. */
	readonly #states = new Map<string, Validator>();
	/** Lengths reported by HEAD. */
	readonly #sizes = new Map<string, number>();

	/** Returns an object's length, if known. */
	length(key: string): number | undefined {
		return this.#states.get(key)?.length ?? this.#sizes.get(key);
	}

	/** Records a length reported by HEAD. */
	noteLength(key: string, length: number): void {
		this.#sizes.set(key, length);
	}

	/** Records a state; returns the contradiction to an earlier one, if any. */
	note(key: string, seen: Validator): Contradiction | undefined {
		const found = this.#contradiction(key, seen);
		if (!found) this.#states.set(key, { ...this.#states.get(key), ...seen });
		return found;
	}

	/**
	 * Like `note`, for an object read whole. Does not record its length: after a truncated
	 * body, the full one would look like a change.
	 */
	noteWhole(key: string, seen: Validator): Contradiction | undefined {
		const found = this.#contradiction(key, seen);
		const known = this.#states.get(key);
		if (!found) this.#states.set(key, { ...known, ...seen, length: known?.length });
		return found;
	}

	#contradiction(key: string, seen: Validator): Contradiction | undefined {
		const known = this.#states.get(key);
		if (known && compare(known, seen) === "changed") {
			return { isChange: true, how: difference(known, seen) };
		}
		const said = this.#sizes.get(key);
		if (said === undefined || seen.length === undefined || said === seen.length) {
			return undefined;
		}
		this.#sizes.delete(key);
		return { isChange: false, how: `HEAD ${said}, GET ${seen.length} bytes` };
	}
}

/**
 * Normalizes an ETag: servers that compress mark it as weak or append the coding's
 * name.
 */
function bare(etag: string): string {
	return etag.replace(/^W\//, "").replace(/[-;:]+(gzip|br|zstd|deflate|df)"$/, '"');
}

/**
 * Returns a 53-bit hash of the bytes, made of two multiplicative hashes, the second
 * mixed with the first. Not collision-resistant against deliberate input.
 */
export function hash(bytes: Uint8Array): number {
	let [low, high] = [0x811c9dc5, bytes.length];
	for (const byte of bytes) {
		low = Math.imul(low ^ byte, 0x01000193);
		high = Math.imul(high ^ (low >>> 15), 0x85ebca6b);
	}
	return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}

export function hashOfText(text: string): number {
	return hash(new TextEncoder().encode(text));
}
