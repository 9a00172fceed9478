/** Where L5Kit's layout keeps the semantic map below a data folder. */
const MAP_KEY = "semantic_map/semantic_map.pb";
const META_KEY = "meta.json";

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
	const path = bare(address).replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
	return path
		.split("/")
		.filter((segment) => segment !== "")
		.map((segment) => {
			try {
				return decodeURIComponent(segment);
			} catch {
				return segment; // a stray % is a character like any other
			}
		});
}

/** Where a semantic map and the `meta.json` that places it may lie. */
export interface MapPlace<T> {
	readonly map: T;
	readonly meta: T;
}

/** Beside the data set, then one folder up. A query (a signature, say) is kept. */
export function mapAddresses(address: string | URL): MapPlace<URL>[] {
	const root = new URL(address);
	root.hash = "";
	root.pathname = root.pathname.replace(/\/*$/, "/");
	const folders = ["../", "../../"].map((path) => new URL(path, root));
	const distinct = new Map(folders.map((folder) => [folder.pathname, folder]));
	const below = (folder: URL, key: string) => {
		const url = new URL(key, folder);
		url.search = root.search;
		return url;
	};
	return [...distinct.values()].map((folder) => ({
		map: below(folder, MAP_KEY),
		meta: below(folder, META_KEY),
	}));
}

/** The same two places among the keys of a folder; `root` is the data set's own path. */
export function mapKeys(root: string): MapPlace<string>[] {
	const segments = root.split("/").filter((segment) => segment !== "");
	const parents = [segments.slice(0, -1), segments.slice(0, -2)];
	const distinct = new Set(
		parents.map((parent) => parent.map((s) => `${s}/`).join("")),
	);
	return [...distinct].map((folder) => ({
		map: folder + MAP_KEY,
		meta: folder + META_KEY,
	}));
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
