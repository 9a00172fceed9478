import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Returns the frames' durations in hundredths of a second. */
function frames(gif: Buffer): number[] {
	const delays: number[] = [];
	// Graphic control extensions have 4 bytes: flags, delay, transparent colour.
	for (let at = gif.indexOf("21f904", 0, "hex"); at >= 0; ) {
		delays.push(gif.readUInt16LE(at + 4));
		at = gif.indexOf("21f904", at + 1, "hex");
	}
	return delays;
}

/** Seeks to each frame, and compares the picture with the browser's decoding of `gif`. */
function differences(page: Page, gif: Buffer, at: readonly number[], begin: number) {
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

async function openExport(page: Page): Promise<void> {
	await app.focusPicture(page);
	await page.keyboard.press("e");
	await page.getByRole("heading", { name: "Export" }).waitFor();
}

describe("a GIF", () => {
	it("has each frame of the section once, timed as recorded", async () => {
		const { page, complaints } = await app.openMade(suite, {
			width: 700,
			height: 500,
			reducedMotion: true,
		});
		await page.evaluate(() => {
			const { controller } = document.querySelector<Viewer>("bev-viewer") ?? {};
			controller?.setSection({ begin: 20, end: 26 });
		});
		await openExport(page);
		await page.getByRole("combobox", { name: "Video speed" }).selectOption("4");
		const [name, gif] = await app.saved(page, "Save GIF");
		expect(name).toBe("scene-0-frames-20-25.gif");
		expect(gif.subarray(0, 6).toString()).toBe("GIF89a");
		// 25 ms each, in hundredths of a second.
		const delays = frames(gif);
		expect(delays.length).toBe(6);
		expect(delays.every((delay) => delay === 2 || delay === 3)).toBe(true);
		expect(delays.reduce((sum, delay) => sum + delay)).toBe(15);
		await page.keyboard.press("Escape");
		for (const difference of await differences(page, gif, [0, 3, 5], 20))
			expect(difference).toBeLessThan(2);
		expect(complaints).toEqual([]);
	});

	it("is discarded when it is cancelled", async () => {
		const { page } = await app.openMade(suite);
		await app.buffered(page, 248);
		await openExport(page);
		await page.getByRole("button", { name: "Save GIF" }).click();
		await page.getByRole("progressbar", { name: "Frames recorded" }).waitFor();
		await page.getByRole("button", { name: "Cancel" }).click();
		await page.getByRole("button", { name: "Save GIF" }).waitFor();
		expect((await app.stateOf(page)).frame).toBe(0);
	});
});
