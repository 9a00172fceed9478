import type { Storage, StoredFile } from "../../src/source/cache/storage.js";

/** Storage in memory with a capacity of `room` bytes. */
export class MemoryStorage implements Storage {
	readonly files = new Map<string, Uint8Array>();
	readonly #room: number;
	#time = 0;
	readonly #modified = new Map<string, number>();

	constructor(room = Number.POSITIVE_INFINITY) {
		this.#room = room;
	}

	get size(): number {
		return [...this.files.values()].reduce((sum, { length }) => sum + length, 0);
	}

	async read(name: string): Promise<Blob | undefined> {
		const file = this.files.get(name);
		return file && new Blob([file.slice()]);
	}

	async append(name: string, bytes: Uint8Array): Promise<number> {
		if (this.size + bytes.length > this.#room) {
			throw new DOMException("no room", "QuotaExceededError");
		}
		const before = this.files.get(name) ?? new Uint8Array();
		const file = new Uint8Array(before.length + bytes.length);
		file.set(before);
		file.set(bytes, before.length);
		this.files.set(name, file);
		this.#modified.set(name, ++this.#time);
		return before.length;
	}

	async remove(name: string): Promise<void> {
		this.files.delete(name);
	}

	async list(): Promise<StoredFile[]> {
		return [...this.files].map(([name, { length }]) => ({
			name,
			size: length,
			modified: this.#modified.get(name) ?? 0,
		}));
	}
}
