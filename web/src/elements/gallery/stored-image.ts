import type { Palette } from "../draw/palette.js";

/** Classes of what is in a picture, in the order of its codes. */
const CLASSES = ["vehicle", "cyclist", "pedestrian", "other", "ego"] as const;
const THIRDS = 3;
const CODES = 64;

/**
 * Returns a picture that `bevscope index --thumbnails` drew, in the colours of a palette.
 * `core/raster/scene_picture.hpp` says how its codes are stored.
 */
export async function storedImage(
	png: Uint8Array<ArrayBuffer>,
	palette: Palette,
): Promise<ImageBitmap | undefined> {
	const blob = new Blob([png], { type: "image/png" });
	const stored = await createImageBitmap(blob, { colorSpaceConversion: "none" });
	const { width, height } = stored;
	const canvas = new OffscreenCanvas(width, height);
	const ctx = canvas.getContext("2d", { alpha: false });
	const colours = coloursOf(palette);
	if (!ctx || !colours) return undefined;
	ctx.drawImage(stored, 0, 0);
	stored.close();
	const pixels = ctx.getImageData(0, 0, width, height);
	const { data } = pixels;
	for (let i = 0; i < data.length; i += 4) {
		const code = (bits(data[i]) << 4) | (bits(data[i + 1]) << 2) | bits(data[i + 2]);
		data.set(colours.subarray(4 * code, 4 * code + 3), i);
	}
	ctx.putImageData(pixels, 0, 0);
	return canvas.transferToImageBitmap();
}

function bits(value: number | undefined): number {
	return (value ?? 0) & 3;
}

/** Returns red, green, blue and alpha of each code. */
function coloursOf(palette: Palette): Uint8ClampedArray | undefined {
	const ctx = new OffscreenCanvas(CODES, 1).getContext("2d", { alpha: false });
	if (!ctx) return undefined;
	const cover = (code: number, colour: string, thirds: number): void => {
		ctx.globalAlpha = thirds / THIRDS;
		ctx.fillStyle = colour;
		ctx.fillRect(code, 0, 1, 1);
	};
	for (let code = 0; code < CODES; code += 1) {
		cover(code, palette.ground, THIRDS);
		cover(code, palette.road, code >> 4);
		const top = (code & 15) - 1;
		const { [Math.floor(top / THIRDS)]: name } = CLASSES;
		if (name) cover(code, palette[name], (top % THIRDS) + 1);
	}
	return ctx.getImageData(0, 0, CODES, 1).data;
}
