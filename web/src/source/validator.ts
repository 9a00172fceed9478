/** What tells one state of an object from another, as far as a server lets it be seen. */
export interface Validator {
	readonly etag?: string | undefined;
	/** As `Last-Modified` has it. */
	readonly modified?: string | undefined;
	/** Bytes of the whole object. */
	readonly length?: number | undefined;
}

export type Comparison = "same" | "changed" | "unknown";

/** What an answer says of its object; `length` of the body counts where it is the whole. */
export function validatorOf(
	{ headers, status }: Pick<Response, "headers" | "status">,
	length: number | undefined,
): Validator {
	const etag = headers.get("ETag");
	const modified = headers.get("Last-Modified");
	const of = /\/(\d+)$/.exec(headers.get("Content-Range") ?? "")?.[1];
	const whole = status === 206 ? of && Number(of) : length;
	return {
		...(etag && { etag: bare(etag) }),
		...(modified && { modified }),
		...(typeof whole === "number" && { length: whole }),
	};
}

/**
 * Whether two answers are of one state of an object. A length proves a change only; that
 * two are equal says nothing.
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

/** For messages: how `seen` differs from `known`, e.g. `ETag "b", was ETag "a"`. */
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

/** Servers that compress mark the ETag as weak or put the coding's name behind it. */
function bare(etag: string): string {
	return etag.replace(/^W\//, "").replace(/[-;:]+(gzip|br|zstd|deflate|df)"$/, '"');
}
