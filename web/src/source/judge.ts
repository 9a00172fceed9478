import { isTransient } from "./retry.js";
import type { ByteRange } from "./source.js";

/**
 * What to do with a response. `denied` is a 403: absence or a missing permission.
 * `ask-whole` asks for the object without a range. `web-page` is a page instead of data.
 */
export type Verdict =
	| "part"
	| "whole"
	| "absent"
	| "denied"
	| "ask-whole"
	| "retry"
	| "web-page"
	| "refused";

export interface Judgement {
	readonly verdict: Verdict;
	/** Describes the problem, unless the status does. */
	readonly problem?: string;
}

/** The properties of a request that its response is judged by. */
export interface Asked {
	readonly range?: ByteRange | undefined;
	readonly forbiddenIsAbsent?: boolean | undefined;
}

interface Answer {
	readonly response: Pick<Response, "status" | "headers">;
	readonly bytes: Uint8Array;
}

/**
 * Judges a response, as native/http/http_policy does: both are tested with
 * tests/vectors/http.json. Only 200 and 206 are success: 204 has no content, 203 was
 * altered on the way. Objects of a server that encodes ranges are read whole.
 */
export function judge(
	answer: Answer,
	{ range, forbiddenIsAbsent = false }: Asked,
): Judgement {
	const { status } = answer.response;
	if (isTransient(status)) return { verdict: "retry" };
	if (status === 404 || (status === 403 && forbiddenIsAbsent)) {
		return { verdict: "absent" };
	}
	if (status === 403) return { verdict: "denied" };
	if (status === 416 && range) return { verdict: "ask-whole" };
	if (status !== 200 && status !== 206) return { verdict: "refused" };
	if (isWebPage(answer)) return { verdict: "web-page" };
	if (status === 200) return { verdict: "whole" };
	if (range) return judgePart(answer, range);
	const problem = "unexpected response (found a range, expected the whole object)";
	return { verdict: "retry", problem };
}

/**
 * Other origins hide Content-Range unless they expose it; then only the exact length is
 * proof.
 */
function judgePart({ response, bytes }: Answer, range: ByteRange): Judgement {
	const { length } = bytes;
	const coding = response.headers.get("Content-Encoding") ?? "";
	if (coding !== "" && coding.toLowerCase() !== "identity") {
		const problem = `server applied Content-Encoding ${coding} to a range request; disable compression for data files`;
		return { verdict: "ask-whole", problem };
	}
	const said = response.headers.get("Content-Range");
	const wanted = range.end - range.begin;
	if (said === null && length < wanted) return { verdict: "ask-whole" };
	if (said === null ? length === wanted : fits(said, length, range)) {
		return { verdict: "part" };
	}
	const header = said === null ? "" : `Content-Range "${said}" with `;
	const expected = `expected bytes ${range.begin}-${range.end - 1}`;
	const problem = `wrong range (found ${header}${length} bytes, ${expected})`;
	return { verdict: "retry", problem };
}

/** Whether a Content-Range agrees with the body and the requested range. */
function fits(said: string, length: number, range: ByteRange): boolean {
	const found = parseContentRange(said);
	if (!found || found.begin !== range.begin) return false;
	const isEnd = found.end < range.end && found.size === found.end;
	return found.end - found.begin === length && (found.end === range.end || isEnd);
}

/**
 * Parses "bytes 0-99/1000"; `end` is exclusive. Undefined if the value is malformed,
 * inconsistent, or too large for exact numbers.
 */
export function parseContentRange(
	text: string,
): (ByteRange & { readonly size?: number }) | undefined {
	const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(text);
	if (!match) return undefined;
	const [begin, end] = [Number(match[1]), Number(match[2]) + 1];
	const size = match[3] === "*" ? undefined : Number(match[3]);
	if (begin >= end || (size !== undefined && size < end)) return undefined;
	if (!Number.isSafeInteger(size ?? end)) return undefined;
	return { begin, end, ...(size !== undefined && { size }) };
}

/**
 * Returns whether a response to a data request is a web page: some servers send their
 * start page or an error page with status 200. The type alone proves nothing, because
 * some servers send every file without an extension as `text/html`.
 */
export function isWebPage({ response, bytes }: Answer): boolean {
	if (!/html/i.test(response.headers.get("Content-Type") ?? "")) return false;
	const head = new TextDecoder().decode(bytes.subarray(0, 256));
	return /^\s*<(!doctype|html|head|body|\?xml|!--)/i.test(head);
}
