import { folderOf } from "../../source/folder.js";
import { formatLink, type LinkState, parseLink } from "../link/link.js";
import { linkOf } from "../link/link-of.js";
import { withoutCredentials } from "../link/link-secrets.js";
import type { ViewerController } from "../session/controller.js";
import type { Place } from "../session/dataset.js";
import { joinedFolder } from "./dropped.js";

type FilesPlace = Extract<Place, { kind: "files" }>;

/** The last opened files, with handles that allow reopening them. */
export interface StoredFolder {
	readonly name: string;
	readonly root: string | undefined;
	readonly handles: readonly FileSystemHandle[];
}

/** Chromium only; other browsers need no permission. */
interface Permitted {
	requestPermission?(descriptor: { mode: "read" }): Promise<PermissionState>;
}

const DATABASE = "bevscope";
const FOLDERS = "folders";
const LAST = "last";
/** Storage key of the scene, frame and other link state. */
const STATE_KEY = "bevscope.folder.state";
/** Minimum interval between writes of the state. */
const PACE_MS = 250;

function answer<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

async function withFolders<T>(
	mode: IDBTransactionMode,
	act: (folders: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
	const opening = indexedDB.open(DATABASE, 1);
	opening.onupgradeneeded = () => opening.result.createObjectStore(FOLDERS);
	const database = await answer(opening);
	try {
		const transaction = database.transaction(FOLDERS, mode);
		return await answer(act(transaction.objectStore(FOLDERS)));
	} finally {
		database.close();
	}
}

/** Returns the files opened last; undefined if there are none or storage is forbidden. */
export async function storedFolder(): Promise<StoredFolder | undefined> {
	try {
		return await withFolders<StoredFolder | undefined>("readonly", (folders) =>
			folders.get(LAST),
		);
	} catch {
		return undefined;
	}
}

/** Removes the stored handles and state. */
export async function forgetFolder(): Promise<void> {
	try {
		localStorage.removeItem(STATE_KEY);
		await withFolders("readwrite", (folders) => folders.delete(LAST));
	} catch {
		// Storage is forbidden, so nothing was stored.
	}
}

function keepState(controller: ViewerController): void {
	try {
		const state = withoutCredentials(linkOf(controller.state));
		localStorage.setItem(STATE_KEY, formatLink(state));
	} catch {
		// Storage is forbidden or full: the folder opens at its first frame.
	}
}

/** Stores the handles of `place`, and its link state while it is open. */
export async function storeFolder(
	controller: ViewerController,
	place: FilesPlace,
): Promise<void> {
	const { name, root, handles } = place;
	if (!handles) return;
	try {
		const known = (await handles).filter((handle) => handle !== null);
		if (known.length === 0 || controller.state.place !== place) return;
		const stored: StoredFolder = { name, root, handles: known };
		await withFolders("readwrite", (folders) => folders.put(stored, LAST));
	} catch {
		return; // Storage is forbidden, or the browser cannot store handles.
	}
	let timer: ReturnType<typeof setTimeout> | undefined;
	const stop = controller.store.subscribe(() => {
		if (controller.state.place !== place) {
			clearTimeout(timer);
			stop();
			return;
		}
		timer ??= setTimeout(() => {
			timer = undefined;
			keepState(controller);
		}, PACE_MS);
	});
	if (controller.state.place === place) keepState(controller);
}

/** Returns the stored link state of the files opened last. */
export function storedState(): LinkState {
	try {
		return parseLink(localStorage.getItem(STATE_KEY) ?? "").state;
	} catch {
		return {};
	}
}

/**
 * Requests permission for the files, which prompts the user; must be called in a click
 * handler. Returns the place to open, or undefined if the user declined.
 */
export async function askAgain({
	name,
	root,
	handles,
}: StoredFolder): Promise<FilesPlace | undefined> {
	for (const handle of handles) {
		const { requestPermission } = handle as Permitted;
		const state = await requestPermission?.call(handle, { mode: "read" });
		if (state !== undefined && state !== "granted") return undefined;
	}
	const place = { kind: "files", name, handles: Promise.resolve(handles) } as const;
	const isFolder = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle =>
		handle.kind === "directory";
	const folders = handles.filter(isFolder);
	const [only] = folders;
	const rooted = root === undefined ? {} : { root };
	if (only && handles.length === 1) return { ...place, ...rooted, files: only };
	const files = await Promise.all(
		handles
			.filter((handle) => handle.kind === "file")
			.map(async (handle) => {
				const file = await (handle as FileSystemFileHandle).getFile();
				return [handle.name, file] as const;
			}),
	);
	const inside = folders.map((folder) => [folder.name, folderOf(folder)] as const);
	return { ...place, ...rooted, files: joinedFolder(new Map(inside), new Map(files)) };
}
