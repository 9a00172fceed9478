import { BevError } from "../base/errors.js";
import { SharedTask } from "../base/shared-task.js";
import type { Core, CoreRequest, Handle } from "../core/core.js";
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
	readonly core: Core;
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
	readonly #core: () => Promise<Core>;
	/** The archive's directory, read once per instance of the module. */
	#opening: { readonly core: Core; readonly task: SharedTask<Opened> } | undefined;

	/** @param core returns the module that parses archives; a new one after a failure */
	constructor(holder: Source, archive: Archive, core: () => Promise<Core>) {
		this.#holder = holder;
		this.#archive = archive;
		this.#core = core;
	}

	get cachedBytes(): number {
		return this.#holder.cachedBytes ?? 0;
	}

	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		const { core, archive, folder } = await this.#open(signal);
		const name = normalized(folder + key);
		if (name === undefined) return undefined;
		if (isDocument(key)) {
			assertDocument(key, core.run("archive_size", { archive, name }));
		}
		const read = core.run("archive_read", { archive, name, ...range });
		if (read === undefined) return undefined;
		try {
			const missing = () => core.run("read_missing", { read });
			const supply = (bytes: Uint8Array) => core.run("read_supply", { read, bytes });
			await this.#feed({ missing, supply }, signal);
			const bytes = core.run("read_take", { read }) as Uint8Array<ArrayBuffer>;
			return core.run("read_is_whole", { read }) ? slice(bytes, range) : bytes;
		} finally {
			core.release(read);
		}
	}

	size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		return this.#told("archive_size", key, signal);
	}

	checksum(key: string, signal?: AbortSignal): Promise<number | undefined> {
		return this.#told("archive_crc", key, signal);
	}

	/**
	 * Forgets the whole archive, because the position of damaged bytes in it is unknown.
	 */
	forget(_key: string): void {
		this.#holder.forget?.(this.#archive.key);
	}

	/** Returns the paths of the data sets in the archive, shortest first. */
	async stores(signal?: AbortSignal): Promise<string[]> {
		const { core, archive } = await this.#open(signal);
		const folders = core.run("archive_stores", { archive });
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

	/** Returns what the directory tells of an object. */
	async #told(
		what: "archive_size" | "archive_crc",
		key: string,
		signal: AbortSignal | undefined,
	): Promise<number | undefined> {
		const { core, archive, folder } = await this.#open(signal);
		const name = normalized(folder + key);
		if (name === undefined) return undefined;
		const told = core.run(what, { archive, name });
		return told < 0 ? undefined : told;
	}

	async #open(signal?: AbortSignal): Promise<Opened> {
		const core = await this.#core();
		if (this.#opening?.core !== core) {
			const task = new SharedTask((within) => this.#directory(core, within));
			this.#opening = { core, task };
		}
		return this.#opening.task.join(signal);
	}

	async #directory(core: Core, signal: AbortSignal): Promise<Opened> {
		const { key, size, folder } = this.#archive;
		if (!core.has("archive"))
			throw new BevError("unsupported", `${key}: .zip is not supported by this module`);
		const archive = core.run("archive", { name: key, size });
		try {
			const missing = () => core.run("archive_missing", { archive });
			const supply = (bytes: Uint8Array) =>
				core.run("archive_supply", { archive, bytes });
			await this.#feed({ missing, supply }, signal);
			if (folder !== undefined)
				return { core, archive, folder: folder === "" ? "" : `${folder}/` };
			const found = core.run("archive_store", { archive, name: key });
			return { core, archive, folder: found };
		} catch (error) {
			core.release(archive);
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
