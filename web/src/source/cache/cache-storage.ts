import { locked, STORAGE_NAME, type Storage, type StoredFile } from "./storage.js";

/** URL prefix of cache keys; never requested from a network. */
const PREFIX = "/.bevscope/";
const SIZE = "X-Size";
const MODIFIED = "X-Modified";

/**
 * Storage in the Cache API, which can only replace whole files. Available on every
 * thread of secure contexts.
 */
export class CacheStorage implements Storage {
	readonly #name: string;

	private constructor(name: string) {
		this.#name = name;
	}

	/**
	 * Returns undefined if the API is not available.
	 *
	 * @param name of the cache
	 */
	static async open(name = STORAGE_NAME): Promise<CacheStorage | undefined> {
		try {
			await globalThis.caches?.open(name);
			return globalThis.caches && new CacheStorage(name);
		} catch {
			return undefined; // for example, a sandboxed frame
		}
	}

	async read(name: string): Promise<Blob | undefined> {
		return (await (await this.#open()).match(PREFIX + name))?.blob();
	}

	/** Rewrites the whole file, because the API cannot append. */
	append(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
		return locked("shared", async () => {
			const before = await this.read(name);
			const size = before?.size ?? 0;
			const headers = {
				[SIZE]: String(size + bytes.length),
				[MODIFIED]: String(Date.now()),
			};
			const file = new Blob(before ? [before, bytes] : [bytes]);
			await (await this.#open()).put(PREFIX + name, new Response(file, { headers }));
			return size;
		});
	}

	async remove(name: string): Promise<void> {
		await (await this.#open()).delete(PREFIX + name);
	}

	async list(): Promise<StoredFile[]> {
		const cache = await this.#open();
		const found: StoredFile[] = [];
		for (const request of await cache.keys()) {
			const headers = (await cache.match(request))?.headers;
			if (!headers) continue; // removed by another page
			const name = request.url.slice(request.url.lastIndexOf("/") + 1);
			const [size, modified] = [SIZE, MODIFIED].map(
				(field) => Number(headers.get(field)) || 0,
			);
			found.push({ name, size: size ?? 0, modified: modified ?? 0 });
		}
		return found;
	}

	/**
	 * Opens the cache for each use: writes to a cache that was deleted meanwhile are lost.
	 */
	#open(): Promise<Cache> {
		return globalThis.caches.open(this.#name);
	}
}
