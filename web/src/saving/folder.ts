import type { AbortOptions } from "../api.js";
import { BevError, ioError } from "../base/errors.js";
import type { ReadOptions, Source } from "../source/source.js";
import type { ListedObject } from "./array-store.js";
import { changedMeanwhile, type Destination, type ObjectStore } from "./destination.js";

/** Exists in a folder while a data set is written to it. */
const MARKER = ".bevscope-saving";

/** Whether an object is the root document of a data set. */
function isRoot(key: string): boolean {
	return [".zgroup", ".zmetadata", "zarr.json"].includes(key);
}

/** Whether a file system says that a name does not exist. */
function isAbsent(error: unknown): boolean {
	return (error as { name?: unknown } | null)?.name === "NotFoundError";
}

function notWritable(name: string): BevError {
	return new BevError(
		"unsupported",
		`${name}: this browser cannot write files (expected createWritable: Chrome, Firefox, Safari 26)`,
	);
}

/** `move` gives a file another name at once. Not all browsers have it for all folders. */
type MovableFile = FileSystemFileHandle & { move?(name: string): Promise<void> };

/**
 * A subfolder of a folder of the browser, or with path "" the folder itself: picked by the
 * user, or in the origin private file system.
 */
export class HandleFolder implements ObjectStore {
	readonly name: string;
	readonly #top: FileSystemDirectoryHandle;
	readonly #path: string;

	constructor(top: FileSystemDirectoryHandle, path: string) {
		this.name = path || top.name;
		this.#top = top;
		this.#path = path;
	}

	async read(
		key: string,
		{ signal }: AbortOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		const bytes = await this.#guard(key, async () => {
			const { folder, name } = await this.#locate(key, false);
			const file = await (await folder.getFileHandle(name)).getFile();
			return file.arrayBuffer();
		});
		signal?.throwIfAborted();
		return bytes && new Uint8Array(bytes);
	}

	/** The browser writes to another file, which replaces the object when it is closed. */
	async put(
		key: string,
		bytes: Uint8Array<ArrayBuffer>,
		{ signal }: AbortOptions = {},
	): Promise<void> {
		signal?.throwIfAborted();
		try {
			const { folder, name } = await this.#locate(key, true);
			const handle = await folder.getFileHandle(name, { create: true });
			if (typeof handle.createWritable !== "function") throw notWritable(this.name);
			const file = await handle.createWritable();
			try {
				await file.write(bytes);
			} catch (error) {
				await file.abort().catch(() => {});
				throw error;
			}
			await file.close();
		} catch (error) {
			throw error instanceof BevError ? error : ioError(this.name, key, error);
		}
		signal?.throwIfAborted();
	}

	async remove(key: string): Promise<void> {
		await this.#guard(key, async () => {
			const { folder, name } = await this.#locate(key, false);
			await folder.removeEntry(name);
		});
	}

	/** Returns a file's size; undefined if it is absent. */
	size(key: string): Promise<number | undefined> {
		return this.#guard(key, async () => {
			const { folder, name } = await this.#locate(key, false);
			return (await (await folder.getFileHandle(name)).getFile()).size;
		});
	}

	/** Renames a file within its folder. Returns whether the browser can. */
	async rename(key: string, name: string): Promise<boolean> {
		const done = await this.#guard(key, async () => {
			const at = await this.#locate(key, false);
			const file: MovableFile = await at.folder.getFileHandle(at.name);
			return file.move?.(name).then(
				() => true,
				() => false,
			);
		});
		return done ?? false;
	}

	/** Returns the files below `path/`, and in folders below. */
	async listFiles(path: string): Promise<ListedObject[]> {
		const found: ListedObject[] = [];
		const walk = async (folder: FileSystemDirectoryHandle, prefix: string) => {
			for await (const [name, handle] of folder.entries()) {
				const key = prefix + name;
				if (handle.kind === "directory") {
					await walk(handle as FileSystemDirectoryHandle, `${key}/`);
				} else {
					const file = await this.#guard(key, () =>
						(handle as FileSystemFileHandle).getFile(),
					);
					if (file) found.push({ key, size: file.size });
				}
			}
		};
		await this.#guard(path, async () => {
			let folder = await this.#root(false);
			for (const name of path.split("/").filter((each) => each)) {
				folder = await folder.getDirectoryHandle(name);
			}
			await walk(folder, path && `${path}/`);
		});
		return found;
	}

	/** Returns the names of files and folders; none if the folder does not exist. */
	async list(): Promise<readonly string[]> {
		const names: string[] = [];
		await this.#guard("", async () => {
			const folder = await this.#root(false);
			for await (const name of folder.keys()) names.push(name);
		});
		return names;
	}

	async clear(name?: string): Promise<void> {
		await this.#guard(name ?? "", async () => {
			if (name === undefined) {
				return this.#top.removeEntry(this.#path, { recursive: true });
			}
			const folder = await this.#root(false);
			return folder.removeEntry(name, { recursive: true });
		});
	}

	async #root(create: boolean): Promise<FileSystemDirectoryHandle> {
		if (!this.#path) return this.#top;
		return this.#top.getDirectoryHandle(this.#path, { create });
	}

	async #locate(
		key: string,
		create: boolean,
	): Promise<{ folder: FileSystemDirectoryHandle; name: string }> {
		const names = key.split("/");
		const name = names.pop() ?? "";
		let folder = await this.#root(create);
		for (const each of names)
			folder = await folder.getDirectoryHandle(each, { create });
		return { folder, name };
	}

	async #guard<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			if (isAbsent(error)) return undefined;
			throw ioError(this.name, key, error);
		}
	}
}

