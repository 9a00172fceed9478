import { BevError } from "../../base/errors.js";
import type { Converter } from "../../converting/converter.js";
import { localFile, type RangedFile, remoteFile } from "../../converting/log.js";
import { VERSION_TABLE } from "../../converting/names.js";
import type { VersionScene } from "../../converting/protocol.js";
import { FetchSource } from "../../source/fetch-source.js";
import type { FileSource } from "../../source/file-source.js";
import { beside } from "../../source/url.js";
import type { Opened } from "../session/dataset.js";
import { openReading, type ReadFile, type ScenarioOptions } from "./converted.js";
import { nameOf } from "./places.js";
import type { ScenarioSource } from "./scenario-set.js";

/** Bytes of a table that are converted at once: between two reports of progress. */
const PART = 2 ** 23;

/** The files of a version of nuScenes. */
interface VersionFolder {
	readonly name: string;
	/** Returns a table of the version's folder, which is read by ranges. */
	readonly table: (path: string) => Promise<RangedFile | undefined>;
	/** Reads a file of the folder `maps` beside it. */
	readonly map: ReadFile;
}

/** Returns a file of this machine as one that is read by ranges. */
function ranged(file: Blob | undefined, name: string): RangedFile | undefined {
	return file && localFile({ file, name });
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
		const file =
			one === list ? ranged(await map(`prediction/${path}`), path) : await table(path);
		if (!file && one === list) break;
		if (!file) throw new BevError("not_found", `${name}/${path}: not found`);
		let end = 0;
		do {
			const part = await file.read(end, Math.min(file.size, end + PART), signal);
			end += part.length;
			const isLast = end >= file.size;
			const asked = { kind: "table", part, name, table: one, isLast } as const;
			scenes = await converter.ask(asked, { signal });
			bytes += part.length;
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
function openVersion(folder: VersionFolder, options: ScenarioOptions): Promise<Opened> {
	return openReading(options, async (converter) => {
		const scenes = await readTables(converter, folder, options);
		const tags = scenes.map((scene) => scene.tags);
		return {
			name: folder.name,
			sources: sourcesOf(folder, scenes),
			tags: async () => tags,
		};
	});
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
			table: async (path) =>
				ranged(await files.file(isTop ? path : `${root}/${path}`), path),
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
	const tables = new FetchSource(url);
	const table = (path: string) => remoteFile(tables, path, signal);
	if (!(await table(VERSION_TABLE))) return undefined;
	const maps = new FetchSource(beside(url, "../maps/"));
	const map: ReadFile = async (key) => {
		const bytes = await maps.read(key, { signal, required: false });
		return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>]);
	};
	return openVersion({ name: nameOf(url.href), table, map }, options);
}
