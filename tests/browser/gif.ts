import type { Page } from "playwright-core";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";

/** Returns the frames' durations in hundredths of a second. */
export function durations(gif: Buffer): number[] {
	const delays: number[] = [];
	// Graphic control extensions have 4 bytes: flags, delay, transparent colour.
	for (let at = gif.indexOf("21f904", 0, "hex"); at >= 0; ) {
		delays.push(gif.readUInt16LE(at + 4));
		at = gif.indexOf("21f904", at + 1, "hex");
	}
	return delays;
}

/** Seeks to each frame, and compares the picture with the browser's decoding of `gif`. */
export function differences(
	page: Page,
	gif: Buffer,
	at: readonly number[],
	begin: number,
) {
	return page.evaluate(
		async ([base64, wanted, first]) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const { canvas } = viewer?.renderRoot.querySelector("bev-scene-view") ?? {};
			if (!viewer?.controller || !canvas) throw new Error("there is no picture");
			const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
			const decoder = new ImageDecoder({ data, type: "image/gif" });
			await decoder.completed;
			const copy = new OffscreenCanvas(canvas.width, canvas.height);
			const ctx = copy.getContext("2d");
			if (!ctx) throw new Error("there is no canvas");
			const pixels = (image: CanvasImageSource) => {
				ctx.drawImage(image, 0, 0);
				return ctx.getImageData(0, 0, copy.width, copy.height).data;
			};
			const result: number[] = [];
			for (const frameIndex of wanted) {
				const { image } = await decoder.decode({ frameIndex });
				if (image.displayWidth !== copy.width) throw new Error("another size");
				const decoded = pixels(image);
				viewer.controller.seek(first + frameIndex);
				await viewer.settled;
				const shown = pixels(canvas);
				let sum = 0;
				for (let i = 0; i < shown.length; i += 1)
					sum += Math.abs((shown[i] ?? 0) - (decoded[i] ?? 0));
				result.push(sum / shown.length);
			}
			return result;
		},
		[gif.toString("base64"), at, begin] as const,
	);
}
