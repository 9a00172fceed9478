import { applyPalette, GIFEncoder, quantize } from "gifenc/dist/gifenc.esm.js";
import { BevError } from "../../base/errors.js";
import type { ViewerController } from "../session/controller.js";
import { type Recording, type RecordOptions, record } from "./recording.js";
import type { ExportedPicture } from "./still.js";

/** Colours of a GIF's frame, at most. */
const COLOURS = 256;
/** Shortest duration in hundredths of a second: players show shorter frames for longer. */
const SHORTEST = 2;

async function encoded({ canvas, each }: Recording): Promise<Blob> {
	const encoder = GIFEncoder();
	const { width, height } = canvas;
	const copy = new OffscreenCanvas(width, height);
	const ctx = copy.getContext("2d", { alpha: false, willReadFrequently: true });
	if (!ctx) throw new BevError("unsupported", "gif: no canvas in this browser");
	await each(async (image, { timestamp, duration }) => {
		// Rounded from the start, so that the frames' durations sum up.
		const begin = Math.round(timestamp * 100);
		const hundredths = Math.round((timestamp + duration) * 100) - begin;
		if (hundredths < SHORTEST) {
			const what = `gif: a frame is too short (found ${(10 * hundredths).toFixed(0)} ms, expected ${10 * SHORTEST} or more)`;
			throw new BevError("invalid_argument", `${what}; choose a lower speed`);
		}
		ctx.drawImage(image, 0, 0);
		const { data } = ctx.getImageData(0, 0, width, height);
		const palette = quantize(data, COLOURS, { format: "rgb565" });
		const index = applyPalette(data, palette, "rgb565");
		encoder.writeFrame(index, width, height, { palette, delay: 10 * hundredths });
		// Encoding is synchronous: the page draws progress and handles input in between.
		await new Promise((resolve) => setTimeout(resolve));
	});
	encoder.finish();
	return new Blob([encoder.bytes()], { type: "image/gif" });
}

/**
 * Exports a recording as a GIF, each frame with at most 256 colours.
 *
 * @throws BevError see `record`; `invalid_argument` if a frame is shorter than 20 ms.
 */
export function recordGif(
	controller: ViewerController,
	picture: ExportedPicture,
	options: RecordOptions,
): Promise<Blob> {
	return record(controller, picture, options, encoded);
}
