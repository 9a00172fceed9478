import type { AbortOptions, ObjectFrom } from "../../api.js";
import { BevError, withoutSecrets } from "../../errors.js";
import type { MapView } from "../../map-view.js";
import { FileSource } from "../../source/file-source.js";
import { beside } from "../../source/url.js";
import type { MapPlace } from "../open/places.js";

/** Like `ChunkedDataset.map`: undefined if one of the objects is absent. */
export type ReadMap = (
	map: ObjectFrom,
	meta: ObjectFrom,
	options: AbortOptions,
) => Promise<MapView | undefined>;

/** A map and the locations of its files. */
export interface FoundMap {
	readonly view: MapView;
	readonly place: MapPlace<ObjectFrom>;
}

/** Locations of `meta.json` relative to a map: L5Kit's layout, or the same folder. */
const META_KEYS = ["../meta.json", "meta.json"];

/** Reads the map at an address, and the `meta.json` that georeferences it. */
export async function mapAt(
	url: URL,
	read: ReadMap,
	options: AbortOptions,
): Promise<FoundMap> {
	const folder = new URL(".", url);
	folder.search = url.search;
	for (const key of META_KEYS) {
		const meta = beside(folder, key);
		const view = await read(url, meta, options);
		if (view) return { view, place: { map: url, meta } };
	}
	throw new BevError(
		"not_found",
		`${withoutSecrets(url.href)}: no map, or no meta.json in its folder or the parent folder`,
		{ url: url.href },
	);
}

/** Reads the map among the user's files, and the `meta.json` that georeferences it. */
export async function mapOf(
	files: readonly File[],
	read: ReadMap,
	options: AbortOptions,
): Promise<FoundMap> {
	const meta = files.find(({ name }) => /\.json$/i.test(name));
	const pb = files.find((file) => file !== meta);
	const source = new FileSource(new Map(files.map((file) => [file.name, file])));
	if (meta && pb) {
		const place = {
			map: { source, key: pb.name },
			meta: { source, key: meta.name },
		};
		const view = await read(place.map, place.meta, options);
		if (view) return { view, place };
	}
	throw new BevError(
		"missing_key",
		"map: choose two files together, the map and its meta.json",
	);
}
