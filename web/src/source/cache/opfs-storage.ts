import {
	isFull,
	isNamed,
	locked,
	STORAGE_NAME,
	type Storage,
	type StoredFile,
} from "./storage.js";

/**
 * The used part of `FileSystemSyncAccessHandle`. The first browsers with it returned
 * promises.
 */
interface SyncHandle {
	getSize(): number | Promise<number>;
	write(bytes: Uint8Array, options: { at: number }): number;
	truncate(size: number): void | Promise<void>;
	flush(): void | Promise<void>;
	close(): void | Promise<void>;
}

type Handle = FileSystemFileHandle & {
	createSyncAccessHandle(): Promise<SyncHandle>;
};

/**
 * Storage in the origin's private file system, which can append. Available in workers
 * only.
 */
export class OpfsStorage implements Storage {
	/** Replaced when the folder was removed. */
	#folder: FileSystemDirectoryHandle;

	private constructor(folder: FileSystemDirectoryHandle) {
		this.#folder = folder;
	}

	/**
	 * Returns undefined if the file system is not available or not writable on this
	 * thread.
	 */
	static async open(): Promise<OpfsStorage | undefined> {
		const file = globalThis.FileSystemFileHandle?.prototype;
		if (!file || !("createSyncAccessHandle" in file)) return undefined;
		try {
			return new OpfsStorage(await openFolder());
		} catch {
			return undefined; // for example, a private window
		}
	}

	async read(name: string): Promise<Blob | undefined> {
		try {
			return await (await this.#folder.getFileHandle(name)).getFile();
		} catch (error) {
			if (isNamed(error, "NotFoundError")) return undefined;
			throw error;
		}
	}

	append(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<number | undefined> {
		return locked("shared", () => this.#append(name, bytes));
	}

	remove(name: string): Promise<void> {
		return locked("shared", async () => {
			try {
				await this.#folder.removeEntry(name);
			} catch (error) {
				if (!isNamed(error, "NotFoundError")) throw error;
			}
		});
	}

	async list(): Promise<StoredFile[]> {
		try {
			return await this.#list();
		} catch (error) {
			if (!isNamed(error, "NotFoundError")) throw error;
			this.#folder = await openFolder(); // it was removed with all its files
			return [];
		}
	}

	async #list(): Promise<StoredFile[]> {
		const found: StoredFile[] = [];
		for await (const name of this.#folder.keys()) {
			const file = (await this.read(name)) as File | undefined;
			if (file) found.push({ name, size: file.size, modified: file.lastModified });
		}
		return found;
	}

	async #append(
		name: string,
		bytes: Uint8Array<ArrayBuffer>,
	): Promise<number | undefined> {
		const file = await this.#file(name);
		try {
			const handle = await (file as Handle).createSyncAccessHandle();
			return await grow(handle, bytes);
		} catch (error) {
			if (isNamed(error, "NoModificationAllowedError")) return undefined;
			throw error;
		}
	}

	async #file(name: string): Promise<FileSystemFileHandle> {
		try {
			return await this.#folder.getFileHandle(name, { create: true });
		} catch (error) {
			// Firefox reports an unknown failure in a removed folder.
			const isRemoved = ["NotFoundError", "UnknownError"].some((one) =>
				isNamed(error, one),
			);
			if (!isRemoved) throw error;
			this.#folder = await openFolder(); // it was removed with all its files
			return this.#folder.getFileHandle(name, { create: true });
		}
	}
}

async function openFolder(): Promise<FileSystemDirectoryHandle> {
	const root = await navigator.storage.getDirectory();
	return root.getDirectoryHandle(STORAGE_NAME, { create: true });
}

/** Appends all of `bytes`, or nothing. */
async function grow(handle: SyncHandle, bytes: Uint8Array): Promise<number> {
	const size = await handle.getSize();
	try {
		if (handle.write(bytes, { at: size }) < bytes.length) {
			throw new DOMException("written in part", "QuotaExceededError");
		}
		await handle.flush();
		return size;
	} catch (error) {
		if (isFull(error)) await handle.truncate(size);
		throw error;
	} finally {
		await handle.close();
	}
}
