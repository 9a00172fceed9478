import type { AbortOptions, ObjectFrom } from "../../api.js";
import { BevError, withoutSecrets } from "../../base/errors.js";
import type { MapView } from "../../dataset/map-view.js";
import { FileSource } from "../../source/file-source.js";
import { beside } from "../../source/url.js";
import type { MapPlace } from "../open/places.js";

/** Like `ChunkedDataset.map`: undefined if an object is absent, unless it is required. */
export type ReadMap = (
	map: ObjectFrom,
	meta: ObjectFrom,
	options: AbortOptions & { required?: boolean },
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
	let absent: BevError | undefined;
	for (const key of META_KEYS) {
		const meta = beside(folder, key);
		try {
			const view = await read(url, meta, { ...options, required: true });
			if (view) return { view, place: { map: url, meta } };
		} catch (error) {
			absent = absence(error);
			if (absent.url === withoutSecrets(url.href)) break;
		}
	}
	throw absentMap(url, absent);
}

/** Returns the error if it is that of an absent object, and rethrows others. */
function absence(error: unknown): BevError {
	if (error instanceof BevError && error.code === "not_found") return error;
	throw error;
}

/** Returns the error for the map at `url`, with the server's answer if it is known. */
function absentMap(url: URL, cause: BevError | undefined): BevError {
	const map = withoutSecrets(url.href);
	const { key, status, url: absent } = cause ?? {};
	const parts = [
		absent === undefined || absent === map ? "no map" : [],
		absent === map ? [] : "no meta.json in its folder or the parent folder",
	].flat();
	const answer = { cause, key, status, url: absent ?? map };
	return new BevError("not_found", `${map}: ${parts.join(", or ")}`, answer);
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
