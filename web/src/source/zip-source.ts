import type { CoreRequest, Door, Handle } from "../core/door.js";
import { BevError } from "../errors.js";
import { SharedTask } from "../shared-task.js";
import { assertDocument, isDocument } from "./document.js";
import { type ReadOptions, type Source, slice } from "./source.js";

/** A .zip that contains a data set: an object of a source, and its length. */
export interface Archive {
	readonly key: string;
	readonly size: number;
	/** The data set's path in the archive. Default: the shortest. */
	readonly folder?: string | undefined;
}

/** The sources of a data set's bytes. */
export interface Resolved {
	/** Base of URLs of files beside the data set. */
	readonly source: Source;
	/** The archive that contains the data set, if it is in one. */
	readonly zip?: { readonly holder: Source; readonly archive: Archive };
}

interface Opened {
	readonly door: Door;
	readonly archive: Handle<"Archive">;
	/** Folder of the store in the archive, ending in a slash. */
	readonly folder: string;
}

/** Resolves `.` and `..` in `path`; returns undefined if it leaves the archive. */
function normalized(path: string): string | undefined {
	const kept: string[] = [];
	for (const segment of path.split("/")) {
		if (segment === "..") {
			if (kept.pop() === undefined) return undefined;
		} else if (segment !== ".") kept.push(segment);
	}
	return kept.join("/");
}

/** Reads keys of a store in a .zip, using range reads of the archive. */
export class ZipSource implements Source {
	readonly #holder: Source;
	readonly #archive: Archive;
	readonly #door: () => Promise<Door>;
	/** The archive's directory, read once per instance of the module. */
	#opening: { readonly door: Door; readonly task: SharedTask<Opened> } | undefined;

	/** @param door returns the module that parses archives; a new one after a failure */
	constructor(holder: Source, archive: Archive, door: () => Promise<Door>) {
		this.#holder = holder;
		this.#archive = archive;
		this.#door = door;
	}

	get cachedBytes(): number {
		return this.#holder.cachedBytes ?? 0;
	}

	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		const { door, archive, folder } = await this.#open(signal);
		const name = normalized(folder + key);
		if (name === undefined) return undefined;
		if (isDocument(key)) {
			assertDocument(key, door.run("archive_size", { archive, name }));
		}
		const read = door.run("archive_read", { archive, name, ...range });
		if (read === undefined) return undefined;
		try {
			const missing = () => door.run("read_missing", { read });
			const supply = (bytes: Uint8Array) => door.run("read_supply", { read, bytes });
			await this.#feed({ missing, supply }, signal);
			const bytes = door.run("read_take", { read }) as Uint8Array<ArrayBuffer>;
			return door.run("read_is_whole", { read }) ? slice(bytes, range) : bytes;
		} finally {
			door.release(read);
		}
	}

	async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		const { door, archive, folder } = await this.#open(signal);
		const name = normalized(folder + key);
		if (name === undefined) return undefined;
		const size = door.run("archive_size", { archive, name });
		return size < 0 ? undefined : size;
	}

	/**
	 * Forgets the whole archive, because the position of damaged bytes in it is unknown.
	 */
	forget(_key: string): void {
		this.#holder.forget?.(this.#archive.key);
	}

	/** Returns the paths of the data sets in the archive, shortest first. */
	async stores(signal?: AbortSignal): Promise<string[]> {
		const { door, archive } = await this.#open(signal);
		const folders = door.run("archive_stores", { archive });
		return folders.map((folder) => folder.replace(/\/$/, ""));
	}

	/**
	 * Returns a source of the same archive with keys relative to `up` of the store's
	 * folder, e.g. `../`.
	 */
	around(up: string): Source {
		return {
			read: (key, options) => this.read(up + key, options),
			size: (key, signal) => this.size(up + key, signal),
		};
	}

	async #open(signal?: AbortSignal): Promise<Opened> {
		const door = await this.#door();
		if (this.#opening?.door !== door) {
			const task = new SharedTask((within) => this.#directory(door, within));
			this.#opening = { door, task };
		}
		return this.#opening.task.join(signal);
	}

	async #directory(door: Door, signal: AbortSignal): Promise<Opened> {
		const { key, size, folder } = this.#archive;
		if (!door.has("archive"))
			throw new BevError("unsupported", `${key}: .zip is not supported by this module`);
		const archive = door.run("archive", { name: key, size });
		try {
			const missing = () => door.run("archive_missing", { archive });
			const supply = (bytes: Uint8Array) =>
				door.run("archive_supply", { archive, bytes });
			await this.#feed({ missing, supply }, signal);
			if (folder !== undefined)
				return { door, archive, folder: folder === "" ? "" : `${folder}/` };
			const found = door.run("archive_store", { archive, name: key });
			return { door, archive, folder: found };
		} catch (error) {
			door.release(archive);
			throw error;
		}
	}

	/** Reads the ranges of the archive that `reader` is missing. */
	async #feed(
		reader: {
			missing(): readonly CoreRequest[];
			supply(bytes: Uint8Array): void;
		},
		signal: AbortSignal | undefined,
	): Promise<void> {
		const { key } = this.#archive;
		for (let [range] = reader.missing(); range; [range] = reader.missing()) {
			const bytes = await this.#holder.read(key, { range, signal });
			if (!bytes) {
				const answer = { key, ...this.#holder.absence?.(key) };
				throw new BevError("not_found", `${key}: not found any more`, answer);
			}
			reader.supply(bytes);
		}
	}
}
