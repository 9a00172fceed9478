import { BevError, messageOf } from "../base/errors.js";
import type { Core, Handle } from "../core/core.js";
import type { AerialQuery, Pixels } from "./protocol.js";
import type { Run } from "./run.js";

/** Pixels copied at a time; avoids a second full copy of an image. */
const STRIP_PIXELS = 2 ** 20;

/** The run of a query; see `Run`. */
type AerialRun = Pick<Run, "core" | "assertAlive">;

/** Decodes the image of a query. */
export async function decodeAerial(
	run: AerialRun,
	{ image, meta }: AerialQuery,
): Promise<Handle<"Aerial">> {
	if ("width" in image) return filled(run.core, image, meta, stripsOfPixels(image));
	const bitmap = await bitmapOf(image);
	try {
		run.assertAlive();
		return filled(run.core, bitmap, meta, stripsOfBitmap(bitmap));
	} finally {
		bitmap.close();
	}
}

function filled(
	core: Core,
	{ width, height }: { readonly width: number; readonly height: number },
	meta: Uint8Array,
	strips: Iterable<[first: number, rgba: Uint8Array]>,
): Handle<"Aerial"> {
	const aerial = core.run("aerial", { width, height, meta });
	try {
		for (const [first, rgba] of strips)
			core.run("put_aerial_rows", { aerial, first, rgba });
		return aerial;
	} catch (error) {
		core.release(aerial);
		throw error;
	}
}

/**
 * Decodes without colour conversion or premultiplication, because colours are data
 * here.
 */
async function bitmapOf(image: Uint8Array): Promise<ImageBitmap> {
	if (
		typeof createImageBitmap !== "function" ||
		typeof OffscreenCanvas !== "function"
	) {
		throw new BevError(
			"unsupported",
			"aerial image: no image decoder in this environment; pass pixels instead",
		);
	}
	const options = { colorSpaceConversion: "none", premultiplyAlpha: "none" } as const;
	try {
		return await createImageBitmap(new Blob([Uint8Array.from(image)]), options);
	} catch (error) {
		throw new BevError("corrupt_chunk", `aerial image: ${messageOf(error)}`, {
			cause: error,
		});
	}
}

function* stripsOfBitmap(bitmap: ImageBitmap): Generator<[number, Uint8Array]> {
	const { width, height } = bitmap;
	const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
	const canvas = new OffscreenCanvas(width, Math.min(rows, height));
	const context = canvas.getContext("2d", { willReadFrequently: true });
	if (!context)
		throw new BevError("unsupported", "aerial image: no 2D canvas in this environment");
	context.globalCompositeOperation = "copy";
	for (let first = 0; first < height; first += rows) {
		const count = Math.min(rows, height - first);
		context.drawImage(bitmap, 0, first, width, count, 0, 0, width, count);
		const { data } = context.getImageData(0, 0, width, count);
		yield [first, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
	}
}

function* stripsOfPixels({
	width,
	height,
	data,
}: Pixels): Generator<[number, Uint8Array]> {
	const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	if (bytes.length !== width * height * 4) {
		throw new BevError(
			"invalid_argument",
			`aerial image: unexpected length (found ${bytes.length} bytes, expected ${width} x ${height} x 4)`,
		);
	}
	const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
	for (let first = 0; first < height; first += rows) {
		const end = Math.min(first + rows, height);
		yield [first, bytes.subarray(first * width * 4, end * width * 4)];
	}
}
