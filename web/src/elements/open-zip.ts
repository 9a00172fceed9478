import { load } from "../load.js";
import type { Resolved } from "../resolve.js";
import type { Source } from "../source/source.js";
import { ZipSource } from "../source/zip-source.js";
import { instantiate } from "../worker/core-module.js";

/**
 * The folders around the store in an archive, the likeliest first. They are read on the
 * page: what is read there is small, or one image.
 */
export function archiveFolders({ zip }: Resolved): () => readonly Source[] {
	if (!zip) return () => [];
	const core = async () => instantiate((await load({}, "every")).module);
	let made: ReturnType<typeof core> | undefined;
	const once = () => {
		made ??= core().catch((error: unknown) => {
			made = undefined;
			throw error;
		});
		return made;
	};
	const source = new ZipSource(zip.holder, zip.archive, once);
	return () => ["../../", "../", ""].map((up) => source.around(up));
}
