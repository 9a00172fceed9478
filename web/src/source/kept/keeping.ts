import { FetchSource } from "../fetch-source.js";
import type { Source } from "../source.js";
import { CacheShelf } from "./cache-shelf.js";
import { KeptSource } from "./kept-source.js";
import { OpfsShelf } from "./opfs-shelf.js";
import { isNamed, locked, SHELF_NAME, type Shelf } from "./shelf.js";

/** The best that this thread has; undefined where nothing can be kept. */
export async function openShelf(): Promise<Shelf | undefined> {
	return (await OpfsShelf.open()) ?? (await CacheShelf.open());
}

/** `source`, what it reads kept within `limit` bytes; as it is without, or if not of URLs. */
export function keeping(source: Source, limit: number | undefined): Source {
	const keeps = limit !== undefined && source instanceof FetchSource;
	return keeps ? new KeptSource(source, openShelf, limit) : source;
}

/**
 * Removes what data sets opened with `cache: { persistent }` have kept on this origin. Waits
 * for writes under way. Data sets that are open read on: what was removed is fetched.
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
