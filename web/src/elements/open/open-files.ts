import { BevError } from "../../base/errors.js";
import { isLog, isLogMap, isRecords } from "../../converting/names.js";
import { FileSource } from "../../source/file-source.js";
import type { Opened, OpenerOptions, Place } from "../session/dataset.js";
import { explained } from "../session/explanation.js";
import { choiceOf } from "./open-choice.js";
import { type OpenDataset, openedOf } from "./opened.js";
import {
	archivePlace,
	FILE_MAP_KEYS,
	folderKeys,
	inArchive,
	nameOf,
} from "./places.js";

type Files = Extract<Place, { kind: "files" }>;

/** Files that mark a folder as a group rather than an array. */
const GROUP_MARKERS = [".zgroup", ".zmetadata", "zarr.json"];

/** A data set or zip among the user's files. */
interface Candidate {
	readonly root: string;
	readonly kind: "store" | "zip" | "records" | "log";
	/** Path of the data set in the zip. */
	readonly folder?: string | undefined;
}

/** Returns the folders among `roots` that are groups; all of them if none is. */
async function groups(files: FileSource, roots: readonly string[]): Promise<string[]> {
	const kept: string[] = [];
	for (const root of roots) {
		const below = files.below(root);
		const sizes = await Promise.all(GROUP_MARKERS.map((name) => below.size(name)));
		if (sizes.some((size) => size !== undefined)) kept.push(root);
	}
	return kept.length > 0 ? kept : [...roots];
}

async function candidates(files: FileSource): Promise<Candidate[]> {
	const roots = await files.roots();
	const stores = roots.length > 1 ? await groups(files, roots) : roots;
	if (stores.length > 0) return stores.map((root) => ({ root, kind: "store" }));
	const { files: names } = await files.contents();
	return names.map((root) => ({ root, kind: kindOf(root) })).filter(isFile);
}

function kindOf(root: string): Candidate["kind"] {
	if (/\.zip$/i.test(root)) return "zip";
	if (isLog(root)) return "log";
	return isRecords(root) ? "records" : "store";
}

function isFile({ kind }: Candidate): boolean {
	return kind !== "store";
}

/** Returns the error for files without a data set; lists what was found. */
async function nothing(files: FileSource, place: Files): Promise<BevError> {
	const { files: names, folders } = await files.contents();
	const all = [...folders.map((name) => `${name}/`), ...names];
	const shown = all.slice(0, 6).join(", ");
	const found = all.length > 6 ? `${shown} and ${all.length - 6} more` : shown;
	const error = new BevError(
		"missing_key",
		`${place.name}: no data set (found ${found || "an empty folder"}, expected a folder with .zgroup or scenario_ID.parquet)`,
	);
	const advice = [
		"Drop a *.zarr folder, a folder that contains one, a .zip, a scenario of Argoverse 2, a .db of nuPlan with its map.gpkg, a folder of tables of nuScenes, a .csv of INTERACTION with its .osm, a .pkl of ScenarioNet, a .tfrecord of Waymo, or an .xml of CommonRoad.",
		"Include the hidden files .zgroup, .zattrs and .zarray.",
	];
	return explained(error, { title: "No data set in these files", advice });
}

async function chosen(files: FileSource, place: Files): Promise<Candidate> {
	if (place.root !== undefined) {
		const { path: root, folder } = inArchive(place.root);
		return { root, kind: kindOf(root), folder };
	}
	const [only, ...others] = await candidates(files);
	if (!only) throw await nothing(files, place);
	if (others.length === 0) return only;
	const roots = [only, ...others].map(({ root }) => root);
	throw choiceOf(place.name, roots, (path) => at(place, path));
}

function at(place: Files, root: string): Files {
	return { ...place, root, name: nameOf(root) };
}

/** Opens scenarios that are a file each, of ScenarioNet or CommonRoad; undefined if there are none. */
async function openEach(
	files: FileSource,
	name: string,
	options: OpenerOptions & { readonly open: OpenDataset },
): Promise<Opened | undefined> {
	const { scenarioFilesIn } = await import("./scenario-files.js");
	const { listed, paths } = await scenarioFilesIn(files);
	if (paths.length === 0) return undefined;
	const { openListed, openScenarios, fileSource } = await import("./open-scenarios.js");
	const read = (path: string) => files.file(path);
	if (listed) return openListed(name, read, options);
	return openScenarios(
		paths.map((path) => fileSource(path, read)),
		options,
	);
}

