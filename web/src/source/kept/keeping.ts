import { FetchSource } from "../fetch-source.js";
import type { Source } from "../source.js";
import { CacheShelf } from "./cache-shelf.js";
import { KeptSource } from "./kept-source.js";
import { OpfsShelf } from "./opfs-shelf.js";
import type { Shelf } from "./shelf.js";

/** Opens the best storage of this thread; undefined if there is none. */
export async function openShelf(): Promise<Shelf | undefined> {
	return (await OpfsShelf.open()) ?? (await CacheShelf.open());
}

/**
 * Adds a persistent cache of `limit` bytes to `source`. Returns `source` itself without
 * a limit, or if it does not read URLs.
 */
export function keeping(source: Source, limit: number | undefined): Source {
	const keeps = limit !== undefined && source instanceof FetchSource;
	return keeps ? new KeptSource(source, openShelf, limit) : source;
}
