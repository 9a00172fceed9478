import type { Job } from "./fetch-job.js";
import type { FetchSettings } from "./fetch-options.js";

export interface RequestSettings
	extends Pick<FetchSettings, "headers" | "credentials"> {
	readonly ranged: boolean;
	/** Of another origin: a conditional request costs a preflight there. */
	readonly isForeign: boolean;
}

/** The request that a job sends. */
export function requestOf(
	{ known, range, fresh }: Job,
	{ ranged, isForeign, credentials = "same-origin", ...given }: RequestSettings,
): RequestInit {
	const headers = new Headers(given.headers);
	const part = ranged && range !== undefined;
	if (part) headers.set("Range", `bytes=${range.begin}-${range.end - 1}`);
	const { etag, modified } = (!isForeign && known) || {};
	if (etag) headers.set("If-None-Match", etag);
	if (modified) headers.set("If-Modified-Since", modified);
	// Through a browser's own cache, ranges of one object wait for each other.
	const uncached = (part || fresh || known) && ({ cache: "no-store" } as const);
	return { headers, credentials, ...uncached, ...(known && { method: "HEAD" }) };
}
