import type { Fetch } from "./http.js";
import type { RetryPolicy } from "./retry.js";

/** Options that can be sent to a worker. */
export interface FetchSettings {
	/** Headers sent with each request. */
	headers?: Readonly<Record<string, string>> | undefined;
	/** As in `fetch`. */
	credentials?: RequestCredentials | undefined;
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
