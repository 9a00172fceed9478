import { BevError } from "../../base/errors.js";
import {
	isCommonRoad,
	isLog,
	isPickle,
	isRecords,
	isScenarioList,
	isVersion,
	isXml,
	mapNameOf,
	scenarioId,
	VERSION_TABLE,
} from "../../converting/names.js";
import type { ConvertRequest } from "../../converting/protocol.js";
import type { FileSource } from "../../source/file-source.js";
import type { Listing } from "../../source/folder.js";
import { nameOf } from "./places.js";
import type { ScenarioSource } from "./scenario-set.js";

/** Maximum depth of scenarios: a dropped parent folder, its `train`, the scenario. */
const DEPTH = 4;

/** Folders of one level that are searched for a scenario. */
const TRIED = 3;

const MARKERS = [".zgroup", ".zarray", ".zmetadata", "zarr.json"];

function join(folder: string, name: string): string {
	return folder === "" ? name : `${folder}/${name}`;
}

/** Returns the files of one format in a folder: pickles, or otherwise scenarios of CommonRoad. */
async function scenariosAmong(files: FileSource, names: string[]): Promise<string[]> {
	const pickles = names.filter(isPickle).sort();
	const [first, ...more] = names.filter(isXml).sort();
	const isOther = names.some((name) => isRecords(name) || isLog(name));
	if (pickles.length > 0 || first === undefined || isOther) return pickles;
	return (await isCommonRoad(await files.file(first))) ? [first, ...more] : [];
}

/**
 * Returns the scenarios that are a file each among the user's files: their paths, at the top
 * or in its folders, or whether lists name them. Other data sets have none, but may lie
 * beside some.
 */
export async function scenarioFilesIn(
	files: FileSource,
): Promise<{ listed: boolean; paths: string[] }> {
	const top = await files.contents();
	const others = [...top.files, ...top.folders.filter((name) => /\.zarr$/i.test(name))];
	const isOther = others.some(
		(name) => MARKERS.includes(name) || /\.z(ip|arr)$/i.test(name),
	);
	if (isOther) return { listed: false, paths: [] };
	const paths = await scenariosAmong(files, [...top.files]);
	if (paths.some(isScenarioList)) return { listed: true, paths };
	if (paths.length > 0 || top.files.length > 0) return { listed: false, paths };
	for (const folder of [...top.folders].sort()) {
		const inner = files.below(folder);
		const names = (await inner.contents()).files.filter(
			(name) => !isScenarioList(name),
		);
		const found = await scenariosAmong(inner, names);
		if (found.length === 0) return { listed: false, paths };
		for (const name of found) paths.push(join(folder, name));
	}
	return { listed: false, paths };
}

/**
 * Returns the folders of versions of nuScenes among the user's files: `root` if it is one;
 * without it the top, "", or those in it that are named as versions are.
 */
export async function versionsIn(
	files: FileSource,
	root: string | undefined,
): Promise<string[]> {
	if (root === undefined) {
		const { files: names, folders } = await files.contents();
		if (names.includes(VERSION_TABLE)) return [""];
		const named = folders.filter(isVersion).sort();
		return (await Promise.all(named.map((name) => versionsIn(files, name)))).flat();
	}
	const isNamed = isVersion(nameOf(root));
	return isNamed && (await files.size(join(root, VERSION_TABLE))) ? [root] : [];
}

function tracksIn({ files }: Listing): string[] {
	return files.filter((name) => scenarioId(name) !== undefined).sort();
}

/** Returns the request for a scenario whose tracks are the file `name` in `folder`. */
async function requestIn(
	files: FileSource,
	folder: string,
	name: string,
): Promise<ConvertRequest> {
	const file = await files.file(join(folder, name));
	if (!file) throw new BevError("not_found", `${join(folder, name)}: not found`);
	const mapName = mapNameOf(scenarioId(name) ?? "");
	const map = await files.file(join(folder, mapName));
	return {
		kind: "argoverse2",
		file,
		name,
		map: map && { file: map, name: mapName },
	};
}

/** Returns the scenario in a folder, which is listed when it is opened. */
function folderSource(files: FileSource, folder: string): ScenarioSource {
	return {
		name: folder,
		request: async () => {
			const [name, ...more] = tracksIn(await files.below(folder).contents());
			if (name !== undefined && more.length === 0)
				return requestIn(files, folder, name);
			const found = name === undefined ? "none" : `${more.length + 1}`;
			throw new BevError(
				"not_found",
				`${folder}: no scenario (found ${found}, expected one scenario_ID.parquet)`,
			);
		},
	};
}

/** Returns the subfolders of `folders`. */
async function below(files: FileSource, folders: readonly string[]): Promise<string[]> {
	const out: string[] = [];
	for (const folder of folders) {
		const { folders: inner } = await files.below(folder).contents();
		for (const name of [...inner].sort()) out.push(join(folder, name));
	}
	return out;
}

/**
 * Returns how far below the top the folders of scenarios are; undefined if there are
 * none. Follows the first folder of each level.
 */
async function depthOf(files: FileSource, top: Listing): Promise<number | undefined> {
	let at = "";
	let { folders } = top;
	for (let depth = 1; depth < DEPTH; depth += 1) {
		const [first, ...more] = [...folders].sort();
		if (first === undefined) return undefined;
		let next: Listing | undefined;
		for (const name of [first, ...more].slice(0, TRIED)) {
			const listing = await files.below(join(at, name)).contents();
			if (listing.files.some((file) => MARKERS.includes(file))) return undefined;
			if (tracksIn(listing).length > 0) return depth;
			next ??= listing;
		}
		at = join(at, first);
		folders = next?.folders ?? [];
	}
	return undefined;
}

/**
 * Returns the Argoverse 2 scenarios among the user's files: `scenario_ID.parquet` at the
 * top, or a scenario per folder below, of which only a few are listed here. Empty if
 * there are none.
 */
export async function scenariosIn(files: FileSource): Promise<ScenarioSource[]> {
	const top = await files.contents();
	if (top.files.some((name) => MARKERS.includes(name))) return [];
	const here = tracksIn(top);
	if (here.length > 0) {
		return here.map((name) => ({
			name: scenarioId(name) ?? name,
			request: () => requestIn(files, "", name),
		}));
	}
	const depth = await depthOf(files, top);
	if (depth === undefined) return [];
	let folders: string[] = [...top.folders].sort();
	for (let level = 1; level < depth; level += 1) folders = await below(files, folders);
	return folders.map((folder) => folderSource(files, folder));
}
