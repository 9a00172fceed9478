import { SharedTask } from "../../base/shared-task.js";
import { Core } from "../../core/core.js";
import { load } from "../../dataset/load.js";
import { resolveSource } from "../../dataset/resolve.js";
import type { Source } from "../../source/source.js";
import { ZipSource } from "../../source/zip-source.js";
import { instantiate } from "../../worker/core-module.js";
import type { Place } from "../session/dataset.js";
import { choiceOf } from "./open-choice.js";
import type { OpenDataset } from "./opened.js";

export interface ArchiveOptions {
	readonly open: OpenDataset;
	/** Path of the data set in the archive; required if the archive contains several. */
	readonly folder: string | undefined;
	readonly name: string;
	/** Returns the place of another data set in the archive. */
	readonly placeOf: (folder: string) => Place;
}

export interface OpenArchive {
	readonly dataset: Awaited<ReturnType<OpenDataset>>;
	/** Folders around the data set, the most likely first. */
	readonly folders: () => readonly Source[];
}

/**
 * Opens a data set in a .zip. The page itself also reads the archive's directory and
 * small files.
 */
export async function openArchive(
	from: File | URL,
	{ open, folder, name, placeOf }: ArchiveOptions,
): Promise<OpenArchive> {
	const opening = open(from, folder);
	opening.catch(() => {}); // handled below
	const found = reader(from, folder).then(async (archive) => {
		const stores = folder === undefined ? await archive?.stores() : undefined;
		return { archive, stores: stores ?? [] };
	});
	// If the archive is unreadable, `opening` fails too, with a more specific error.
	const { archive, stores } = await found.catch(() => NOTHING);
	if (stores.length > 1) {
		opening.then(
			(dataset) => dataset.close(),
			() => {},
		);
		throw choiceOf(name, stores, placeOf);
	}
	const folders = () =>
		["../../../", "../../", ""].flatMap((up) => archive?.around(up) ?? []);
	return { dataset: await opening, folders };
}

const NOTHING = { archive: undefined, stores: [] };

async function reader(
	from: File | URL,
	folder: string | undefined,
): Promise<ZipSource | undefined> {
	const { zip } = await resolveSource(from);
	if (!zip) return undefined;
	const core = new SharedTask(
		async () => new Core(await instantiate((await load({}, "every")).module)),
	);
	return new ZipSource(zip.holder, { ...zip.archive, folder }, () => core.join());
}
