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

/** The file that was dropped, if it is predictions and nothing else. */
export function predictionsIn({ files }: Dropped): File | undefined {
	const [file, ...more] = files instanceof FileList ? files : [];
	return more.length === 0 && /\.csv$/i.test(file?.name ?? "") ? file : undefined;
}

export interface DropHandlers {
	/** Files are held over the element, or no longer. */
	over(held: boolean): void;
	dropped(folder: Dropped): void;
}

/** Tells what is dragged onto `element`, as long as it lives. */
export function watchDrops(element: HTMLElement, handlers: DropHandlers): void {
	const onDrag = (event: DragEvent): void => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		handlers.over(event.type === "dragover");
	};
	element.addEventListener("dragover", onDrag);
	element.addEventListener("dragleave", onDrag);
	element.addEventListener("drop", (event) => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		handlers.over(false);
		const folder = droppedFolder(event);
		if (folder) handlers.dropped(folder);
	});
}
