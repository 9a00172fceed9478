import type { AbortOptions } from "../api.js";
import { BevError, messageOf } from "../errors.js";
import { imageFromWorld } from "./pure/aerial-place.js";
import type { Affine } from "./pure/affine.js";

/** A picture of the ground from above, and where it lies. */
export interface AerialView {
	readonly image: ImageBitmap;
	/** (3, 3), rows first: pixels of `image` from metres of world at a height; the same object for the same height. */
	fromWorld(height: number): Affine;
	/** Frees the picture. */
	release(): void;
}

/** An aerial image to be decoded, and the text of the meta.json that places it. */
export interface AerialFiles {
	readonly image: Blob;
	readonly meta: string;
}

/** 96 MB once decoded: an image of more pixels is kept at a smaller size. */
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

/** `full`, or a smaller one of what is affordable; `full` is closed then. */
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
 * Errors: BevError invalid_metadata for a meta.json that does not place an image,
 * corrupt_chunk for an image that the browser does not decode.
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
