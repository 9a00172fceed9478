import { beside } from "../../source/url.js";
import { shownAddress } from "./secrets.js";

/** Path of the semantic map in L5Kit's layout. */
const MAP_KEY = "semantic_map/semantic_map.pb";
const META_KEY = "meta.json";

/** The path of a data set, or of an archive and the data set in it. */
export interface InArchive {
	readonly path: string;
	readonly folder: string | undefined;
}

/** Splits `lyft.zip#scenes/train.zarr`; other fragments are not split. */
export function inArchive(place: string): InArchive {
	const [, path, folder] = /^([^#]*\.zip(?:\?[^#]*)?)#(.+)$/is.exec(place) ?? [];
	if (!path || !folder) return { path: place, folder: undefined };
	return { path, folder: folder.split("/").map(decoded).join("/") };
}

/** The inverse of `inArchive`. */
export function archivePlace(path: string, folder: string): string {
	return `${path}#${folder.split("/").map(encodeURIComponent).join("/")}`;
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment; // a stray % is literal
	}
}

/** Returns `address` without query, fragment and trailing slashes. */
function bare(address: string): string {
	return address.replace(/[?#].*$/s, "").replace(/\/+$/, "");
}

/** Returns the last segment, the data set's display name: `sample.zarr`. */
export function nameOf(address: string): string {
	return segmentsOf(address).at(-1) ?? address;
}

/**
 * Returns host and folders for the top bar: `data.example.org`, `l5`, `sample.zarr`.
 */
export function segmentsOf(address: string): string[] {
	const { folder = "" } = inArchive(address);
	const path = bare(address).replace(/^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?/i, "");
	const outside = path.split("/").map(decoded);
	return [...outside, ...folder.split("/")].filter((segment) => segment !== "");
}

/** The location of a semantic map and its `meta.json`. */
export interface MapPlace<T> {
	readonly map: T;
	readonly meta: T;
}

/**
 * Folder of the data sets in L5Kit's layout; its parent contains map and `meta.json`.
 */
const SCENES = "scenes";

/**
 * Returns the folder of the data set and its parent, the more likely one first, since
 * requests for absent objects log errors in the browser's console. Keeps the query (a
 * signature, for example).
 */
export function foldersAround(address: string | URL): URL[] {
	const root = new URL(address);
	const folders = ["../", "../../"].map((path) => beside(root, path));
	const distinct = [...new Map(folders.map((one) => [one.pathname, one])).values()];
	const inScenes = segmentsOf(root.href).at(-2) === SCENES;
	return inScenes ? distinct.reverse() : distinct;
}

/** Like `foldersAround` for keys in a folder; `root` is the data set's path. */
export function folderKeys(root: string): string[] {
	const segments = root.split("/").filter((segment) => segment !== "");
	const parents = [segments.slice(0, -1), segments.slice(0, -2)];
	if (segments.at(-2) === SCENES) parents.reverse();
	return [...new Set(parents.map((parent) => parent.map((s) => `${s}/`).join("")))];
}

/** Keys of the map and of `meta.json` relative to a folder. */
export const MAP_KEYS: readonly MapPlace<string>[] = [{ map: MAP_KEY, meta: META_KEY }];

/** Like `MAP_KEYS` for files: also a map in the same folder as its `meta.json`. */
export const FILE_MAP_KEYS: readonly MapPlace<string>[] = [
	...MAP_KEYS,
	{ map: "semantic_map.pb", meta: META_KEY },
];

/** Returns the message that the address `address` of `what` is invalid. */
export function invalidAddress(what: string, address: string): string {
	return `${what}: invalid URL (found ${shownAddress(address)}, expected http or https)`;
}

/** Resolves an address; undefined if it is neither http, https nor of a host. */
export function resolved(address: string, base: string): URL | undefined {
	try {
		const url = new URL(address.trim(), base);
		return /^(https?|hf|s3|gs):$/.test(url.protocol) ? url : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the file name of an address. */
export function nameOfUrl(url: URL): string {
	const last = url.pathname.split("/").at(-1) || shownAddress(url.href);
	try {
		return decodeURIComponent(last);
	} catch {
		return last;
	}
}
