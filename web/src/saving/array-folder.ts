import { BevError } from "../base/errors.js";
import {
	type ArrayStore,
	lastName,
	lockArray,
	type StoredObject,
} from "./array-store.js";
import { HandleFolder } from "./folder.js";

/** Reads of a file that is replaced meanwhile. */
const MAX_READS = 20;

/** Whether a file was replaced after it was opened. */
function isReplaced(error: unknown): boolean {
	const { cause } = error as { cause?: { name?: unknown } };
	return error instanceof BevError && cause?.name === "NotReadableError";
}

class FolderArrays implements ArrayStore {
	readonly name: string;
	readonly #folder: HandleFolder;
	/** Whether new files are written under another name, and then renamed. */
	#renames = "move" in (globalThis.FileSystemFileHandle?.prototype ?? {});

	constructor(directory: FileSystemDirectoryHandle) {
		this.#folder = new HandleFolder(directory, "");
		this.name = this.#folder.name;
	}

	/** An empty file is what remains of a creation that was interrupted. */
	async read(key: string, signal?: AbortSignal): Promise<StoredObject> {
		for (let left = MAX_READS; ; left -= 1) {
			try {
				const bytes = await this.#folder.read(key, { signal });
				return bytes && bytes.length > 0 ? { bytes } : {};
			} catch (error) {
				if (left === 0 || !isReplaced(error)) throw error;
			}
		}
	}

	/**
	 * The browser writes to another file, which takes the object's place at once; but it
	 * creates a new object empty, which is therefore written under another name.
	 */
	async replace(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
		if (this.#renames && !(await this.#folder.size(key))) {
			const partial = `${key}.partial`;
			await this.#folder.put(partial, bytes);
			this.#renames = await this.#folder.rename(partial, lastName(key));
			if (this.#renames) return true;
			await this.#folder.remove(partial);
		}
		await this.#folder.put(key, bytes);
		return true;
	}

	remove(key: string): Promise<void> {
		return this.#folder.remove(key);
	}

	list(path: string) {
		return this.#folder.listFiles(path);
	}

	lock(array: string, name: string, exclusive: boolean): Promise<() => void> {
		return lockArray(this.name, array, name, exclusive);
	}
}

/**
 * Arrays in a folder of the browser: in the origin private file system (`await
 * navigator.storage.getDirectory()`), or picked by the user with write access. Pages and
 * workers of one origin exclude each other by Web Locks. Other programs do not know these
 * locks: while they write an array of a picked folder, pages must not.
 *
 * An object changes at once. A new one appears at once where files can be renamed; else it
 * is empty for a moment, and stays so if the page then ends. Here, empty objects are
 * absent.
 */
export function folderArrays(directory: FileSystemDirectoryHandle): ArrayStore {
	return new FolderArrays(directory);
}
