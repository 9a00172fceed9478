import { FetchSource } from "../fetch-source.js";
import type { Source } from "../source.js";
import { CacheStorage } from "./cache-storage.js";
import { CachedSource } from "./cached-source.js";
import { OpfsStorage } from "./opfs-storage.js";
import type { Storage } from "./storage.js";

/** Opens the best storage of this thread; undefined if there is none. */
export async function openStorage(): Promise<Storage | undefined> {
	return (await OpfsStorage.open()) ?? (await CacheStorage.open());
}

/**
 * Adds a persistent cache of `limit` bytes to `source`. Returns `source` itself without
 * a limit, or if it does not read URLs.
 */
export function withCache(source: Source, limit: number | undefined): Source {
	const keeps = limit !== undefined && source instanceof FetchSource;
	return keeps ? new CachedSource(source, openStorage, limit) : source;
}
