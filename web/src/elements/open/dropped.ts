import { type Folder, folderOf } from "../../source/folder.js";
import type { Place } from "../session/dataset.js";
import type { DropParts } from "./drop.js";
import type { DropItem } from "./drop-plan.js";

type FilesPlace = Extract<Place, { kind: "files" }>;

/** Dropped files and folders. */
export interface Dropped {
	readonly items: readonly DropItem[];
	readonly files: readonly File[];
	/** All items as one place to open. */
	readonly place: FilesPlace;
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

/** Returns the dropped items; undefined if there are none. */
export function droppedBy({ folders, files, handles }: DropParts): Dropped | undefined {
	const [folder, ...more] = folders;
	const [first] = files;
	const name = folder?.name ?? first?.name;
	if (name === undefined) return undefined;
	const alone = folder && more.length === 0 && files.length === 0;
	const joined = (): Folder =>
		joinedFolder(
			new Map(folders.map((entry) => [entry.name, folderOf(entry)])),
			new Map(files.map((file) => [file.name, file])),
		);
	return {
		items: [
			...folders.map(({ name }) => ({ name, folder: true })),
			...files.map(({ name }) => ({ name, folder: false })),
		],
		files,
		place: {
			...{ kind: "files", name, files: alone ? folder : joined() },
			...(handles && { handles }),
		},
	};
}
