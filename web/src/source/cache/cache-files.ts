import { isFull, type Storage } from "./storage.js";

/**
 * Fraction of the limit that may be written between two listings of the files.
 * Evictions free this fraction; other pages exceed the limit by at most this fraction.
 */
const STEP = 0.1;

/**
 * Files in the browser's storage, within a limit. Writes are queued and not awaited by
 * readers. Storage may fail at any time: an unreadable file counts as absent, and a
 * failed write is dropped.
 */
export class CacheFiles {
	readonly #storage: Storage;
	readonly #limit: number;
	/** Sizes by name, oldest first; undefined before the first write. */
	#sizes: Map<string, number> | undefined;
	/** Bytes written since the files were listed. */
	#written = 0;
	#writing: Promise<unknown> = Promise.resolve();
	#full = false;

	constructor(storage: Storage, limit: number) {
		this.#storage = storage;
		this.#limit = limit;
	}

	/**
	 * Runs `work` on a file and returns its result. Returns undefined if the file does
	 * not exist, or if it disappears during `work`.
	 */
	async use<T>(name: string, work: (file: Blob) => Promise<T>): Promise<T | undefined> {
		try {
			const file = await this.#storage.read(name);
			return file && (await work(file));
		} catch {
			return undefined;
		}
	}

	/** Queues an append; calls `written` with the offset in the file when it is done. */
	append(
		name: string,
		bytes: Uint8Array<ArrayBuffer>,
		written: (at: number) => unknown,
	): void {
		this.#queue(async () => {
			if (this.#full || !(await this.#makeRoom(name, bytes.length))) return;
			const at = await this.#storage.append(name, bytes);
			if (at === undefined) return;
			this.#sizes?.set(name, at + bytes.length);
			this.#written += bytes.length;
			await written(at);
		});
	}

	remove(name: string): void {
		this.#queue(async () => {
			await this.#storage.remove(name);
			this.#sizes?.delete(name);
		});
	}

	/** Resolves when all queued writes have ended. */
	async settled(): Promise<void> {
		await this.#writing;
	}

	#queue(work: () => Promise<void>): void {
		this.#writing = this.#writing.then(work).catch((error) => {
			this.#full ||= isFull(error);
		});
	}

	/** Lists the files again: other pages also write and remove files. */
	async #list(): Promise<Map<string, number>> {
		const files = await this.#storage.list();
		const oldest = files.sort((a, b) => a.modified - b.modified);
		this.#written = 0;
		this.#sizes = new Map(oldest.map(({ name, size }) => [name, size]));
		return this.#sizes;
	}

	/** Evicts the oldest other files if `bytes` more would exceed the limit. */
	async #makeRoom(name: string, bytes: number): Promise<boolean> {
		if (bytes > this.#limit) return false;
		const listed = this.#written <= this.#limit * STEP ? this.#sizes : undefined;
		if (listed && total(listed) + bytes <= this.#limit) return true;
		const sizes = await this.#list();
		if ((sizes.get(name) ?? 0) + bytes > this.#limit) return false;
		let used = total(sizes) + bytes;
		if (used <= this.#limit) return true;
		for (const [other, size] of sizes) {
			if (used <= this.#limit * (1 - STEP)) break;
			if (other === name || !(await this.#evict(other))) continue;
			sizes.delete(other);
			used -= size;
		}
		return used <= this.#limit;
	}

	/** Removes a file. Returns false if another page is using it. */
	async #evict(name: string): Promise<boolean> {
		try {
			await this.#storage.remove(name);
			return true;
		} catch {
			return false;
		}
	}
}

function total(sizes: ReadonlyMap<string, number>): number {
	let sum = 0;
	for (const size of sizes.values()) sum += size;
	return sum;
}
