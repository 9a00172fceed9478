import { convertFile } from "../../converting/converter.js";
import { BevError } from "../../errors.js";
import { FetchSource } from "../../source/fetch-source.js";
import { MemorySource } from "../../source/source.js";
import { beside } from "../../source/url.js";
import type { Opened, OpenerOptions } from "../session/dataset.js";
import { type OpenDataset, openedOf } from "./opened.js";
import { MAP_KEYS } from "./places.js";

export interface RecordsOptions extends OpenerOptions {
	readonly name: string;
	readonly open: OpenDataset;
}

/**
 * Opens a TFRecord file of Waymo scenarios: converts it to a data set in memory, with its
 * map.
 */
export async function openRecords(
	file: Blob,
	{ name, open, signal, onProgress }: RecordsOptions,
): Promise<Opened> {
	const { objects } = await convertFile(file, {
		name,
		signal,
		onProgress: (done, of) => {
			const what = `Converting scenarios (${done} of ${of})`;
			onProgress?.({ what, bytes: file.size, requests: 0, total: file.size });
		},
	});
	const source = new MemorySource(objects);
	const dataset = await open(source);
	return openedOf({
		dataset,
		folders: () => [],
		own: () => source,
		mapKeys: MAP_KEYS,
	});
}

/** Opens such a file at a URL, which is read as a whole. */
export async function openRecordsAt(
	url: URL,
	options: RecordsOptions,
): Promise<Opened> {
	const { signal, onProgress, name } = options;
	onProgress?.({ what: "Reading the file", bytes: 0, requests: 1 });
	const source = new FetchSource(beside(url, "../"));
	const bytes = await source.read(name, { signal });
	if (!bytes)
		throw new BevError("missing_key", `${name}: not found`, { url: url.href });
	return openRecords(new Blob([bytes as Uint8Array<ArrayBuffer>]), options);
}
