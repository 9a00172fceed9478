import type { AbortOptions } from "../../api.js";
import { BevError, messageOf } from "../../errors.js";
import type { Affine } from "../draw/affine.js";
import { imageFromWorld } from "./aerial-place.js";

/** An aerial image and its position in world. */
export interface AerialView {
	readonly image: ImageBitmap;
	/**
	 * Returns the affine (3, 3), row-major, from world metres to pixels of `image` at a
	 * height; the same object for the same height.
	 */
	fromWorld(height: number): Affine;
	/** Frees the image. */
	release(): void;
}

/** An encoded aerial image and the text of the meta.json that georeferences it. */
export interface AerialFiles {
	readonly image: Blob;
	readonly meta: string;
}

/** Limit of the decoded image: 96 MB. Larger images are downscaled. */
const MOST_PIXELS = 24_000_000;

async function decoded(image: Blob): Promise<ImageBitmap> {
	try {
		return await createImageBitmap(image);
	} catch (error) {
		throw new BevError("corrupt_chunk", `aerial image: ${messageOf(error)}`, {
			cause: error,
		});
	}
}

/**
 * Returns `full`, or a downscaled copy if it exceeds `MOST_PIXELS`; closes `full` in
 * that case.
 */
async function affordable(full: ImageBitmap): Promise<ImageBitmap> {
	const { width, height } = full;
	const scale = Math.sqrt(MOST_PIXELS / (width * height));
	if (scale >= 1) return full;
	try {
		return await createImageBitmap(full, {
			resizeWidth: Math.max(1, Math.floor(width * scale)),
			resizeHeight: Math.max(1, Math.floor(height * scale)),
			resizeQuality: "medium",
		});
	} finally {
		full.close();
	}
}

function scaled(m: Affine, x: number, y: number): Affine {
	const [a = 0, b = 0, tx = 0, c = 0, d = 0, ty = 0] = Array.from(m);
	return Float64Array.of(x * a, x * b, x * tx, y * c, y * d, y * ty, 0, 0, 1);
}

/**
 * Decodes and georeferences an aerial image.
 *
 * @throws BevError `invalid_metadata` if meta.json does not georeference an image;
 *   `corrupt_chunk` if the browser cannot decode the image.
 */
export async function decodeAerial(
	{ image, meta }: AerialFiles,
	{ signal }: AbortOptions = {},
): Promise<AerialView> {
	const placed = imageFromWorld(meta);
	const full = await decoded(image);
	const { width, height } = full;
	const kept = await affordable(full);
	if (signal?.aborted) kept.close();
	signal?.throwIfAborted();
	let last: { readonly height: number; readonly map: Affine } | undefined;
	return {
		image: kept,
		fromWorld(at) {
			if (last?.height !== at) {
				const map = scaled(placed(at), kept.width / width, kept.height / height);
				last = { height: at, map };
			}
			return last.map;
		},
		release: () => kept.close(),
	};
}
