/** Files and folders of a drop, as the browser provides them. */
export interface DropParts {
	readonly folders: readonly FileSystemDirectoryEntry[];
	readonly files: readonly File[];
	/** Handles of the items, in browsers that have them. */
	readonly handles: Promise<(FileSystemHandle | null)[]> | undefined;
}

/**
 * Returns the types of the files dragged over the page; "" for folders and unknown
 * types.
 */
export function heldTypes(event: DragEvent): string[] {
	return [...(event.dataTransfer?.items ?? [])]
		.filter(({ kind }) => kind === "file")
		.map(({ type }) => type);
}

/** A dropped item in browsers with the File System Access API. */
interface HandleItem {
	getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** Returns handles of the dropped items. */
function handlesOf(items: readonly DataTransferItem[]): DropParts["handles"] {
	const given = items
		.map((item) => (item as HandleItem).getAsFileSystemHandle?.())
		.filter((handle) => handle !== undefined);
	if (given.length === 0) return undefined;
	const handles = Promise.all(given);
	handles.catch(() => {}); // handles are optional: they only allow reopening the files
	return handles;
}

/** Returns what `event` dropped. Must be called during the event. */
export function partsOf({ dataTransfer }: DragEvent): DropParts {
	const items = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === "file");
	const folders = items
		.map((item) => item.webkitGetAsEntry())
		.filter((entry) => entry?.isDirectory)
		.map((entry) => entry as FileSystemDirectoryEntry);
	const names = new Set(folders.map(({ name }) => name));
	// A dropped folder is also listed in `files`, as an empty file.
	const files = [...(dataTransfer?.files ?? [])].filter(({ name }) => !names.has(name));
	return { folders, files, handles: handlesOf(items) };
}
