import type { Description } from "../api.js";
import { FetchSource } from "../source/fetch-source.js";
import { FileSource } from "../source/file-source.js";
import type { Source } from "../source/source.js";
import { hashOfText } from "../source/validator.js";
import type { Resolved } from "../source/zip-source.js";

/** Arrays from which facts are computed. */
const ARRAYS = ["scenes", "frames", "agents", "traffic_light_faces"];

/**
 * Returns a text that differs if the data set has changed: its address, its metadata,
 * and ETag or Last-Modified of the archive or of the first and the last chunk of each
 * array. Undefined if the source does not tell these.
 */
export async function identityOf(
	{ source, zip }: Resolved,
	description: Description,
	signal: AbortSignal | undefined,
): Promise<string | undefined> {
	const from = zip?.holder ?? source;
	const keys = zip ? [zip.archive.key] : chunksOf(description);
	if (!keys) return undefined;
	const states = await Promise.all(keys.map((key) => stateOf(from, key, signal)));
	if (states.includes(undefined)) return undefined;
	const metadata = hashOfText(JSON.stringify(description));
	return JSON.stringify([addressOf(from), zip?.archive.folder, metadata, states]);
}

/** Returns the keys of the first and the last chunks; undefined for shards. */
function chunksOf({ format, arrays }: Description): readonly string[] | undefined {
	if (format !== "zarr-v2") return undefined;
	return ARRAYS.flatMap((name) => {
		const { shape: [rows = 0] = [], chunks: [size = 1] = [] } = arrays[name] ?? {};
		const last = Math.ceil(rows / size) - 1;
		return last < 0 ? [] : [...new Set([0, last])].map((chunk) => `${name}/${chunk}`);
	});
}

function addressOf(source: Source): string {
	if (!(source instanceof FetchSource)) return "";
	return `${source.url.origin}${source.url.pathname}`;
}

/** Returns an object's state; undefined if the source does not tell it. */
async function stateOf(
	source: Source,
	key: string,
	signal: AbortSignal | undefined,
): Promise<string | undefined> {
	try {
		if (source instanceof FetchSource) {
			const state = await source.fetchState(key, {}, signal);
			const { etag, modified, length } = state ?? {};
			return (etag ?? modified)
				? JSON.stringify([key, etag, modified, length])
				: undefined;
		}
		const file = source instanceof FileSource ? await source.file(key) : undefined;
		if (!(file instanceof File)) return undefined;
		return JSON.stringify([key, file.name, file.lastModified, file.size]);
	} catch {
		signal?.throwIfAborted();
		return undefined; // the search reports what cannot be read
	}
}
