import { isLaneletMap, isTable } from "../../converting/names.js";
import type { FileSource } from "../../source/file-source.js";

/** Levels below the top at which tracks and maps are searched, and folders looked at. */
const DEPTH = 3;
const MAX_FOLDERS = 200;

const MARKERS = [".zgroup", ".zarray", ".zmetadata", "zarr.json"];

/** Tracks of INTERACTION, and maps of Lanelet2, by path. */
export interface Found {
	readonly tracks: readonly string[];
	readonly maps: readonly string[];
}

/**
 * Whether a table may be tracks of INTERACTION: its first line has the column `agent_type`.
 * Their reader checks the others.
 */
export async function mayBeTracks(file: Blob): Promise<boolean> {
	const [head = ""] = (await file.slice(0, 4096).text()).split(/[\r\n]/, 1);
	return head.split(",").includes("agent_type");
}

/** Returns the tracks and maps among the user's files; no folder of a store is listed. */
export async function tracksIn(files: FileSource): Promise<Found> {
	const tracks: string[] = [];
	const maps: string[] = [];
	let folders = [""];
	let listed = 0;
	for (let depth = 0; depth <= DEPTH && folders.length > 0; depth += 1) {
		const next: string[] = [];
		for (const folder of folders) {
			listed += 1;
			if (listed > MAX_FOLDERS) break;
			const below = folder === "" ? files : files.below(folder);
			const listing = await below.contents();
			if (listing.files.some((name) => MARKERS.includes(name))) continue;
			const path = (name: string) => (folder === "" ? name : `${folder}/${name}`);
			for (const name of listing.files.filter(isLaneletMap)) maps.push(path(name));
			for (const name of listing.files.filter(isTable)) {
				const file = await files.file(path(name));
				if (file && (await mayBeTracks(file))) tracks.push(path(name));
			}
			for (const name of listing.folders) {
				if (!/\.zarr$/i.test(name)) next.push(path(name));
			}
		}
		folders = next;
	}
	return { tracks: tracks.sort(), maps: maps.sort() };
}
