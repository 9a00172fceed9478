import type { DatasetFrom, LoadOptions, ObjectFrom } from "../api.js";
import { refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import { FetchSource } from "../source/fetch-source.js";
import { nodeModule } from "../source/node-files.js";
import { isParquetName } from "../source/parquet-name.js";
import type { Source } from "../source/source.js";
import { absolute, beside, located } from "../source/url.js";
import type { Resolved } from "../source/zip-source.js";

/**
 * Converts any argument of `ChunkedDataset.open` to a source.
 *
 * @param cacheLimit of the persistent cache, for Parquet files at URLs
 * @param wasm the module that reads Petastorm's schema
 */
export async function resolveSource(
	given: DatasetFrom,
	cacheLimit?: number,
	wasm?: LoadOptions["streamWasm"],
): Promise<Resolved> {
	if (given === "") refuse("data set", given, "a URL, or a path in Node");
	const from = await withoutHost(given);
	if (await isParquet(from)) {
		const { parquetSource } = await import("./parquet.js");
		return { source: await parquetSource(from, cacheLimit, { wasm }) };
	}
	if (typeof from === "string" || from instanceof URL) {
		const local = await (await machine())?.resolvePath(from);
		return local ?? resolveAddress(new FetchSource(from));
	}
	if (from instanceof FetchSource) return resolveAddress(from);
	if (isSource(from)) return { source: from };
	const { resolveFiles } = await import("./resolve-local.js");
	return resolveFiles(from);
}

/** Whether an address has the scheme of a host: `hf://`, `s3://` or `gs://`. */
export function isHostAddress(text: string): boolean {
	return /^(hf|s3|gs):\/\//.test(text);
}

/** Returns the URL of an address of a host, and others unchanged. */
export async function withoutHost<T>(from: T): Promise<T | string> {
	const text = typeof from === "string" || from instanceof URL ? String(from) : "";
	if (!isHostAddress(text)) return from;
	const { urlOfAddress } = await import("./host-address.js");
	return urlOfAddress(text);
}

/**
 * Whether `from` is a Parquet data set: a name or URL that ends in .parquet, or a folder
 * of files that do and of nothing of zarr's.
 */
async function isParquet(from: DatasetFrom): Promise<boolean> {
	if (from instanceof FetchSource) return isParquetName(from.url.pathname);
	if (isSource(from)) return false;
	if (typeof from === "string" || from instanceof URL) {
		const local = await (await machine())?.isParquetPath(from);
		return local ?? isParquetName(absolute(from).pathname);
	}
	return (await import("./resolve-local.js")).isParquetFiles(from);
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

/** Returns the object at `url`, with the options of `source`. */
function objectAt(source: FetchSource, url: URL): { source: FetchSource; key: string } {
	const { folder, key, isOdd } = located(url);
	return { source: source.at(folder, isOdd ? { [key]: url.href } : undefined), key };
}

/**
 * Returns the source that keys of files beside a data set refer to. On the data set's
 * origin it uses the data set's headers, credentials and query.
 */
export async function resolveRoot(
	root: string | URL | Source,
	dataset: Source,
): Promise<Source> {
	if (typeof root === "object" && "read" in root) return root;
	const local = (await machine())?.localRoot(root, dataset);
	if (local) return local;
	if (!(dataset instanceof FetchSource)) return new FetchSource(root);
	return dataset.at(beside(dataset.url, absolute(root)));
}

/**
 * Returns the source and key of one object. Relative URLs are resolved against the data
 * set's URL. On the data set's origin they use its headers, credentials and query.
 */
export async function resolveObject(
	given: ObjectFrom,
	dataset: Source,
): Promise<{ source: Source; key: string }> {
	const from = await withoutHost(given);
	if (typeof from === "object" && from !== null && "source" in from) return from;
	if (typeof from !== "string" && !(from instanceof URL))
		refuse("object", from, "a URL, or source and key");
	if (dataset instanceof FetchSource) {
		return objectAt(dataset, beside(dataset.url, from));
	}
	const local = (await machine())?.localObject(from, dataset);
	if (local) return local;
	const url = absolute(from);
	return objectAt(new FetchSource(url), url);
}

/** Loads the code that reads paths and `file:` URLs; undefined in browsers. */
async function machine(): Promise<typeof import("./resolve-local.js") | undefined> {
	const inPage = typeof document !== "undefined" || "location" in globalThis;
	return !inPage && nodeModule("node:url") ? import("./resolve-local.js") : undefined;
}

function isSource(from: DatasetFrom): from is Source {
	return typeof from === "object" && "read" in from && typeof from.read === "function";
}
