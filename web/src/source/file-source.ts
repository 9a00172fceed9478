import type { DatasetFiles } from "../api.js";
import { assertDocument, isDocument } from "./document.js";
import { type Folder, folderOf, type Listing } from "./folder.js";
import type { ReadOptions, Source } from "./source.js";

/** Files that mark the root of a zarr group or of a lone array. */
const MARKERS = [".zgroup", ".zattrs", ".zarray", ".zmetadata", "zarr.json"];

/** Folders deep that `roots` looks: a dropped parent, its `scenes`, the data set. */
const DEPTH = 4;

/** Reads keys below a folder that the user gave. */
export class FileSource implements Source {
	readonly #folder: Folder;
	readonly #prefix: string;

	/** @param prefix the folder inside `files` that keys are below, "" for its top */
	constructor(files: DatasetFiles | Folder, prefix = "") {
		this.#folder = folderOf(files);
		this.#prefix = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
	}

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

	async size(key: string): Promise<number | undefined> {
		return (await this.#folder.file(this.#prefix + key))?.size;
	}

	/** The same files, keys below `prefix` of this source's folder. */
	below(prefix: string): FileSource {
		return new FileSource(this.#folder, this.#prefix + prefix);
	}

	/** What lies at the top. */
	contents(): Promise<Listing> {
		return this.#folder.list(this.#prefix);
	}

	file(key: string): Promise<Blob | undefined> {
		return this.#folder.file(this.#prefix + key);
	}

	/** Names of the .zip files at the top. */
	async zips(): Promise<string[]> {
		const { files } = await this.contents();
		return files.filter((file) => /\.zip$/i.test(file));
	}

	/** The .zip at the top, where it is the only one. */
	async onlyZip(): Promise<File | undefined> {
		const [name, ...others] = await this.zips();
		if (name === undefined || others.length > 0) return undefined;
		const blob = await this.file(name);
		return blob && new File([blob], name);
	}

	/** Folders that hold a data set, nearest first; "" is the folder itself. */
	async roots(): Promise<string[]> {
		const found: string[] = [];
		let level = [""];
		for (let depth = 0; depth < DEPTH && level.length > 0; depth += 1) {
			const next: string[] = [];
			for (const folder of level) {
				const { files, folders } = await this.#folder.list(this.#prefix + folder);
				if (files.some((name) => MARKERS.includes(name))) found.push(folder);
				else next.push(...folders.map((name) => (folder ? `${folder}/${name}` : name)));
			}
			level = next;
		}
		return found;
	}
}
