import { isDocument } from "./document.js";
import type { Job } from "./fetch-job.js";
import type { FetchSettings } from "./fetch-options.js";

export interface RequestSettings
	extends Pick<FetchSettings, "headers" | "credentials"> {
	readonly ranged: boolean;
	/** Whether it is cross-origin: a conditional request costs a preflight there. */
	readonly isForeign: boolean;
	/** Whether the bytes read before were damaged. */
	readonly isDamaged: boolean;
}

/** Returns the request that a job sends. */
export function requestOf(
	{ key, known, range, fresh }: Job,
	{
		ranged,
		isForeign,
		isDamaged,
		credentials = "same-origin",
		...given
	}: RequestSettings,
): RequestInit {
	const headers = new Headers(given.headers);
	const part = ranged && range !== undefined;
	if (part) headers.set("Range", `bytes=${range.begin}-${range.end - 1}`);
	const { etag, modified } = (!isForeign && known) || {};
	if (etag) headers.set("If-None-Match", etag);
	if (modified) headers.set("If-Modified-Since", modified);
	// In a browser's cache, concurrent ranges of one object wait for each other.
	if (part || fresh || known) {
		return {
			headers,
			credentials,
			cache: "no-store",
			...(known && { method: "HEAD" }),
		};
	}
	if (isDamaged) return { headers, credentials, cache: "reload" };
	// Stale documents would not describe the chunks that are there now.
	return { headers, credentials, ...(isDocument(key) && { cache: "no-cache" }) };
}
