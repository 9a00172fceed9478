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
	said = /: (opened|scores of)/,
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

/** The section of a submission in the panel. */
export const section = (page: Page, name: string): Locator =>
	page.getByRole("region", { name: `Submission ${name}` });

/** The group with the number of the shown future. */
export const shown = (page: Page): Locator =>
	page.getByRole("group", { name: "Shown future" });

/** The strip of futures below the timeline. */
export const strip = (page: Page): Locator =>
	page.getByRole("listbox", { name: /^Futures, by / });
