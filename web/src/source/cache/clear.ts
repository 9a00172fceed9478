import { isNamed, locked, STORAGE_NAME } from "./storage.js";

/**
 * Clears the persistent cache of this origin (see `cache: { persistent }`). Waits for
 * writes in progress. Open data sets continue and fetch what was removed.
 */
export async function clearPersistentCache(): Promise<void> {
	await locked("exclusive", async () => {
		await globalThis.caches?.delete(STORAGE_NAME);
		try {
			const root = await globalThis.navigator?.storage?.getDirectory?.();
			await root?.removeEntry(STORAGE_NAME, { recursive: true });
		} catch (error) {
			if (!isNamed(error, "NotFoundError")) throw error;
		}
	});
}
