import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Backdrop } from "../../web/src/elements/open/backdrop.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const picture = (page: Page) => page.locator("bev-backdrop");

/** Returns the state of the picture behind the start page. */
function played(page: Page) {
	return picture(page).evaluate((it) => {
		const { frame, playing, pictured } = (it as Backdrop).state;
		return { frame, playing, pictured };
	});
}

describe("The start page", () => {
	it("plays the example behind the card, until a data set is opened", async () => {
		const { page, complaints } = await app.openApp(suite);
		await picture(page).waitFor({ state: "attached" });
		await expect.poll(async () => (await played(page)).frame).toBeGreaterThan(0);
		expect(await findings(page)).toEqual([]);
		await page.getByLabel("Or open a URL").fill(app.TINY_SOURCE);
		await page.getByLabel("Or open a URL").press("Enter");
		await expect.poll(() => picture(page).count()).toBe(0);
		await app.settled(page);
		expect((await app.stateOf(page)).phase).toBe("ready");
		expect(complaints).toEqual([]);
	});

	it("shows it without motion on request", async () => {
		const { page } = await app.openApp(suite, { reducedMotion: true });
		await picture(page).waitFor({ state: "attached" });
		await expect.poll(async () => (await played(page)).pictured).toBe(true);
		expect(await played(page)).toMatchObject({ frame: 0, playing: false });
	});
});
