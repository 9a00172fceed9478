import type { DatasetFrom, OpenOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import { type ParquetFiles, ParquetSource } from "../parquet/parquet-source.js";
import { FetchSource } from "../source/fetch-source.js";
import { FileSource } from "../source/file-source.js";
import { nodeFs } from "../source/node-files.js";
import { NodeSource, nodeUrl } from "../source/node-source.js";
import { isParquetName } from "../source/parquet-name.js";
import type { Source } from "../source/source.js";
import { absolute, located } from "../source/url.js";

/** A Parquet data set: as of `ChunkedDataset.open`, or files by path or URL. */
export type ParquetFrom = DatasetFrom | readonly (string | URL)[];

/** Options of `openParquet`. */
export interface ParquetOptions extends OpenOptions {
	/**
	 * The longest text of columns in characters, so that these are fields of one length,
	 * which filters can use; other columns of text are of variable length.
	 */
	readonly text?: Readonly<Record<string, number>> | undefined;
}

/** Where the files of a data set are, and their keys if they are not all files there. */
interface Place {
	readonly source: Source;
	readonly keys?: readonly string[];
}

/** Returns the source of a Parquet data set. */
export async function parquetSource(
	from: ParquetFrom,
	cacheLimit?: number,
	options: Omit<ParquetFiles, "keys"> = {},
): Promise<ParquetSource> {
	const { source, keys } = await placeOf(from);
	if (cacheLimit === undefined) return ParquetSource.open(source, { ...options, keys });
	const { withCache } = await import("../source/cache/cached-source.js");
	return ParquetSource.open(withCache(source, cacheLimit), { ...options, keys });
}

async function placeOf(from: ParquetFrom): Promise<Place> {
	if (isAddresses(from)) return commonPlace(from);
	if (typeof from === "string" || from instanceof URL) {
		const local = nodeUrl(from);
		if (!local) return addressOf(new FetchSource(from));
		const found = await nodeFs()
			.stat(local)
			.catch(() => undefined);
		if (found?.isDirectory()) return { source: new NodeSource(local) };
		const { folder, key } = located(local);
		return { source: new NodeSource(folder), keys: [key] };
	}
	if (from instanceof FetchSource) return addressOf(from);
	if (from instanceof File)
		return { source: new FileSource(new Map([[from.name, from]])), keys: [from.name] };
	if ("read" in from) return { source: from };
	return { source: new FileSource(from) };
}

function isAddresses(from: ParquetFrom): from is readonly (string | URL)[] {
	if (!Array.isArray(from)) return false;
	return from.every((one) => typeof one === "string" || one instanceof URL);
}

/** Returns the place of a file at a URL, or of a folder of this name, as Spark's are. */
async function addressOf(source: FetchSource): Promise<Place> {
	const { folder, key, isOdd } = located(source.url);
	if (!isParquetName(source.url.pathname) || source.url.pathname.endsWith("/"))
		return { source };
	const holder = source.at(folder, isOdd ? { [key]: source.url.href } : undefined);
	const size = await holder.size(key);
	return size === undefined ? { source } : { source: holder, keys: [key] };
}

/** Returns the folder that contains all files, and their keys in it. */
function commonPlace(from: readonly (string | URL)[]): Place {
	const locals = from.map(nodeUrl);
	const urls = locals.map((local, i) => local ?? absolute(from[i] ?? ""));
	const [first] = urls;
	if (!first) throw new BevError("invalid_argument", "openParquet: no files");
	const isSame = urls.every(
		({ origin, search, protocol }) =>
			origin === first.origin && search === first.search && protocol === first.protocol,
	);
	if (!isSame) {
		const said = "openParquet: files are not of one server, with one query";
		throw new BevError("invalid_argument", said);
	}
	let depth = first.pathname.split("/").length - 1;
	for (const { pathname } of urls) {
		const segments = pathname.split("/");
		depth = Math.min(depth, segments.length - 1);
		const others = first.pathname.split("/");
		while (segments.slice(0, depth).join("/") !== others.slice(0, depth).join("/"))
			depth -= 1;
	}
	const folder = new URL(first);
	folder.pathname = `${first.pathname.split("/").slice(0, depth).join("/")}/`;
	const keys = urls.map(({ pathname }) =>
		pathname.split("/").slice(depth).map(decodeURIComponent).join("/"),
	);
	return { source: locals[0] ? new NodeSource(folder) : new FetchSource(folder), keys };
}
