import { isFull, type Shelf } from "./shelf.js";

/** A shelf within a limit, written to when nobody waits for it. */
export class KeptFiles {
	readonly #shelf: Shelf;
	readonly #limit: number;
	/** Sizes by name, oldest first, once something was to be written. */
	#sizes: Promise<Map<string, number>> | undefined;
	#writing: Promise<unknown> = Promise.resolve();
	#full = false;

	constructor(shelf: Shelf, limit: number) {
		this.#shelf = shelf;
		this.#limit = limit;
	}

	/** What storage refuses is as good as absent: it can be fetched. */
	async read(name: string): Promise<Blob | undefined> {
		return this.#shelf.read(name).catch(() => undefined);
	}

	/** Calls `written` with the place in the file, later, if it comes to that. */
	append(
		name: string,
		bytes: Uint8Array<ArrayBuffer>,
		written: (at: number) => void,
	): void {
		this.#queue(async () => {
			if (this.#full || !(await this.#makeRoom(name, bytes.length))) return;
			const at = await this.#shelf.append(name, bytes);
			if (at === undefined) return;
			(await this.#known()).set(name, at + bytes.length);
			written(at);
		});
	}

	remove(name: string): void {
		this.#queue(async () => {
			await this.#shelf.remove(name);
			(await this.#known()).delete(name);
		});
	}

	/** Resolves when all that was asked for is done. */
	async settled(): Promise<void> {
		await this.#writing;
	}

	#queue(work: () => Promise<void>): void {
		this.#writing = this.#writing.then(work).catch((error) => {
			// Keeping is a convenience: without room, or storage, reads go on as without it.
			this.#full ||= isFull(error);
		});
	}

	#known(): Promise<Map<string, number>> {
		this.#sizes ??= this.#shelf.list().then((files) => {
			const oldest = files.sort((a, b) => a.modified - b.modified);
			return new Map(oldest.map(({ name, size }) => [name, size]));
		});
		return this.#sizes;
	}

	/** Removes other files, those written to longest ago first, until `bytes` fit. */
	async #makeRoom(name: string, bytes: number): Promise<boolean> {
		const sizes = await this.#known();
		let used = bytes;
		for (const size of sizes.values()) used += size;
		for (const [other, size] of sizes) {
			if (used <= this.#limit) break;
			if (other === name) continue;
			await this.#shelf.remove(other);
			sizes.delete(other);
			used -= size;
		}
		return used <= this.#limit;
	}
}
