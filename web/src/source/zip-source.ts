import type { CoreModule, CoreRequest, CoreZip } from "../core.js";
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

/** The part of a module that parses archives. */
type ZipModule = Pick<CoreModule, "makeZip">;

interface Opened {
	readonly core: ZipModule;
	readonly zip: CoreZip;
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
	readonly #core: () => Promise<ZipModule>;
	/** The archive's directory, read once per core module. */
	#opening: { readonly core: ZipModule; readonly task: SharedTask<Opened> } | undefined;

	/** @param core returns the module that parses archives; a new one after a failure */
	constructor(holder: Source, archive: Archive, core: () => Promise<ZipModule>) {
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
		const { zip, folder } = await this.#open(signal);
		const name = normalized(folder + key);
		if (name === undefined) return undefined;
		if (isDocument(key)) assertDocument(key, zip.size(name));
		const member = zip.read(name, range?.begin ?? -1, range?.end ?? -1);
		if (!member) return undefined;
		try {
			await this.#feed(member, signal);
			const bytes = member.take();
			return member.isWhole() ? slice(bytes, range) : bytes;
		} finally {
			member.delete();
		}
	}

	async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		const { zip, folder } = await this.#open(signal);
		const name = normalized(folder + key);
		const size = name === undefined ? -1 : zip.size(name);
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
		const { zip } = await this.#open(signal);
		return zip.storeFolders().map((folder) => folder.replace(/\/$/, ""));
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
		const core = await this.#core();
		if (this.#opening?.core !== core) {
			const task = new SharedTask((within) => this.#directory(core, within));
			this.#opening = { core, task };
		}
		return this.#opening.task.join(signal);
	}

	async #directory(core: ZipModule, signal: AbortSignal): Promise<Opened> {
		const { key, size } = this.#archive;
		const zip = core.makeZip?.(key, size);
		if (!zip)
			throw new BevError("unsupported", `${key}: .zip is not supported by this module`);
		try {
			await this.#feed(zip, signal);
			const { folder } = this.#archive;
			if (folder === undefined) return { core, zip, folder: zip.storeFolder(key) };
			return { core, zip, folder: folder === "" ? "" : `${folder}/` };
		} catch (error) {
			zip.delete();
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