/** Objects in a subfolder of `parent`. `clear` removes the subfolder. */
export function folderStore(
	parent: FileSystemDirectoryHandle,
	name: string,
): ObjectStore {
	return new HandleFolder(parent, name);
}

/**
 * A data set in a new subfolder of `parent`: a folder that the user has picked with write
 * access, or `await navigator.storage.getDirectory()`. Rows are collected in
 * `NAME.parts-web` beside it.
 *
 * Readers see the data set when `.zgroup` (version 3: `zarr.json`) exists, which is written after all chunks and
 * the arrays' metadata. Each object is complete or absent. Browsers do not tell when
 * files are safe from a power failure.
 *
 * If the name ends in `.zip`, the data set is a file, which can be replaced and appended to:
 * the browser writes another file, which takes its place at once.
 */
export function toFolder(parent: FileSystemDirectoryHandle, name: string): Destination {
	if (name.endsWith(".zip")) return toFile(parent, name);
	const folder = new HandleFolder(parent, name);
	const isUnused = (names: readonly string[]): boolean =>
		names.length === 0 || (names.includes(MARKER) && !names.some(isRoot));
	return {
		name,
		async existing() {
			const names = await folder.list();
			if (isUnused(names)) return undefined;
			if (names.some(isRoot)) return folder;
			throw new BevError(
				"invalid_argument",
				`${name}: not empty (found ${names[0]}, expected a new folder)`,
			);
		},
		async begin(options) {
			const names = await folder.list();
			if (!isUnused(names)) throw changedMeanwhile(name);
			await folder.put(MARKER, new Uint8Array(), options);
			for (const key of names) {
				if (key !== MARKER) await folder.clear(key);
			}
		},
		put: (key, bytes, options) => folder.put(key, bytes, options),
		publish: () => folder.remove(MARKER),
		parts: () => folderStore(parent, `${name}.parts-web`),
	};
}

/** Reads ranges of a file as it was when it was opened. */
class FileBytes implements Source {
	constructor(
		readonly name: string,
		readonly file: File,
	) {}

	async size(): Promise<number> {
		return this.file.size;
	}

	async read(_: string, { range, signal }: ReadOptions = {}): Promise<Uint8Array> {
		signal?.throwIfAborted();
		try {
			const part = range ? this.file.slice(range.begin, range.end) : this.file;
			return new Uint8Array(await part.arrayBuffer());
		} catch (error) {
			throw ioError(this.name, "", error);
		}
	}

	/** Whether this is the same file with the same content. */
	isSame(other: FileBytes | undefined): boolean {
		const { lastModified, size } = this.file;
		return other?.file.lastModified === lastModified && other.file.size === size;
	}
}

/** Removes a file that is empty: another program's content stays. */
async function removeEmpty(
	parent: FileSystemDirectoryHandle,
	name: string,
): Promise<void> {
	const file = await (await parent.getFileHandle(name)).getFile();
	if (file.size === 0) await parent.removeEntry(name);
}

/** A data set in a .zip of a folder. */
function toFile(parent: FileSystemDirectoryHandle, name: string): Destination {
	let before: FileBytes | undefined;
	let file: FileSystemWritableFileStream | undefined;
	const guard = async <T>(work: () => Promise<T>): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			throw error instanceof BevError ? error : ioError(name, "", error);
		}
	};
	const found = () =>
		guard(async () => {
			try {
				const handle = await parent.getFileHandle(name);
				const opened = new FileBytes(name, await handle.getFile());
				// An empty file is what remains of a creation that was interrupted
				return opened.file.size > 0 ? opened : undefined;
			} catch (error) {
				if (isAbsent(error)) return undefined;
				throw error;
			}
		});
	const checkUnchanged = async (): Promise<void> => {
		const now = await found();
		if (now ? !now.isSame(before) : before) throw changedMeanwhile(name);
	};
	const discard = async (): Promise<void> => {
		await file?.abort().catch(() => {}); // fails after a failed write
		file = undefined;
		if (!before) await removeEmpty(parent, name);
	};
	return {
		name,
		archive: true,
		replaces: true,
		async existing() {
			before = await found();
			return before;
		},
		begin: ({ replace }) =>
			guard(async () => {
				if (!replace) before = undefined;
				await checkUnchanged();
				const handle = await parent.getFileHandle(name, { create: true });
				if (typeof handle.createWritable !== "function") {
					await discard();
					throw notWritable(name);
				}
				file = await handle.createWritable();
			}),
		put: (_, bytes) => guard(async () => file?.write(bytes)),
		async publish() {
			await checkUnchanged();
			await guard(async () => file?.close());
			file = undefined;
		},
		discard,
		parts: () => folderStore(parent, `${name}.parts-web`),
	};
}
