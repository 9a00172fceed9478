import { BevError } from "../../base/errors.js";
import { imageHead } from "./image-head.js";
import type { DecodedImage } from "./sensors-view.js";

/** Largest image that is decoded, which takes 4 bytes per pixel: 8192 by 6144. */
const MAX_PIXELS = 8192 * 6144;

/**
 * Decodes a JPEG, PNG or WebP image, scaled down to at most `width` pixels. The size is
 * checked before any memory is allocated for pixels.
 *
 * @throws corrupt_chunk for anything else and for damaged images; limit_exceeded
 */
export async function decodeImage(
	bytes: Uint8Array,
	width: number,
): Promise<DecodedImage> {
	const head = imageHead(bytes);
	if (!head) throw new BevError("corrupt_chunk", "Not a JPEG, PNG or WebP image");
	const { type, ...size } = head;
	if (size.width === 0 || size.height === 0)
		throw new BevError("corrupt_chunk", "Image without pixels");
	if (size.width * size.height > MAX_PIXELS) {
		const found = `${size.width} × ${size.height}`;
		throw new BevError("limit_exceeded", `Image too large (${found} pixels)`);
	}
	const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
	const options: ImageBitmapOptions =
		size.width > width ? { resizeWidth: width, resizeQuality: "medium" } : {};
	try {
		return { bitmap: await createImageBitmap(blob, options), ...size };
	} catch (cause) {
		throw new BevError("corrupt_chunk", "Damaged image", { cause });
	}
}
