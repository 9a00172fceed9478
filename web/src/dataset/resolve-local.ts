import type { DatasetFiles } from "../api.js";
import { BevError, ioError } from "../base/errors.js";
import { FetchSource } from "../source/fetch-source.js";
import { FileSource } from "../source/file-source.js";
import { isAbsent, nodeFs } from "../source/node-files.js";
import { NodeSource, nodeUrl } from "../source/node-source.js";
import { isHidden, isParquetName } from "../source/parquet-name.js";
import type { Source } from "../source/source.js";
import { beside, located } from "../source/url.js";
import type { Resolved } from "../source/zip-source.js";

/** Files that mark a store of zarr, and a Parquet data set. */
const MARKERS = [".zgroup", ".zattrs", ".zarray", ".zmetadata", "zarr.json"];
const SUMMARIES = ["_metadata", "_common_metadata"];

/** Converts files of the page to a source. */
export async function resolveFiles(from: DatasetFiles | File): Promise<Resolved> {
	if (from instanceof File) return resolveFile(from);
	const files = new FileSource(from);
	const [root] = await files.roots();
	if (root !== undefined) {
		return { source: root === "" ? files : files.below(root) };
	}
	const zip = await files.onlyZip();
	if (zip) return resolveFile(zip);
	throw new BevError(
		"missing_key",
		"folder: no zarr store found (expected .zgroup, .zarray or a .zip)",
	);
}

function resolveFile(file: File): Resolved {
	const holder = new FileSource(new Map([[file.name, file]]));
	const archive = { key: file.name, size: file.size };
	return { source: holder, zip: { holder, archive } };
}

/** Whether files of the page are a Parquet data set. */
export async function isParquetFiles(from: DatasetFiles | File): Promise<boolean> {
	if (from instanceof File) return isParquetName(from.name);
	const files = new FileSource(from);
	if ((await files.roots()).length > 0) return false;
	return hasParquet(await files.keys());
}

/**
 * Whether a path on this machine is a Parquet data set; undefined for addresses.
 */
export async function isParquetPath(from: string | URL): Promise<boolean | undefined> {
	const url = nodeUrl(from);
	if (!url) return undefined;
	if (isParquetName(url.pathname)) return true;
	const names = await nodeFs()
		.readdir(url)
		.catch(() => []);
	if (names.some((name) => MARKERS.includes(name))) return false;
	if (names.some((name) => SUMMARIES.includes(name))) return true;
	// Of a folder with many chunks, only the first files are looked at.
	if (names.some((name) => !isHidden(name) && /\.\w+$/.test(name))) {
		return hasParquet(names);
	}
	const folders = names.filter((name) => name.includes("="));
	return folders.length > 0 && hasParquet(await new NodeSource(url).keys());
}

function hasParquet(keys: readonly string[]): boolean {
	return keys.some((key) => isParquetName(key) && !isHidden(key));
}

/**
 * Returns the source of a folder or .zip on this machine; undefined if `from` names
 * none.
 */
export async function resolvePath(from: string | URL): Promise<Resolved | undefined> {
	const url = nodeUrl(from);
	if (!url) return undefined;
	const { folder, key } = located(url);
	const found = await nodeFs()
		.stat(url)
		.catch((error: unknown) => {
			if (isAbsent(error)) return undefined;
			throw ioError(folder.pathname, key, error);
		});
	if (found?.isDirectory()) return { source: new NodeSource(url) };
	const path = decodeURI(url.pathname);
	if (!found?.isFile()) throw new BevError("not_found", `${path}: not found`);
	if (!/\.zip$/i.test(path)) {
		const said = `${path}: not a data set (found a file, expected a folder or .zip)`;
		throw new BevError("invalid_argument", said);
	}
	const holder = new NodeSource(folder);
	const archive = { key, size: found.size };
	return { source: new NodeSource(url), zip: { holder, archive } };
}

/**
 * Returns the source of files beside a data set on this machine, or of a folder on it;
 * undefined for addresses.
 */
export function localRoot(root: string | URL, dataset: Source): Source | undefined {
	if (!(dataset instanceof NodeSource)) {
		const local = nodeUrl(root);
		return local && new NodeSource(local);
	}
	const url = beside(dataset.url, root);
	return url.protocol === "file:" ? new NodeSource(url) : new FetchSource(url);
}

/** Returns the source and key of one file on this machine; undefined for addresses. */
export function localObject(
	from: string | URL,
	dataset: Source,
): { source: Source; key: string } | undefined {
	const url = dataset instanceof NodeSource ? beside(dataset.url, from) : nodeUrl(from);
	if (url?.protocol !== "file:") return undefined;
	const { folder, key } = located(url);
	return { source: new NodeSource(folder), key };
}
