import type { DatasetFiles, DatasetFrom, ObjectFrom } from "./api.js";
import { BevError } from "./errors.js";
import { FetchSource } from "./source/fetch-source.js";
import { FileSource } from "./source/file-source.js";
import type { Source } from "./source/source.js";
import { absolute } from "./source/url.js";

/** Whatever `ChunkedDataset.open` takes, as a source. */
export async function resolveSource(from: DatasetFrom): Promise<Source> {
	if (typeof from === "string" || from instanceof URL) return new FetchSource(from);
	if (isSource(from)) return from;
	const files = new FileSource(from as DatasetFiles);
	const [root] = await files.roots();
	if (root === undefined) {
		throw new BevError(
			"not_found",
			"the folder holds no zarr: no .zgroup and no .zarray",
		);
	}
	return root === "" ? files : files.below(root);
}

/** What keys of files beside a data set are below. */
export function resolveRoot(root: string | URL | Source): Source {
	return typeof root === "object" && "read" in root ? root : new FetchSource(root);
}

/** The source and key of one object; addresses are relative to `dataset`'s. */
export function resolveObject(
	from: ObjectFrom,
	dataset: Source,
): { source: Source; key: string } {
	if (typeof from === "object" && "source" in from) return from;
	const base = dataset instanceof FetchSource ? folder(dataset.url) : undefined;
	const url = base ? new URL(from, base) : absolute(from);
	const cut = url.pathname.lastIndexOf("/") + 1;
	const key = decodeURIComponent(url.pathname.slice(cut));
	url.pathname = url.pathname.slice(0, cut);
	return { source: new FetchSource(url), key };
}

function folder(url: URL): URL {
	const copy = new URL(url);
	if (!copy.pathname.endsWith("/")) copy.pathname += "/";
	return copy;
}

function isSource(from: DatasetFrom): from is Source {
	return typeof from === "object" && "read" in from && typeof from.read === "function";
}
