import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const field = (page: Page) => page.getByRole("searchbox", { name: "Find" });
const queryOf = (page: Page) =>
	page.evaluate(
		() => document.querySelector<Viewer>("bev-viewer")?.controller?.state.query,
	);

/** Returns the focused element, across shadow roots. */
const focused = (page: Page) =>
	page.evaluate(() => {
		let at = document.activeElement;
		while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
		return at?.ariaLabel ?? "";
	});

describe("Find", () => {
	it("Enter selects the only match; Escape clears, then leaves the field", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await page.keyboard.press("/");
		await page.keyboard.type("14");
		await page.getByText(/^Find 14: 1 of 3 in this frame$/).waitFor();
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await app.stateOf(page)).selection).toBe("3");
		// Nothing stays dimmed by a search that has found its track.
		expect(await queryOf(page)).toBe("");
		await page.keyboard.press("Escape");
		await expect.poll(async () => (await app.stateOf(page)).selection).toBeUndefined();
		await page.keyboard.press("/");
		await expect.poll(() => focused(page)).toBe("Find a track or class");
		await page.keyboard.type("12");
		await page.keyboard.press("Escape");
		await expect.poll(() => queryOf(page)).toBe("");
		await page.keyboard.press("Escape");
		await page.keyboard.press("End");
		expect((await app.stateOf(page)).frame).toBe(5);
		expect(complaints).toEqual([]);
	});

	it("accepts / and ? as text", async () => {
		const { page } = await app.openTiny(suite);
		await page.keyboard.press("/");
		await page.keyboard.type("1/?");
		expect(await field(page).inputValue()).toBe("1/?");
		expect(await page.locator("dialog[open]").count()).toBe(0);
	});

	it("shows the query in the picture and can be cleared there", async () => {
		const { page } = await app.openTiny(suite);
		const pixels = () =>
			page.evaluate(async () => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				const blob = await viewer?.toBlob();
				return blob ? [...new Uint8Array(await blob.arrayBuffer())].join() : "";
			});
		await app.still(page);
		const plain = await pixels();
		await page.keyboard.press("/");
		await page.keyboard.type("label 12");
		await app.drawn(page);
		expect(await pixels()).not.toBe(plain);
		await page.getByRole("button", { name: "Clear Find" }).click();
		expect(await queryOf(page)).toBe("");
		await app.drawn(page);
		expect(await pixels()).toBe(plain);
	});
});

describe("the table", () => {
	it("is one tab stop; arrow, Home, End and Page keys move between rows", async () => {
		const { page } = await app.openMade(suite);
		await field(page).focus();
		await page.keyboard.press("ArrowDown");
		const first = await focused(page);
		expect(first).toMatch(/^\S.* \d+, \d+\.\d metres$/);
		await page.keyboard.press("ArrowDown");
		const second = await focused(page);
		expect(second).not.toBe(first);
		await page.keyboard.press("PageDown");
		await page.keyboard.press("PageUp");
		expect(await focused(page)).toBe(second);
		await page.keyboard.press("End");
		const last = await focused(page);
		await page.keyboard.press("Home");
		expect(await focused(page)).toBe(first);
		expect(last).not.toBe(first);
		expect((await app.stateOf(page)).frame).toBe(0);
		const stops = page.locator("bev-agent-table tbody [tabindex='0']");
		expect(await stops.count()).toBe(1);
		await page.keyboard.press("Tab");
		expect(await focused(page)).not.toMatch(/metres$/);
	});
});

describe("a screen reader", () => {
	it.each([
		["]", "Scene 1 of 0 to 1"],
		[".", "Speed 2"],
		["l", "Loop on"],
		["f", "Camera follows the ego, heading up"],
		["2", "Layer vehicle off"],
		["c", "Coordinates: ego"],
		["i", "Section: frames 0 to 5"],
	])("hears the change made by %s", async (key, words) => {
		const { page } = await app.openTiny(suite);
		await page.keyboard.press(key);
		await expect.poll(async () => (await app.stateOf(page)).announcement).toBe(words);
	});
});
