import { refuse } from "../base/arguments.js";
import { BevError, ioError } from "../base/errors.js";
import { isAbsent, nodeFs } from "../source/node-files.js";
import { type ArrayStore, type ListedObject, lockArray } from "./array-store.js";
import { nodeStore } from "./node-folder.js";

/** A statement of the caller's. */
export interface SoleWriter {
	/** Whether no other process writes the arrays: Node cannot exclude it. */
	readonly soleWriter: true;
}

async function listFiles(root: string, path: string): Promise<ListedObject[]> {
	const fs = nodeFs();
	const folder = path ? `${root}/${path}` : root;
	const found: ListedObject[] = [];
	try {
		for (const name of await fs.readdir(folder, { recursive: true })) {
			const key = path ? `${path}/${name}` : name;
			try {
				const file = await fs.stat(`${root}/${key}`);
				if (file.isFile()) found.push({ key, size: file.size });
			} catch (error) {
				if (!isAbsent(error)) throw error; // else others have removed it meanwhile
			}
		}
	} catch (error) {
		if (isAbsent(error)) return [];
		throw ioError(root, path, error);
	}
	return found;
}

/**
 * Arrays in a folder of Node's file system, whose objects survive a power failure. Node has
 * no locks that other programs respect. So the caller states that this process is the only
 * writer; its tasks, and from Node 24 its worker threads, exclude each other. Other
 * processes may read.
 *
 * @throws BevError `unsupported` without that statement
 */
export function nodeArrays(path: string, options: SoleWriter): ArrayStore {
	if (typeof path !== "string" || path === "") {
		refuse("nodeArrays", path ?? null, "a path");
	}
	if ((options as Partial<SoleWriter> | undefined)?.soleWriter !== true) {
		throw new BevError(
			"unsupported",
			`${path}: Node cannot lock arrays against other processes (expected { soleWriter: true } if there are none that write; Python, C++ and the shell exclude each other)`,
		);
	}
	const store = nodeStore(path);
	return {
		name: path,
		read: async (key, signal) => ({ bytes: await store.read(key, { signal }) }),
		async replace(key, bytes) {
			await store.put(key, bytes);
			return true;
		},
		remove: (key) => store.remove(key),
		list: (array) => listFiles(path, array),
		lock: (array, name, exclusive) => lockArray(path, array, name, exclusive),
	};
}
