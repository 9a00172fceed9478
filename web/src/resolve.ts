import type { DatasetFiles, DatasetFrom, ObjectFrom } from "./api.js";
import { BevError, ioError } from "./errors.js";
import { FetchSource } from "./source/fetch-source.js";
import { FileSource } from "./source/file-source.js";
import { isAbsent, nodeFs } from "./source/node-files.js";
import { NodeSource, nodeUrl } from "./source/node-source.js";
import type { Source } from "./source/source.js";
import { absolute, beside, located } from "./source/url.js";
import type { Archive } from "./source/zip-source.js";

/** The sources of a data set's bytes. */
export interface Resolved {
	/** Base of URLs of files beside the data set. */
	readonly source: Source;
	/** The archive that contains the data set, if it is in one. */
	readonly zip?: { readonly holder: Source; readonly archive: Archive };
}

/** Converts any argument of `ChunkedDataset.open` to a source. */
export async function resolveSource(from: DatasetFrom): Promise<Resolved> {
	if (typeof from === "string" || from instanceof URL) {
		const local = nodeUrl(from);
		return local ? resolveLocal(local) : resolveAddress(new FetchSource(from));
	}
	if (from instanceof FetchSource) return resolveAddress(from);
	if (isSource(from)) return { source: from };
	if (from instanceof File) return resolveFile(from);
	const files = new FileSource(from as DatasetFiles);
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

async function resolveAddress(source: FetchSource): Promise<Resolved> {
	const { url } = source;
	if (!url.pathname.endsWith(".zip")) return { source };
	const { source: holder, key } = objectAt(source, url);
	const size = await holder.size(key);
	if (size !== undefined) return { source, zip: { holder, archive: { key, size } } };
	const said = `${key}: not found, or its length is unknown`;
	const answer = { key, url: url.href, ...holder.absence(key) };
	throw new BevError("not_found", said, answer);
}

/** Returns the source of a folder or .zip on this machine. */
async function resolveLocal(url: URL): Promise<Resolved> {
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

/** Returns the object at `url`, with the options of `source`. */
function objectAt(source: FetchSource, url: URL): { source: FetchSource; key: string } {
	const { folder, key, isOdd } = located(url);
	return { source: source.at(folder, isOdd ? { [key]: url.href } : undefined), key };
}

function resolveFile(file: File): Resolved {
	const holder = new FileSource(new Map([[file.name, file]]));
	const archive = { key: file.name, size: file.size };
	return { source: holder, zip: { holder, archive } };
}

/**
 * Returns the source that keys of files beside a data set refer to. On the data set's
 * origin it uses the data set's headers, credentials and query.
 */
export function resolveRoot(root: string | URL | Source, dataset: Source): Source {
	if (typeof root === "object" && "read" in root) return root;
	if (dataset instanceof NodeSource) return localSource(beside(dataset.url, root));
	const local = nodeUrl(root);
	if (local) return new NodeSource(local);
	if (!(dataset instanceof FetchSource)) return new FetchSource(root);
	return dataset.at(beside(dataset.url, absolute(root)));
}

/**
 * Returns the source and key of one object. Relative URLs are resolved against the data
 * set's URL. On the data set's origin they use its headers, credentials and query.
 */
export function resolveObject(
	from: ObjectFrom,
	dataset: Source,
): { source: Source; key: string } {
	if (typeof from === "object" && "source" in from) return from;
	if (dataset instanceof FetchSource) {
		return objectAt(dataset, beside(dataset.url, from));
	}
	const url =
		dataset instanceof NodeSource
			? beside(dataset.url, from)
			: (nodeUrl(from) ?? absolute(from));
	if (url.protocol !== "file:") return objectAt(new FetchSource(url), url);
	const { folder, key } = located(url);
	return { source: new NodeSource(folder), key };
}

function localSource(url: URL): Source {
	return url.protocol === "file:" ? new NodeSource(url) : new FetchSource(url);
}

function isSource(from: DatasetFrom): from is Source {
	return typeof from === "object" && "read" in from && typeof from.read === "function";
}