/** Opens simulations of nuPlan; undefined if there are none. */
async function openSimulations(
	files: FileSource,
	options: OpenerOptions & { readonly open: OpenDataset },
): Promise<Opened | undefined> {
	const { simulationsIn } = await import("./simulation-files.js");
	const sources = await simulationsIn(files);
	if (sources.length === 0) return undefined;
	const { openScenarios } = await import("./open-scenarios.js");
	return openScenarios(sources, options);
}

/** Opens a version of nuScenes; undefined if there is none. */
async function openTables(
	files: FileSource,
	place: Files,
	options: OpenerOptions & { readonly open: OpenDataset },
): Promise<Opened | undefined> {
	const { versionsIn } = await import("./scenario-files.js");
	const found = await versionsIn(files, place.root);
	if (found.length > 1) {
		throw choiceOf(place.name, found, (path) => at(place, path));
	}
	const [root] = found;
	if (root === undefined) return undefined;
	const { openVersionIn } = await import("./open-version.js");
	return openVersionIn(files, root, { ...options, name: place.name });
}

/**
 * Opens the user's files.
 *
 * @throws BevError with a choice if they contain several data sets.
 */
export async function openFiles(
	place: Files,
	open: OpenDataset,
	progress: OpenerOptions,
): Promise<Opened> {
	const { ego } = place;
	const options = { ...progress, open, ego };
	const files = new FileSource(place.files);
	const version = await openTables(files, place, options);
	if (version) return version;
	if (place.root === undefined) {
		const { scenariosIn } = await import("./scenario-files.js");
		const scenarios = await scenariosIn(files);
		if (scenarios.length > 0) {
			const { openScenarios } = await import("./open-scenarios.js");
			return openScenarios(scenarios, options);
		}
		const opened = await openEach(files, place.name, options);
		if (opened) return opened;
		const simulations = await openSimulations(files, options);
		if (simulations) return simulations;
		const { tracksIn } = await import("./tracks-in.js");
		const found = await tracksIn(files);
		if (found.tracks.length > 0) {
			const { openTracks } = await import("./open-tracks.js");
			const read = (path: string) => files.file(path);
			return openTracks(found, read, options);
		}
	}
	const { root, kind, folder } = await chosen(files, place);
	const below = (folder: string) => (folder === "" ? files : files.below(folder));
	const around = () => folderKeys(root).map(below);
	const parent = () => below(root.replace(/[^/]+\/?$/, ""));
	if (ego !== undefined && (kind === "store" || kind === "zip")) {
		const expected = "(expected scenarios of CommonRoad or INTERACTION)";
		throw new BevError("invalid_argument", `ego ${ego}: a data set ${expected}`);
	}
	if (kind === "store") {
		const own = () => files.below(root);
		const dataset = await open(own());
		return openedOf({
			...{ dataset, folders: around, own, beside: parent },
			mapKeys: FILE_MAP_KEYS,
		});
	}
	const file = await files.file(root);
	if (!file) throw await nothing(files, place);
	if (kind === "records") {
		const { openRecords } = await import("./open-scenarios.js");
		return openRecords({ file, name: nameOf(root) }, options);
	}
	if (kind === "log") {
		const { openLocalLog } = await import("./open-scenarios.js");
		const maps = (await files.contents()).files.filter(isLogMap).sort();
		const mapFile = maps[0] === undefined ? undefined : await files.file(maps[0]);
		const map = mapFile && { file: mapFile, name: nameOf(maps[0] ?? "") };
		const log = { file, name: nameOf(root) };
		return openLocalLog({ log, map }, options);
	}
	const { openArchive } = await import("./open-zip.js");
	const from = new File([file], nameOf(root));
	const { dataset, folders: inside } = await openArchive(from, {
		open,
		folder,
		name: from.name,
		placeOf: (store) => at(place, archivePlace(root, store)),
	});
	const folders = () => [...inside(), ...around()];
	return openedOf({ dataset, folders, beside: parent, mapKeys: FILE_MAP_KEYS });
}
