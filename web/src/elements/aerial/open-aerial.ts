import type { AbortOptions } from "../../api.js";
import { BevError } from "../../base/errors.js";
import type { Source } from "../../source/source.js";
import { type AerialView, decodeAerial } from "./aerial.js";

/** Path in L5Kit's layout, relative to the folder that contains meta.json. */
const IMAGE_KEY = "aerial_map/aerial_map.png";
const META_KEY = "meta.json";

/**
 * Returns the aerial image in the first of `folders` that has one; undefined if none
 * has.
 */
export async function findAerialIn(
	folders: readonly Source[],
	options: AbortOptions,
): Promise<AerialView | undefined> {
	for (const folder of folders) {
		const read = (key: string) => folder.read(key, { ...options, required: false });
		// Reads the small file first: without it the large image is useless.
		const meta = await read(META_KEY);
		const image = meta && (await read(IMAGE_KEY));
		if (!meta || !image) continue;
		const blob = new Blob([Uint8Array.from(image)], { type: "image/png" });
		const text = new TextDecoder().decode(meta);
		return decodeAerial({ image: blob, meta: text }, options);
	}
	return undefined;
}

/** Reads the aerial image and the meta.json that the user chose. */
export async function chosenAerial(files: readonly File[]): Promise<AerialView> {
	const meta = files.find(({ name }) => /\.json$/i.test(name));
	const image = files.find((file) => file !== meta);
	if (!meta || !image) {
		throw new BevError(
			"missing_key",
			"aerial image: choose two files together, the image and its meta.json",
		);
	}
	return decodeAerial({ image, meta: await meta.text() });
}
