import type { AbortOptions } from "../api.js";
import { BevError } from "../errors.js";
import type { Source } from "../source/source.js";
import { type AerialView, decodeAerial } from "./aerial.js";

/** Where L5Kit's layout keeps it, below the folder that holds meta.json. */
const IMAGE_KEY = "aerial_map/aerial_map.png";
const META_KEY = "meta.json";

/** The aerial image in the first of `folders` that has one; undefined where none has. */
export async function findAerialIn(
	folders: readonly Source[],
	options: AbortOptions,
): Promise<AerialView | undefined> {
	for (const folder of folders) {
		const read = (key: string) => folder.read(key, { ...options, required: false });
		// The small file first: an image of many megabytes without it has no place.
		const meta = await read(META_KEY);
		const image = meta && (await read(IMAGE_KEY));
		if (!meta || !image) continue;
		const blob = new Blob([Uint8Array.from(image)], { type: "image/png" });
		const text = new TextDecoder().decode(meta);
		return decodeAerial({ image: blob, meta: text }, options);
	}
	return undefined;
}

/** Which of the files that a person chose is the image, and which its meta.json. */
export async function chosenAerial(files: readonly File[]): Promise<AerialView> {
	const meta = files.find(({ name }) => /\.json$/i.test(name));
	const image = files.find((file) => file !== meta);
	if (!meta || !image) {
		throw new BevError(
			"missing_key",
			"choose two files together: the image, and the meta.json that says where it lies",
		);
	}
	return decodeAerial({ image, meta: await meta.text() });
}
