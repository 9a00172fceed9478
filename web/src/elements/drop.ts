import type { DatasetFiles } from "../api.js";

export interface Dropped {
	readonly name: string;
	readonly files: DatasetFiles;
}

export function hasFiles(event: DragEvent): boolean {
	return event.dataTransfer?.types.includes("Files") ?? false;
}

/** The first folder that was dropped, or the files where there is none. */
export function droppedFolder(event: DragEvent): Dropped | undefined {
	const { items, files } = event.dataTransfer ?? {};
	for (const item of items ?? []) {
		const entry = item.kind === "file" ? item.webkitGetAsEntry() : null;
		if (entry?.isDirectory) {
			return { name: entry.name, files: entry as FileSystemDirectoryEntry };
		}
	}
	const [first] = files ?? [];
	return files && first ? { name: first.name, files } : undefined;
}
