import type { Fetch } from "./http.js";
import type { RetryPolicy } from "./retry.js";

/** Options that can cross to a worker. */
export interface FetchSettings {
	headers?: Readonly<Record<string, string>> | undefined;
	credentials?: RequestCredentials | undefined;
	/** Takes 403 for absence: object stores answer so where listing is not allowed. */
	forbiddenIsAbsent?: boolean | undefined;
	retry?: Partial<RetryPolicy> | undefined;
	/** Longest silence, before an answer or between two pieces of it. Default 30 s. */
	timeoutMs?: number | undefined;
	/** Longest object accepted, in bytes. Default 2 GiB; metadata documents 64 MiB. */
	maxBytes?: number | undefined;
	/** Addresses of objects that are not at the URL, a slash and their key. */
	addresses?: Readonly<Record<string, string>> | undefined;
}

export interface FetchSourceOptions extends FetchSettings {
	/** In place of the global `fetch`; the reads then happen where it was made. */
	fetch?: Fetch | undefined;
}
