import { FetchSource } from "../fetch-source.js";
import type { Source } from "../source.js";
import { CacheShelf } from "./cache-shelf.js";
import { KeptSource } from "./kept-source.js";
import { OpfsShelf } from "./opfs-shelf.js";
import { isNamed, locked, SHELF_NAME, type Shelf } from "./shelf.js";

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

/**
 * Clears the persistent cache of this origin (see `cache: { persistent }`). Waits for
 * writes in progress. Open data sets continue and fetch what was removed.
 */
export async function clearPersistentCache(): Promise<void> {
	await locked("exclusive", async () => {
		await globalThis.caches?.delete(SHELF_NAME);
		try {
			const root = await globalThis.navigator?.storage?.getDirectory?.();
			await root?.removeEntry(SHELF_NAME, { recursive: true });
		} catch (error) {
			if (!isNamed(error, "NotFoundError")) throw error;
		}
	});
}
