// What tests of submissions in the viewer share.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { dropFiles } from "../browser/viewer-harness.js";

/** Writes files and drops them on the page, one after the other, until it says `said`. */
export async function dropContents(
	page: Page,
	files: ReadonlyMap<string, Uint8Array | string>,
	said: string | RegExp = /: (opened|scores of)/,
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
	// Scenes are read from the files later.
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const [name, content] of files) {
		const path = join(folder, name);
		writeFileSync(path, content);
		await dropFiles(page, [path]);
	}
	await page.getByText(said).first().waitFor();
}

/** Counts pixels of the submissions' colours, #c026d3 and #0891b2, faint or not. */
export function coloured(canvas: Locator): Promise<readonly [a: number, b: number]> {
	return canvas.evaluate((it: HTMLCanvasElement) => {
		const { data = [] } =
			it.getContext("2d")?.getImageData(0, 0, it.width, it.height) ?? {};
		let [a, b] = [0, 0];
		for (let i = 0; i < data.length; i += 4) {
			const [red = 0, green = 0, blue = 0] = [data[i], data[i + 1], data[i + 2]];
			if (red - green > 60 && blue - green > 60) a += 1;
			// Vehicles are of a purer blue.
			if (green - red > 50 && blue - red > 60 && blue - green < 50) b += 1;
		}
		return [a, b] as const;
	});
}

/** The section of a submission in the panel. */
export const section = (page: Page, name: string): Locator =>
	page.getByRole("region", { name: `Submission ${name}` });

/** The group with the number of the shown future. */
export const shown = (page: Page): Locator =>
	page.getByRole("group", { name: "Shown future" });

/** The strip of futures below the timeline. */
export const strip = (page: Page): Locator =>
	page.getByRole("listbox", { name: /^Futures, by / });
