import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search all scenes" });
const box = (page: Page) => page.getByRole("combobox", { name: "Filter" });
const hits = (page: Page) =>
	page.getByRole("listbox", { name: "Hits" }).getByRole("option");
const options = (page: Page) =>
	page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
const said = (page: Page) => dialog(page).locator(".count");

/** Opens the search of a table. */
async function open(page: Page, table = "agents"): Promise<void> {
	await page.keyboard.press("g");
	await dialog(page).waitFor();
	await page.getByRole("combobox", { name: "Table" }).selectOption(table);
	await box(page).focus();
}

async function search(page: Page, filter: string): Promise<void> {
	await box(page).fill(filter);
	await box(page).press("Enter");
}

describe("Search of all scenes", () => {
	it("lists hits, and goes to one with its track selected", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await open(page);
		await search(page, "scene == 1 and frame >= 4 and track_id == 2");
		await expect.poll(() => said(page).textContent()).toBe("2 hits");
		expect(await hits(page).count()).toBe(2);
		expect(await hits(page).first().textContent()).toMatch(
			/scene 1 . frame 4 . track 2/,
		);
		await page.getByRole("listbox", { name: "Hits" }).focus();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await expect.poll(() => dialog(page).isVisible()).toBe(false);
		await expect
			.poll(() => app.stateOf(page))
			.toMatchObject({ scene: 1, frame: 5, selection: "2" });
		await page.keyboard.press("g");
		await expect.poll(() => hits(page).count()).toBe(2);
		expect(complaints).toEqual([]);
	});

	it("lists the worst first, in any order, and marks the chosen hit", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await open(page);
		await search(page, "speed > 5 and frame == 2");
		await expect.poll(() => said(page).textContent()).toMatch(/^\d+ hits$/);
		const values = async (name: string) =>
			(await hits(page).locator(".hint").allTextContents())
				.filter((text) => text.startsWith(name))
				.map((text) => Number.parseFloat(text.slice(name.length)));
		const speeds = await values("speed ");
		expect(speeds).toEqual([...speeds].sort((a, b) => b - a));
		const sort = dialog(page).getByRole("combobox", { name: "Sort" });
		expect(await sort.inputValue()).toBe("worst");
		await sort.selectOption("distance to ego");
		const far = () => values("distance to ego ");
		const ascending = [...(await far())].sort((a, b) => a - b);
		await expect.poll(far).toEqual(ascending);
		await dialog(page).getByRole("button", { name: "Reverse" }).click();
		await expect.poll(far).toEqual([...ascending].reverse());
		await page.getByRole("listbox", { name: "Hits" }).focus();
		const [, scene] =
			/scene (\d)/.exec((await hits(page).first().textContent()) ?? "") ?? [];
		await page.keyboard.press("Enter");
		await app.settled(page);
		const controller = await app.controllerOf(page);
		const marked = await controller.evaluate(({ state }) => ({
			scene: `${state.scene}`,
			same: state.focus?.of === state.selection,
			words: state.focus?.words,
		}));
		expect(marked).toEqual({
			scene,
			same: true,
			words: expect.stringMatching(/^speed \d/),
		});
		expect(complaints).toEqual([]);
	});

	it("is saved under a name, in the browser and in the link", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const saved = dialog(page).getByRole("group", { name: "Saved searches" });
		await open(page);
		await search(page, "speed > 5");
		await expect.poll(() => said(page).textContent()).toMatch(/hits$/);
		await saved.getByRole("button", { name: "Save search" }).click();
		await page.keyboard.type('fast "cars"');
		await page.keyboard.press("Escape"); // closes the field, not the dialog
		await saved.getByRole("button", { name: "Save search" }).click();
		await page.keyboard.type('fast "cars"');
		await page.keyboard.press("Enter");
		const chip = saved.getByRole("button", { name: "fast 'cars'", exact: true });
		await expect.poll(() => chip.getAttribute("aria-pressed")).toBe("true");
		const link = () =>
			page.evaluate(() => document.querySelector("bev-viewer")?.save() ?? "");
		expect(await link()).toContain(`find=agents"fast%20'cars'":speed%20>%205`);
		expect(await findings(page)).toEqual([]);
		await page.reload();
		await app.settled(page);
		await page.keyboard.press("g");
		await chip.click();
		await expect.poll(() => said(page).textContent()).toMatch(/hits$/);
		await search(page, "speed > 6");
		await expect.poll(() => chip.getAttribute("aria-pressed")).toBe("false");
		expect(await link()).toContain("find=agents:speed%20>%206");
		await saved.getByRole("button", { name: "Remove fast 'cars'" }).click();
		await chip.waitFor({ state: "detached" });
		expect(complaints).toEqual([]);
	});

	it("a number alone finds the track of this id", async () => {
		const { page } = await app.openTiny(suite);
		await open(page, "frames");
		await search(page, "2");
		const table = page.getByRole("combobox", { name: "Table" });
		await expect.poll(() => table.inputValue()).toBe("tracks");
		await expect.poll(() => box(page).inputValue()).toBe("track_id == 2");
		await expect.poll(() => said(page).textContent()).toMatch(/^\d+ hits?$/);
		expect(await hits(page).first().textContent()).toMatch(/track 2/);
	});

	it("searches frames, and reads only the chunks it needs", async () => {
		const { page } = await app.openTiny(suite);
		await app.still(page); // it reads the scene's chunks until then
		suite.server.log.length = 0;
		await open(page, "frames");
		// Thumbnails read what they show; the agents of the open scene are in memory.
		await search(page, "frame == 5 and scene == 0");
		await expect.poll(() => said(page).textContent()).toBe("1 hit");
		const read = suite.server.asked("/data/tiny.zarr/");
		expect(read.filter((key) => /^agents\/\d/.test(key))).toEqual([]);
	});

	it("names and labels are completed by keyboard", async () => {
		const { page } = await app.openTiny(suite);
		await open(page);
		await box(page).pressSequentially("dist"); // also before the names are read
		await expect.poll(() => options(page).count()).toBe(1);
		await page.keyboard.press("ArrowDown");
		expect(await box(page).getAttribute("aria-activedescendant")).toBe("option-0");
		await page.keyboard.press("Enter");
		expect(await box(page).inputValue()).toBe("distance_to_ego");
		await box(page).pressSequentially(' < 15 and label == "ca');
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		expect(await box(page).inputValue()).toMatch(/label == "CAR"$/);
		await page.keyboard.press("Escape");
		await expect.poll(() => dialog(page).isVisible()).toBe(false);
	});

	it("an error shows its column under the text", async () => {
		const { page } = await app.openTiny(suite);
		await open(page);
		await search(page, "speed > 1 and spead < 3");
		const alert = dialog(page).getByRole("alert");
		await alert.waitFor();
		expect(await alert.textContent()).toContain(
			'filter, column 15: unknown field "spead"',
		);
		expect(await alert.locator("pre").textContent()).toBe(
			`speed > 1 and spead < 3\n${" ".repeat(14)}^`,
		);
		expect(await box(page).getAttribute("aria-invalid")).toBe("true");
		await search(page, "speed > 1");
		await expect.poll(() => said(page).textContent()).toBe("36 hits");
		expect(await alert.count()).toBe(0);
	});

	it("a newer search wins over one that is still reading", async () => {
		const { page } = await app.openTiny(suite);
		suite.server.log.length = 0;
		suite.server.fault({ match: /agents\/\d+$/, stallAfter: 4 });
		await open(page);
		await search(page, "yaw >= 0");
		await expect
			.poll(() => suite.server.asked("/data/tiny.zarr/agents/").length)
			.toBeGreaterThan(0);
		expect(await said(page).textContent()).toMatch(/^Searching|^0 hits/);
		await page.getByRole("combobox", { name: "Table" }).selectOption("frames");
		await search(page, "frame == 3");
		await expect.poll(() => said(page).textContent()).toBe("2 hits");
		const stalled = suite.server.log.filter(({ path }) => /agents\/\d+$/.test(path));
		await expect.poll(() => stalled.every(({ aborted }) => aborted)).toBe(true);
		expect(await said(page).textContent()).toBe("2 hits");
		expect(await hits(page).count()).toBe(2);
	});

	it("can be stopped, which cancels its requests", async () => {
		const { page } = await app.openTiny(suite);
		suite.server.log.length = 0;
		suite.server.fault({ match: /agents\/\d+$/, stallAfter: 4 });
		await open(page);
		await search(page, "yaw >= 0");
		const stalled = () =>
			suite.server.log.filter(({ path }) => /agents\/\d+$/.test(path));
		await expect.poll(() => stalled().length).toBeGreaterThan(0);
		await dialog(page).getByRole("button", { name: "Stop" }).click();
		await expect.poll(() => said(page).textContent()).toMatch(/^Stopped: 0 hits/);
		await expect.poll(() => stalled().every(({ aborted }) => aborted)).toBe(true);
	});

	it("the filter is in the link, and in the box of a page opened from it", async () => {
		const { page } = await app.openTiny(suite);
		await open(page);
		await search(page, "track_id == 3 and time > 0.25");
		await expect.poll(() => said(page).textContent()).toBe("6 hits");
		await expect.poll(() => page.url()).toContain("find=agents:track_id");
		const again = await suite.browser.newPage();
		await again.goto(page.url());
		await app.settled(again);
		await again.keyboard.press("g");
		await expect
			.poll(() => box(again).inputValue())
			.toBe("track_id == 3 and time > 0.25");
		expect(await hits(again).count()).toBe(0);
	});

	it("has no accessibility violations, on small screens too", async () => {
		const { page } = await app.openTiny(suite);
		await page.setViewportSize({ width: 380, height: 700 });
		await open(page);
		await search(page, "speed > 1");
		await expect.poll(() => said(page).textContent()).toBe("36 hits");
		expect(await findings(page)).toEqual([]);
		const overflow = await dialog(page).evaluate(
			(element) => element.scrollWidth - element.clientWidth,
		);
		expect(overflow).toBe(0);
	});
});
