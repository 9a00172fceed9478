import type { ByteRange } from "./source.js";

/** How a 206 response relates to the requested range. */
export type PartialVerdict =
	| { readonly kind: "good" }
	/**
	 * Shorter than requested, without a readable Content-Range to show that the object
	 * ends there.
	 */
	| { readonly kind: "unclear" }
	| { readonly kind: "wrong"; readonly found: string };

/**
 * Checks a body of `length` bytes with status 206. Other origins hide Content-Range
 * unless they expose it; then only the exact length is proof.
 */
export function judgePartial(
	range: ByteRange,
	length: number,
	contentRange: string | null,
): PartialVerdict {
	const asked = range.end - range.begin;
	if (contentRange === null) {
		if (length === asked) return { kind: "good" };
		if (length < asked) return { kind: "unclear" };
		return { kind: "wrong", found: `${length} bytes` };
	}
	const found = `Content-Range "${contentRange}" with ${length} bytes`;
	const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange);
	if (!match) return { kind: "wrong", found };
	const [begin, end] = [Number(match[1]), Number(match[2]) + 1];
	const atEnd = match[3] !== "*" && Number(match[3]) === end;
	const fits = begin === range.begin && end - begin === length;
	const complete = end === range.end || (end < range.end && atEnd);
	return fits && complete ? { kind: "good" } : { kind: "wrong", found };
}
