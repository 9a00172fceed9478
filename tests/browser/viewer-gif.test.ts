import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { differences, durations } from "./gif.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

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
		const delays = durations(gif);
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
