import type { DatasetFiles } from "../api.js";
import { assertDocument, isDocument } from "./document.js";
import { type Folder, folderOf, type Listing } from "./folder.js";
import type { ReadOptions, Source } from "./source.js";

/** Files that mark the root of a zarr group or of a single array. */
const MARKERS = [".zgroup", ".zattrs", ".zarray", ".zmetadata", "zarr.json"];

/** Maximum depth of `roots`: a dropped parent folder, its `scenes`, the data set. */
const DEPTH = 4;

/** Reads keys below a folder from the user. */
export class FileSource implements Source {
	readonly #folder: Folder;
	readonly #prefix: string;

	/** @param prefix the folder in `files` that keys are relative to; "" for the top */
	constructor(files: DatasetFiles | Folder, prefix = "") {
		this.#folder = folderOf(files);
		this.#prefix = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
	}

	/** Reads a file, or a range; undefined if it is absent. */
	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		const file = await this.#folder.file(this.#prefix + key);
		if (file && isDocument(key)) assertDocument(key, file.size);
		const part = range ? file?.slice(range.begin, range.end) : file;
		const bytes = await part?.arrayBuffer();
		signal?.throwIfAborted();
		return bytes && new Uint8Array(bytes);
	}

	/** Returns a file's length; undefined if it is absent. */
	async size(key: string): Promise<number | undefined> {
		return (await this.#folder.file(this.#prefix + key))?.size;
	}

	/** Returns a source of the same files with keys relative to `prefix`. */
	below(prefix: string): FileSource {
		return new FileSource(this.#folder, this.#prefix + prefix);
	}

	/** Lists the top folder. */
	contents(): Promise<Listing> {
		return this.#folder.list(this.#prefix);
	}

	/** Returns the paths of all files. */
	async keys(): Promise<string[]> {
		const found: string[] = [];
		const waiting = [""];
		for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
			const { files, folders } = await this.#folder.list(this.#prefix + at);
			for (const name of files) found.push(at + name);
			for (const name of folders) waiting.push(`${at}${name}/`);
		}
		return found;
	}

	/** Returns a file; undefined if it is absent. */
	file(key: string): Promise<Blob | undefined> {
		return this.#folder.file(this.#prefix + key);
	}

	/** Returns the names of the .zip files in the top folder. */
	async zips(): Promise<string[]> {
		const { files } = await this.contents();
		return files.filter((file) => /\.zip$/i.test(file));
	}

	/** Returns the .zip file in the top folder if there is exactly one. */
	async onlyZip(): Promise<File | undefined> {
		const [name, ...others] = await this.zips();
		if (name === undefined || others.length > 0) return undefined;
		const blob = await this.file(name);
		return blob && new File([blob], name);
	}

	/**
	 * Returns the folders that contain a data set, nearest first; "" is the folder
	 * itself.
	 */
	async roots(): Promise<string[]> {
		const found: string[] = [];
		let level = [""];
		for (let depth = 0; depth < DEPTH && level.length > 0; depth += 1) {
			const next: string[] = [];
			for (const folder of level) {
				const { files, folders } = await this.#folder.list(this.#prefix + folder);
				if (files.some((name) => MARKERS.includes(name))) found.push(folder);
				else for (const name of folders) next.push(folder ? `${folder}/${name}` : name);
			}
			level = next;
		}
		return found;
	}
}
