import type { DatasetFiles } from "../api.js";

/** Names of a folder's files and subfolders. */
export interface Listing {
	readonly files: readonly string[];
	readonly folders: readonly string[];
}

/** A folder, independent of the browser interface that provided it. */
export interface Folder {
	/** Returns the file at `path`, or undefined if it does not exist. */
	file(path: string): Promise<Blob | undefined>;
	/** Lists the folder at `path`; "" is the top. */
	list(path: string): Promise<Listing>;
}

export function isFolder(value: object): value is Folder {
	return "file" in value && "list" in value;
}

export function folderOf(files: DatasetFiles | Folder): Folder {
	if (isFolder(files)) return files;
	if ("getDirectoryHandle" in files) return handleFolder(files);
	if ("createReader" in files) return entryFolder(files);
	if (files instanceof Map) return mapFolder(files as ReadonlyMap<string, Blob>);
	const list = Array.from(files as Iterable<File>);
	return mapFolder(new Map(list.map((file) => [pathOf(file), file])));
}

/** Drops the chosen folder's own name, with which a file input's paths start. */
function pathOf(file: File): string {
	const path = file.webkitRelativePath;
	return path ? path.slice(path.indexOf("/") + 1) : file.name;
}

function mapFolder(files: ReadonlyMap<string, Blob>): Folder {
	return {
		file: async (path) => files.get(path),
		list: async (path) => {
			const prefix = path ? `${path.replace(/\/$/, "")}/` : "";
			const names = [...files.keys()]
				.filter((key) => key.startsWith(prefix))
				.map((key) => key.slice(prefix.length));
			const inner = names.filter((name) => name.includes("/"));
			return {
				files: names.filter((name) => !name.includes("/")),
				folders: [...new Set(inner.map((name) => name.slice(0, name.indexOf("/"))))],
			};
		},
	};
}

/** Awaits `work`; returns undefined if the file does not exist. */
async function found<T>(work: Promise<T>): Promise<T | undefined> {
	try {
		return await work;
	} catch (error) {
		const { name } = error as { name?: unknown };
		if (name === "NotFoundError" || name === "TypeMismatchError") return undefined;
		throw error;
	}
}

function handleFolder(top: FileSystemDirectoryHandle): Folder {
	async function descend(
		folders: readonly string[],
	): Promise<FileSystemDirectoryHandle> {
		let at = top;
		for (const name of folders) at = await at.getDirectoryHandle(name);
		return at;
	}
	return {
		file: (path) => {
			const folders = path.split("/");
			const name = folders.pop() ?? "";
			return found(
				descend(folders)
					.then((folder) => folder.getFileHandle(name))
					.then((handle) => handle.getFile()),
			);
		},
		list: async (path) => {
			const folder = await descend(path.split("/").filter(Boolean));
			const files: string[] = [];
			const folders: string[] = [];
			for await (const [name, handle] of folder.entries()) {
				(handle.kind === "file" ? files : folders).push(name);
			}
			return { files, folders };
		},
	};
}

function entryFolder(top: FileSystemDirectoryEntry): Folder {
	return {
		file: (path) =>
			found(
				new Promise<File>((resolve, reject) => {
					const take = (entry: FileSystemEntry): void =>
						(entry as FileSystemFileEntry).file(resolve, reject);
					top.getFile(path, {}, take, reject);
				}),
			),
		list: async (path) => {
			const folder = path ? await directoryEntry(top, path) : top;
			const entries = await readAll(folder.createReader());
			const names = (isFile: boolean): string[] =>
				entries.filter((entry) => entry.isFile === isFile).map((entry) => entry.name);
			return { files: names(true), folders: names(false) };
		},
	};
}

function directoryEntry(
	top: FileSystemDirectoryEntry,
	path: string,
): Promise<FileSystemDirectoryEntry> {
	return new Promise((resolve, reject) => {
		const take = (entry: FileSystemEntry): void =>
			resolve(entry as FileSystemDirectoryEntry);
		top.getDirectory(path.replace(/\/$/, ""), {}, take, reject);
	});
}

/**
 * Reads all entries: a reader returns batches (of 100 in Chromium) until an empty one.
 */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
	const all: FileSystemEntry[] = [];
	for (;;) {
		const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
			reader.readEntries(resolve, reject);
		});
		if (batch.length === 0) return all;
		for (const each of batch) all.push(each);
	}
}
