import type { AbortOptions } from "../api.js";
import { BevError, ioError } from "../errors.js";
import { type Destination, existsAlready, type ObjectStore } from "./destination.js";

/** Exists in a folder while a data set is written to it. */
const MARKER = ".bevscope-saving";

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

/** A folder of the browser: picked by the user, or in the origin private file system. */
class HandleFolder {
	readonly name: string;
	readonly #top: FileSystemDirectoryHandle;
	readonly #path: string;

	constructor(top: FileSystemDirectoryHandle, path: string) {
		this.name = path;
		this.#top = top;
		this.#path = path;
	}

	/** Returns the folder; undefined if it does not exist and is not to be created. */
	async handle(create: boolean): Promise<FileSystemDirectoryHandle | undefined> {
		return this.#guard("", () => this.#top.getDirectoryHandle(this.#path, { create }));
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

	async clear(): Promise<void> {
		await this.#guard("", () => this.#top.removeEntry(this.#path, { recursive: true }));
	}

	async #locate(
		key: string,
		create: boolean,
	): Promise<{ folder: FileSystemDirectoryHandle; name: string }> {
		const names = key.split("/");
		const name = names.pop() ?? "";
		let folder = await this.#top.getDirectoryHandle(this.#path, { create });
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
 * Readers see the data set when `.zgroup` exists, which is written after all chunks and
 * the arrays' metadata. Each object is complete or absent. Browsers do not tell when
 * files are safe from a power failure.
 */
export function toFolder(parent: FileSystemDirectoryHandle, name: string): Destination {
	const folder = new HandleFolder(parent, name);
	return {
		name,
		async begin(options) {
			const found = await folder.handle(true);
			const names: string[] = [];
			for await (const key of found?.keys() ?? []) names.push(key);
			if (names.includes(".zgroup") || names.includes(".zmetadata")) {
				throw existsAlready(name);
			}
			if (names.length > 0 && !names.includes(MARKER)) {
				throw new BevError(
					"invalid_argument",
					`${name}: not empty (found ${names[0]}, expected a new folder)`,
				);
			}
			await folder.put(MARKER, new Uint8Array(), options);
			for (const key of names.filter((other) => other !== MARKER)) {
				await found?.removeEntry(key, { recursive: true });
			}
		},
		put: (key, bytes, options) => folder.put(key, bytes, options),
		publish: () => folder.remove(MARKER),
		parts: () => folderStore(parent, `${name}.parts-web`),
	};
}
