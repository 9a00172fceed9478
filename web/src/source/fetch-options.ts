import type { Fetch } from "./http.js";
import type { RetryPolicy } from "./retry.js";

/** Options that can cross to a worker. */
export interface FetchSettings {
	headers?: Readonly<Record<string, string>> | undefined;
	credentials?: RequestCredentials | undefined;
	/** Takes 403 for absence: object stores answer so where listing is not allowed. */
	forbiddenIsAbsent?: boolean | undefined;
	retry?: Partial<RetryPolicy> | undefined;
	/** To the first byte of an answer. Default 30 s. */
	timeoutMs?: number | undefined;
}

export interface FetchSourceOptions extends FetchSettings {
	/** In place of the global `fetch`; the reads then happen where it was made. */
	fetch?: Fetch | undefined;
}
