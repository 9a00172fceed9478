import { BevError } from "../../base/errors.js";

/** A picture's size in CSS pixels, and canvas pixels per CSS pixel. */
export interface PictureSize {
	readonly width: number;
	readonly height: number;
	readonly density: number;
}

/**
 * Maximum side in pixels: larger canvases are rejected by browsers or use too much
 * memory.
 */
const LONGEST_SIDE = 8192;

/**
 * Sizes of exported images and videos: multiples of the displayed size, and named pixel
 * sizes.
 */
export const SIZES = [
	{ key: "shown", name: "Displayed", times: 1 },
	{ key: "2x", name: "2 ×", times: 2 },
	{ key: "3x", name: "3 ×", times: 3 },
	{ key: "720p", name: "HD", width: 1280, height: 720 },
	{ key: "1080p", name: "Full HD", width: 1920, height: 1080 },
	{ key: "2160p", name: "4K", width: 3840, height: 2160 },
	{ key: "square", name: "Square", width: 1080, height: 1080 },
] as const;

export type SizeKey = (typeof SIZES)[number]["key"];

/**
 * Returns `width` by `height` pixels, scaled such that labels and lines take the same
 * share of the picture as in `shown`.
 *
 * @throws BevError `invalid_argument` if a side is not an integer from 1 to 8192.
 */
export function sizeInPixels(
	shown: PictureSize,
	width: number,
	height: number,
): PictureSize {
	for (const side of [width, height]) {
		if (Number.isInteger(side) && side >= 1 && side <= LONGEST_SIDE) continue;
		const what = `image: unsupported size (found ${width} × ${height}, expected sides from 1 to ${LONGEST_SIDE})`;
		throw new BevError("invalid_argument", what);
	}
	const density = Math.min(width, height) / Math.min(shown.width, shown.height);
	return { width: width / density, height: height / density, density };
}

/**
 * Returns size `key` for a picture displayed as `shown`; undefined if it is too large.
 */
export function sizeOf(key: SizeKey, shown: PictureSize): PictureSize | undefined {
	const choice = SIZES.find((size) => size.key === key) ?? SIZES[0];
	const size =
		"times" in choice
			? { ...shown, density: shown.density * choice.times }
			: sizeInPixels(shown, choice.width, choice.height);
	return Math.max(...pixelsOf(size)) > LONGEST_SIDE ? undefined : size;
}

export function isSameSize(a: PictureSize | undefined, b: PictureSize): boolean {
	return a?.width === b.width && a.height === b.height && a.density === b.density;
}

/** Returns width and height in canvas pixels. */
export function pixelsOf({ width, height, density }: PictureSize): [number, number] {
	return [Math.round(width * density), Math.round(height * density)];
}
