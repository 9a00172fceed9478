import { beside } from "../../source/url.js";

/** Where L5Kit's layout keeps the semantic map below a data folder. */
const MAP_KEY = "semantic_map/semantic_map.pb";
const META_KEY = "meta.json";

/** A data set's path, or that of an archive and of the data set in it. */
export interface InArchive {
	readonly path: string;
	readonly folder: string | undefined;
}

/** Takes `lyft.zip#scenes/train.zarr` apart; other fragments mean nothing here. */
export function inArchive(place: string): InArchive {
	const [, path, folder] = /^([^#]*\.zip(?:\?[^#]*)?)#(.+)$/is.exec(place) ?? [];
	if (!path || !folder) return { path: place, folder: undefined };
	return { path, folder: folder.split("/").map(decoded).join("/") };
}

/** The place that `inArchive` takes apart. */
export function archivePlace(path: string, folder: string): string {
	return `${path}#${folder.split("/").map(encodeURIComponent).join("/")}`;
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment; // a stray % is a character like any other
	}
}

/** `address` without its query and fragment, and without slashes at its end. */
function bare(address: string): string {
	return address.replace(/[?#].*$/s, "").replace(/\/+$/, "");
}

/** The last segment, as a person names the data set: `sample.zarr`. */
export function nameOf(address: string): string {
	return segmentsOf(address).at(-1) ?? address;
}

/** Host and folders, for the top bar: `data.example.org`, `l5`, `sample.zarr`. */
export function segmentsOf(address: string): string[] {
	const { folder = "" } = inArchive(address);
	const path = bare(address).replace(/^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?/i, "");
	const outside = path.split("/").map(decoded);
	return [...outside, ...folder.split("/")].filter((segment) => segment !== "");
}

/** Where a semantic map and the `meta.json` that places it may lie. */
export interface MapPlace<T> {
	readonly map: T;
	readonly meta: T;
}

/** The folder of scenes in L5Kit's layout, whose parent holds map and `meta.json`. */
const SCENES = "scenes";

/**
 * The folder that holds the data set and the one above, the likelier one first: a request for
 * what is absent is an error in the browser's console. A query (a signature, say) is kept.
 */
export function foldersAround(address: string | URL): URL[] {
	const root = new URL(address);
	const folders = ["../", "../../"].map((path) => beside(root, path));
	const distinct = [...new Map(folders.map((one) => [one.pathname, one])).values()];
	const inScenes = segmentsOf(root.href).at(-2) === SCENES;
	return inScenes ? distinct.reverse() : distinct;
}

/** The same folders among the keys of one; `root` is the data set's own path. */
export function folderKeys(root: string): string[] {
	const segments = root.split("/").filter((segment) => segment !== "");
	const parents = [segments.slice(0, -1), segments.slice(0, -2)];
	if (segments.at(-2) === SCENES) parents.reverse();
	return [...new Set(parents.map((parent) => parent.map((s) => `${s}/`).join("")))];
}

/** Keys of the map and of `meta.json` below a folder, the usual ones first. */
export const MAP_KEYS: readonly MapPlace<string>[] = [{ map: MAP_KEY, meta: META_KEY }];

/** The same among files: also a map that lies beside its `meta.json`. */
export const FILE_MAP_KEYS: readonly MapPlace<string>[] = [
	...MAP_KEYS,
	{ map: "semantic_map.pb", meta: META_KEY },
];

/** Says that `address`, the value of `what`, cannot be fetched. */
export function invalidAddress(what: string, address: string): string {
	return `${what}: invalid address (found ${address}, expected an http or https address)`;
}

/** An address as typed, absolute; undefined where it is none that can be fetched. */
export function resolved(address: string, base: string): URL | undefined {
	try {
		const url = new URL(address.trim(), base);
		return /^https?:$/.test(url.protocol) ? url : undefined;
	} catch {
		return undefined;
	}
}
