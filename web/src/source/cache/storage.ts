/** A file in storage. */
export interface StoredFile {
	readonly name: string;
	readonly size: number;
	/** Time of the last append, in milliseconds since 1970. */
	readonly modified: number;
}

/**
 * Files that outlive the page, shared by all pages of an origin. Other pages may append
 * to or remove a file at any time.
 */
export interface Storage {
	/** Returns the current file, or undefined if it does not exist. */
	read(name: string): Promise<Blob | undefined>;
	/**
	 * Appends; returns the offset of the appended bytes. Returns undefined if another
	 * page is writing. If storage is full, rejects with a QuotaExceededError and appends
	 * nothing.
	 */
	append(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<number | undefined>;
	remove(name: string): Promise<void>;
	list(): Promise<StoredFile[]>;
}

/** Name of the package's folder or cache, in either storage. */
export const STORAGE_NAME = "bevscope-1";

/** Name of the cache of facts. */
export const FACTS_NAME = "bevscope-facts-1";

/** Whether storage is full, or has less space than requested. */
export function isFull(error: unknown): boolean {
	return isNamed(error, "QuotaExceededError");
}

/**
 * Runs `work` under a lock that is shared by all pages of the origin, if the browser
 * has locks. Who writes or removes a file holds it in mode `shared`; clearing the storage
 * requires `exclusive`, so that no file is in use.
 */
export async function locked<T>(
	mode: "exclusive" | "shared",
	work: () => Promise<T>,
): Promise<T> {
	const locks = globalThis.navigator?.locks;
	return locks ? await locks.request(STORAGE_NAME, { mode }, work) : work();
}

/** Whether `error` is a DOMException named `name`. */
export function isNamed(error: unknown, name: string): boolean {
	return (error as { name?: unknown } | null)?.name === name;
}

/**
 * Clears the persistent cache of this origin (see `cache: { persistent }`), and kept
 * facts (see `ChunkedDataset.facts`). Waits for writes in progress. Open data sets continue
 * and fetch what was removed.
 */
export async function clearPersistentCache(): Promise<void> {
	await locked("exclusive", async () => {
		await globalThis.caches?.delete(STORAGE_NAME);
		await globalThis.caches?.delete(FACTS_NAME);
		try {
			const root = await globalThis.navigator?.storage?.getDirectory?.();
			await root?.removeEntry(STORAGE_NAME, { recursive: true });
		} catch (error) {
			if (!isNamed(error, "NotFoundError")) throw error;
		}
	});
}
