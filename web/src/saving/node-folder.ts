import type { AbortOptions } from "../api.js";
import { ioError } from "../base/errors.js";
import { isAbsent, nodeFs } from "../source/node-files.js";
import {
	changedMeanwhile,
	type Destination,
	type ObjectStore,
	sameBytes,
} from "./destination.js";

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

	/** Returns the names of files and folders; none if the folder does not exist. */
	async list(): Promise<readonly string[]> {
		try {
			return await this.#fs.readdir(this.path);
		} catch (error) {
			if (isAbsent(error)) return [];
			throw ioError(this.path, "", error);
		}
	}

	async clear(name?: string): Promise<void> {
		this.#folders.clear();
		const path = name === undefined ? this.path : `${this.path}/${name}`;
		await this.#fs.rm(path, { recursive: true, force: true });
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
		await this.sync(parentOf(folder));
	}
}

/** Objects in a folder of Node's file system. */
export function nodeStore(path: string): ObjectStore {
	return new NodeFolder(path);
}

/**
 * A data set in a folder of Node's file system. It is written to `PATH.partial-web`,
 * flushed to the disk and published by one rename. A data set that is replaced is renamed
 * to `PATH.replaced-web` just before, and removed after. Rows are collected in
 * `PATH.parts-web`.
 */
export function toNodeFolder(path: string): Destination {
	const final = new NodeFolder(path);
	const folder = new NodeFolder(`${path}.partial-web`);
	const replaced = new NodeFolder(`${path}.replaced-web`);
	let before: Uint8Array | undefined;
	const attributes = async () =>
		(await final.read(".zattrs")) ?? (await final.read("zarr.json"));
	return {
		name: path,
		replaces: true,
		async existing() {
			// A process was killed between the two renames
			const isLost = (await replaced.exists()) && !(await final.exists());
			if (isLost) await replaced.renameTo(path);
			before = await attributes();
			return (await final.exists()) ? final : undefined;
		},
		async begin({ replace }) {
			if (!replace) before = undefined;
			await folder.clear();
		},
		put: (key, bytes, options) => folder.put(key, bytes, options),
		async publish() {
			const isThere = await final.exists();
			const now = isThere ? await attributes() : undefined;
			if (isThere !== (before !== undefined) || !sameBytes(now, before)) {
				throw changedMeanwhile(path);
			}
			await replaced.clear();
			if (isThere) await final.renameTo(replaced.path);
			await folder.renameTo(path);
			await replaced.clear();
		},
		parts: () => nodeStore(`${path}.parts-web`),
	};
}
