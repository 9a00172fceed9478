import { type Folder, folderOf } from "../../source/folder.js";
import type { Place } from "../session/dataset.js";
import type { DropItem } from "./drop-plan.js";

type FilesPlace = Extract<Place, { kind: "files" }>;

/** Dropped files and folders. */
export interface Dropped {
	readonly items: readonly DropItem[];
	readonly files: readonly File[];
	/** All items as one place to open. */
	readonly place: FilesPlace;
}

export function hasFiles(event: DragEvent): boolean {
	return event.dataTransfer?.types.includes("Files") ?? false;
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

/** Returns the folders and files of one drop as one folder. */
export function joinedFolder(
	folders: ReadonlyMap<string, Folder>,
	files: ReadonlyMap<string, Blob>,
): Folder {
	const inside = (path: string): [Folder | undefined, string] => {
		const [first = "", ...rest] = path.split("/");
		return [folders.get(first), rest.join("/")];
	};
	return {
		file: async (path) => {
			const [folder, rest] = inside(path);
			return folder ? folder.file(rest) : files.get(path);
		},
		list: async (path) => {
			if (path === "")
				return { files: [...files.keys()], folders: [...folders.keys()] };
			const [folder, rest] = inside(path);
			return folder ? folder.list(rest) : { files: [], folders: [] };
		},
	};
}

/** A dropped item in browsers with the File System Access API. */
interface KeptItem {
	getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** Returns handles of the dropped items. Must be called during the event. */
function handlesOf(
	items: Iterable<DataTransferItem>,
): Pick<FilesPlace, "handles"> | undefined {
	const given = [...items]
		.filter(({ kind }) => kind === "file")
		.map((item) => (item as KeptItem).getAsFileSystemHandle?.())
		.filter((handle) => handle !== undefined);
	if (given.length === 0) return undefined;
	const handles = Promise.all(given);
	handles.catch(() => {}); // handles are optional: they only allow reopening the files
	return { handles };
}

/** Returns the items dropped by `event`; undefined if there are none. */
export function droppedBy(event: DragEvent): Dropped | undefined {
	const { items = [], files = [] } = event.dataTransfer ?? {};
	const entries = [...items]
		.map((item) => (item.kind === "file" ? item.webkitGetAsEntry() : null))
		.filter((entry) => entry?.isDirectory)
		.map((entry) => entry as FileSystemDirectoryEntry);
	const names = new Set(entries.map(({ name }) => name));
	// A dropped folder is also listed in `files`, as an empty file.
	const plain = [...files].filter(({ name }) => !names.has(name));
	const [folder, ...more] = entries;
	const [first] = plain;
	const name = folder?.name ?? first?.name;
	if (name === undefined) return undefined;
	const alone = folder && more.length === 0 && plain.length === 0;
	const joined = (): Folder =>
		joinedFolder(
			new Map(entries.map((entry) => [entry.name, folderOf(entry)])),
			new Map(plain.map((file) => [file.name, file])),
		);
	return {
		items: [
			...entries.map((entry) => ({ name: entry.name, folder: true })),
			...plain.map((file) => ({ name: file.name, folder: false })),
		],
		files: plain,
		place: {
			kind: "files",
			name,
			files: alone ? folder : joined(),
			...handlesOf(items),
		},
	};
}

export interface DropHandlers {
	/**
	 * Called while files of these types are dragged over the element; undefined when that
	 * ends.
	 */
	over(types: readonly string[] | undefined): void;
	dropped(dropped: Dropped): void;
}

/** Reports drags and drops on `element` for its lifetime. */
export function watchDrops(element: HTMLElement, handlers: DropHandlers): void {
	const onDrag = (event: DragEvent): void => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		handlers.over(event.type === "dragover" ? heldTypes(event) : undefined);
	};
	element.addEventListener("dragover", onDrag);
	element.addEventListener("dragleave", onDrag);
	element.addEventListener("drop", (event) => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		handlers.over(undefined);
		const dropped = droppedBy(event);
		if (dropped) handlers.dropped(dropped);
	});
}
