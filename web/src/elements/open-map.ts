import type { AbortOptions, ObjectFrom } from "../api.js";
import { BevError } from "../errors.js";
import type { MapView } from "../map-view.js";
import { FileSource } from "../source/file-source.js";

/** As `ChunkedDataset.map`: undefined where one of the two is not there. */
export type ReadMap = (
	map: ObjectFrom,
	meta: ObjectFrom,
	options: AbortOptions,
) => Promise<MapView | undefined>;

/** Where `meta.json` lies around a map: as L5Kit has it, or in the same folder. */
const META_KEYS = ["../meta.json", "meta.json"];

/** The map at an address, with the `meta.json` that places it. */
export async function mapAt(
	url: URL,
	read: ReadMap,
	options: AbortOptions,
): Promise<MapView> {
	for (const key of META_KEYS) {
		const meta = new URL(key, url);
		meta.search = url.search;
		const map = await read(url, meta, options);
		if (map) return map;
	}
	throw new BevError(
		"not_found",
		`${url.href}: there is no map, or no meta.json in its folder or the one above`,
		{ url: url.href },
	);
}

/** The map among files that a person chose, with the `meta.json` that places it. */
export async function mapOf(
	files: readonly File[],
	read: ReadMap,
	options: AbortOptions,
): Promise<MapView> {
	const meta = files.find(({ name }) => /\.json$/i.test(name));
	const pb = files.find((file) => file !== meta);
	const source = new FileSource(new Map(files.map((file) => [file.name, file])));
	const map =
		meta &&
		pb &&
		(await read({ source, key: pb.name }, { source, key: meta.name }, options));
	if (map) return map;
	throw new BevError(
		"missing_key",
		"choose two files together: the map, and the meta.json that says where it lies",
	);
}
