import { SHELF_NAME, type Shelf, type Shelved } from "./shelf.js";

/** Never asked for over a network: only a key of the cache. */
const PREFIX = "/.bevscope/";
const SIZE = "X-Size";
const MODIFIED = "X-Modified";

/** The Cache API, which replaces files as a whole; on every thread of secure contexts. */
export class CacheShelf implements Shelf {
	readonly #cache: Cache;

	private constructor(cache: Cache) {
		this.#cache = cache;
	}

	/** Undefined where there is none. */
	static async open(): Promise<CacheShelf | undefined> {
		try {
			const cache = await globalThis.caches?.open(SHELF_NAME);
			return cache && new CacheShelf(cache);
		} catch {
			return undefined; // a sandboxed frame, say
		}
	}

	async read(name: string): Promise<Blob | undefined> {
		return (await this.#cache.match(PREFIX + name))?.blob();
	}

	async append(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
		const before = await this.read(name);
		const size = before?.size ?? 0;
		const headers = {
			[SIZE]: String(size + bytes.length),
			[MODIFIED]: String(Date.now()),
		};
		const file = new Blob(before ? [before, bytes] : [bytes]);
		await this.#cache.put(PREFIX + name, new Response(file, { headers }));
		return size;
	}

	async remove(name: string): Promise<void> {
		await this.#cache.delete(PREFIX + name);
	}

	async list(): Promise<Shelved[]> {
		const found: Shelved[] = [];
		for (const request of await this.#cache.keys()) {
			const headers = (await this.#cache.match(request))?.headers;
			const name = request.url.slice(request.url.lastIndexOf("/") + 1);
			const [size, modified] = [headers?.get(SIZE), headers?.get(MODIFIED)];
			found.push({ name, size: Number(size), modified: Number(modified) });
		}
		return found;
	}
}
