import type { AbortOptions } from "../../api.js";
import { unlessAborted } from "../../source/unless-aborted.js";

/**
 * Returns a function that reads once for all callers. A caller that aborts ends its own
 * waiting alone; after an error, the next caller reads again.
 */
export function sharedRead<T>(
	read: () => Promise<T>,
): (options: AbortOptions) => Promise<T> {
	let reading: Promise<T> | undefined;
	return async ({ signal }) => {
		signal?.throwIfAborted();
		reading ??= read().catch((error: unknown) => {
			reading = undefined;
			throw error;
		});
		return unlessAborted(reading, signal);
	};
}
