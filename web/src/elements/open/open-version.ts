import { BevError } from "../../base/errors.js";
import { Converter } from "../../converting/converter.js";
import type { VersionScene } from "../../converting/protocol.js";
import { FetchSource } from "../../source/fetch-source.js";
import type { FileSource } from "../../source/file-source.js";
import { beside } from "../../source/url.js";
import type { Opened } from "../session/dataset.js";
import {
	explainedFailure,
	openConverted,
	openedSet,
	type ReadFile,
	type ScenarioOptions,
} from "./converted.js";
import { nameOf } from "./places.js";
import { ScenarioSet, type ScenarioSource } from "./scenario-set.js";

/** Bytes of a table that are converted at once: between two reports of progress. */
const PART = 2 ** 23;

/** The files of a version of nuScenes. */
interface VersionFolder {
	readonly name: string;
	/** Reads a file of the version's folder. */
	readonly table: ReadFile;
	/** Reads a file of the folder `maps` beside it. */
	readonly map: ReadFile;
}

/** Passes the tables to the converter, and what the prediction challenge asks for. */
async function readTables(
	converter: Converter,
	{ name, table, map }: VersionFolder,
	{ signal, onProgress }: ScenarioOptions,
): Promise<readonly VersionScene[]> {
	const names = await converter.ask({ kind: "files" }, { signal });
	const list = names.at(-1) ?? "";
	let scenes: readonly VersionScene[] = [];
	let bytes = 0;
	for (const one of names) {
		onProgress?.({ what: "Reading the tables", bytes, requests: 0 });
		const path = `${one}.json`;
		const file = await (one === list ? map(`prediction/${path}`) : table(path));
		if (!file && one === list) break;
		if (!file) throw new BevError("not_found", `${name}/${path}: not found`);
		let end = 0;
		do {
			const part = file.slice(end, end + PART);
			end += part.size;
			const isLast = end >= file.size;
			const asked = { kind: "table", file: part, name, table: one, isLast } as const;
			scenes = await converter.ask(asked, { signal });
			bytes += part.size;
			onProgress?.({ what: "Reading the tables", bytes, requests: 0 });
		} while (end < file.size);
	}
	return scenes;
}

/** Returns the scenes; each location's map is read when one of its scenes is opened. */
function sourcesOf(
	{ name, map }: VersionFolder,
	scenes: readonly VersionScene[],
): ScenarioSource[] {
	const maps = new Map<string, Promise<Blob | undefined>>();
	const mapOf = async (location: string) => {
		if (location === "") return undefined;
		const path = `expansion/${location}.json`;
		const reading = maps.get(location) ?? map(path);
		maps.set(location, reading);
		reading.catch(() => maps.delete(location));
		const file = await reading;
		return file && { file, name: `maps/${path}` };
	};
	return scenes.map(({ name: title, location }, scene) => ({
		name: title,
		request: async () => {
			const found = await mapOf(location);
			return { kind: "nuscenes", name, scene, location, map: found } as const;
		},
	}));
}

/**
 * Opens a version of nuScenes: its tables are read once, and a scene is converted when it
 * is shown.
 */
async function openVersion(
	folder: VersionFolder,
	options: ScenarioOptions,
): Promise<Opened> {
	const { signal, open } = options;
	const converter = await Converter.start({ signal });
	const close = () => converter.close();
	try {
		const scenes = await readTables(converter, folder, options);
		const [only, ...more] = sourcesOf(folder, scenes);
		if (!only) throw new BevError("not_found", `${folder.name}: no scenes found`);
		if (more.length === 0) {
			const opened = await openConverted(converter, await only.request(), options);
			close();
			return opened;
		}
		const load = async (
			source: ScenarioSource,
			wish: { readonly signal: AbortSignal },
		) => {
			const request = await source.request();
			return openConverted(converter, request, { open, ...wish }).catch((error) => {
				wish.signal.throwIfAborted();
				throw explainedFailure(error);
			});
		};
		return openedSet(new ScenarioSet([only, ...more], load, close));
	} catch (error) {
		close();
		signal?.throwIfAborted();
		throw explainedFailure(error);
	}
}

/** Opens the version in a folder among the user's files. */
export function openVersionIn(
	files: FileSource,
	root: string,
	{ name, ...options }: ScenarioOptions & { readonly name: string },
): Promise<Opened> {
	const parent = root.slice(0, root.length - nameOf(root).length);
	const isTop = root === "";
	return openVersion(
		{
			name: isTop ? name : nameOf(root),
			table: (path) => files.file(isTop ? path : `${root}/${path}`),
			map: async (path) => (isTop ? undefined : files.file(`${parent}maps/${path}`)),
		},
		options,
	);
}

/** Opens the version at a URL, which is not listed. Returns undefined for other folders. */
export async function openVersionAt(
	url: URL,
	options: ScenarioOptions,
): Promise<Opened | undefined> {
	const { signal } = options;
	const reader = (folder: URL): ReadFile => {
		const source = new FetchSource(folder);
		return async (key) => {
			const bytes = await source.read(key, { signal, required: false });
			return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>]);
		};
	};
	const table = reader(url);
	if (!(await table("sensor.json"))) return undefined;
	const map = reader(beside(url, "../maps/"));
	return openVersion({ name: nameOf(url.href), table, map }, options);
}
