import type { AbortOptions } from "../api.js";
import { ioError } from "../errors.js";
import { isAbsent, nodeFs } from "../source/node-files.js";
import { type Destination, existsAlready, type ObjectStore } from "./destination.js";

function parentOf(path: string): string {
	const end = path.lastIndexOf("/");
	return end < 0 ? "." : path.slice(0, end) || "/";
}

/** A folder of the file system, whose objects survive a power failure. */
class NodeFolder implements ObjectStore {
	readonly #fs = nodeFs();
	readonly #folders = new Set<string>();

	constructor(readonly path: string) {}

	async read(
		key: string,
		{ signal }: AbortOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		try {
			return new Uint8Array(await this.#fs.readFile(`${this.path}/${key}`));
		} catch (error) {
			if (isAbsent(error)) return undefined;
			throw ioError(this.path, key, error);
		}
	}

	/** Writes another file, flushes it to the disk and renames it. */
	async put(
		key: string,
		bytes: Uint8Array,
		{ signal }: AbortOptions = {},
	): Promise<void> {
		signal?.throwIfAborted();
		const path = `${this.path}/${key}`;
		const partial = `${path}.partial`;
		try {
			await this.#create(parentOf(path));
			const file = await this.#fs.open(partial, "w");
			try {
				await file.writeFile(bytes);
				await file.sync();
			} finally {
				await file.close();
			}
			await this.#fs.rename(partial, path);
			await this.sync(parentOf(path));
		} catch (error) {
			await this.#fs.rm(partial, { force: true }).catch(() => {});
			throw ioError(this.path, key, error);
		}
		signal?.throwIfAborted();
	}

	async remove(key: string): Promise<void> {
		await this.#fs.rm(`${this.path}/${key}`, { force: true });
	}

	async clear(): Promise<void> {
		this.#folders.clear();
		await this.#fs.rm(this.path, { recursive: true, force: true });
	}

	/** Flushes the names in a folder to the disk. */
	async sync(folder: string): Promise<void> {
		const handle = await this.#fs.open(folder, "r");
		try {
			await handle.sync();
		} finally {
			await handle.close();
		}
	}

	async exists(): Promise<boolean> {
		try {
			await this.#fs.lstat(this.path);
			return true;
		} catch (error) {
			if (isAbsent(error)) return false;
			throw ioError(this.path, "", error);
		}
	}

	/** Gives the folder its final name. Fails if that is a folder with content. */
	async renameTo(path: string): Promise<void> {
		try {
			await this.#fs.rename(this.path, path);
			await this.sync(parentOf(path));
		} catch (error) {
			throw ioError(path, "", error);
		}
	}

	async #create(folder: string): Promise<void> {
		if (this.#folders.has(folder)) return;
		await this.#fs.mkdir(folder, { recursive: true });
		this.#folders.add(folder);
		if (folder !== this.path) await this.sync(parentOf(folder));
	}
}

/** Objects in a folder of Node's file system. */
export function nodeStore(path: string): ObjectStore {
	return new NodeFolder(path);
}

/**
 * A data set in a new folder of Node's file system. It is written to `PATH.partial-web`,
 * flushed to the disk and published by one rename. Rows are collected in
 * `PATH.parts-web`.
 */
export function toNodeFolder(path: string): Destination {
	const final = new NodeFolder(path);
	const folder = new NodeFolder(`${path}.partial-web`);
	return {
		name: path,
		async begin() {
			if (await final.exists()) throw existsAlready(path);
			await folder.clear();
		},
		put: (key, bytes, options) => folder.put(key, bytes, options),
		async publish() {
			if (await final.exists()) throw existsAlready(path);
			await folder.renameTo(path);
		},
		parts: () => nodeStore(`${path}.parts-web`),
	};
}
