import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const COUNT = 3000;
const SOURCE = "/data/many.zarr";
const SIZE = { scenes: COUNT, framesPerScene: 2, rowsPerChunk: 500 };

const suite = app.useViewer(() => {
	const objects = new Map<string, Uint8Array>();
	for (const [key, bytes] of tinyDataset(SIZE)) objects.set(`${SOURCE}/${key}`, bytes);
	return { objects };
});

interface List {
	readonly page: Page;
	readonly dialog: Locator;
	readonly grid: Locator;
	readonly find: Locator;
	readonly goTo: Locator;
	readonly complaints: string[];
}

/** Opens the list of scenes at `scene`. */
async function openList(scene: number, options: app.OpenOptions = {}): Promise<List> {
	const link = `v=1&src=${SOURCE}&s=${scene}`;
	const { page, complaints } = await app.openApp(suite, { ...options, link });
	await app.settled(page);
	await page.getByRole("button", { name: `Scene ${scene} of 0–${COUNT - 1}` }).click();
	const dialog = page.getByRole("dialog", { name: "Scenes" });
	const grid = dialog.getByRole("grid", { name: "List of scenes" });
	const find = dialog.getByRole("searchbox", { name: "Find a host or start time" });
	const goTo = dialog.getByRole("textbox", { name: "Go to scene" });
	return { page, dialog, grid, find, goTo, complaints };
}

/** Returns the first cell of each row on the page. */
const names = (grid: Locator): Promise<string[]> =>
	grid.locator("tbody tr td:first-child").allTextContents();

/** Returns the progress bar's position, 0 to 1; -1 if indeterminate. */
const filled = (bar: Locator): Promise<number> =>
	bar.evaluate((it) => (it as HTMLProgressElement).position);

/** Returns the id of the grid's active row. */
function active(grid: Locator): Promise<string | null> {
	return grid.getAttribute("aria-activedescendant");
}

describe("the list of scenes", () => {
	it("opens at the current scene, marked and visible, with each scene's values", async () => {
		const { page, grid, dialog, complaints } = await openList(1550);
		const row = grid.getByRole("row", { name: /^Scene 1550 / });
		await row.waitFor();
		expect(await grid.locator("[aria-current]").allTextContents()).toHaveLength(1);
		expect(await row.getAttribute("aria-current")).toBe("true");
		// 1550 scenes of two frames, 0.1 s each, after 2019-11-01 21:28:04.
		const cells = await row.getByRole("gridcell").allTextContents();
		expect(cells).toEqual([
			"Scene 1550",
			"host-1550",
			"2019-11-01 21:33:14",
			"2",
			"00:00.1",
		]);
		await expect
			.poll(async () => {
				const [inner, outer] = [await row.boundingBox(), await dialog.boundingBox()];
				if (!inner || !outer) return false;
				return inner.y > outer.y && inner.y + inner.height < outer.y + outer.height;
			})
			.toBe(true);
		await dialog.getByText("1500–1599 of 0–2999").waitFor();
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("pages backward and forward to its ends", async () => {
		const { dialog, grid } = await openList(2850);
		const next = dialog.getByRole("button", { name: "Next page" });
		const previous = dialog.getByRole("button", { name: "Previous page" });
		await grid.getByRole("row", { name: /^Scene 2899 / }).waitFor();
		await next.click();
		await grid.getByRole("row", { name: /^Scene 2999 / }).waitFor();
		expect(await next.isDisabled()).toBe(true);
		await previous.click();
		await previous.click();
		await dialog.getByText("2700–2799 of 0–2999").waitFor();
		await grid.getByRole("row", { name: /^Scene 2799 / }).waitFor();
		expect((await names(grid))[0]).toBe("Scene 2700");
	});

	it("goes to a scene by number, and names the valid range", async () => {
		const { page, dialog, goTo } = await openList(0);
		await goTo.fill("3000");
		await goTo.press("Enter");
		await dialog.getByText("Scene out of range (expected 0 to 2999)").waitFor();
		expect(await goTo.getAttribute("aria-invalid")).toBe("true");
		expect(await findings(page)).toEqual([]);
		await goTo.fill("2500");
		await goTo.press("Enter");
		await page.getByText("Scene 2500 of 0–2999").waitFor();
		expect(await dialog.isVisible()).toBe(false);
		await app.settled(page);
		await page.getByText(/^host-2500 · /).waitFor();
	});

	it("finds hosts and times in all scenes; Enter opens the first", async () => {
		const { page, dialog, grid, find } = await openList(7);
		await find.fill("host-299");
		await dialog.getByText("11 of 3000 scenes match").waitFor();
		expect(await names(grid)).toEqual([
			"Scene 299",
			...Array.from({ length: 10 }, (_, i) => `Scene ${2990 + i}`),
		]);
		expect(await findings(page)).toEqual([]);
		await find.fill("21:38:03");
		await dialog.getByText("5 of 3000 scenes match").waitFor();
		await find.fill("nobody");
		await dialog.getByText("No scene matches").waitFor();
		await find.press("Enter");
		expect(await dialog.isVisible()).toBe(true);
		await find.press("Escape");
		await grid.getByRole("row", { name: /^Scene 7 / }).waitFor();
		expect(await dialog.isVisible()).toBe(true);
		await find.fill("2991");
		await dialog.getByText("1 of 3000 scenes match").waitFor();
		await find.press("Enter");
		await page.getByText("Scene 2991 of 0–2999").waitFor();
	});

	it("is sorted by a column in both directions", async () => {
		const { grid, dialog } = await openList(0);
		const host = grid.getByRole("columnheader", { name: "Host" });
		await host.getByRole("button").click();
		await dialog.getByText("1–100 of 3000 listed").waitFor();
		expect((await names(grid)).slice(0, 4)).toEqual([
			"Scene 0",
			"Scene 1",
			"Scene 10",
			"Scene 100",
		]);
		await host.getByRole("button").click();
		expect(await host.getAttribute("aria-sort")).toBe("descending");
		expect((await names(grid))[0]).toBe("Scene 999");
	});

	it("is one tab stop; keys move through all pages", async () => {
		const { page, dialog, grid } = await openList(98);
		const press = async (key: string, row: number) => {
			await page.keyboard.press(key);
			await expect.poll(() => active(grid)).toBe(`scene-${row}`);
		};
		await expect.poll(() => active(grid)).toBe("scene-98");
		await press("ArrowDown", 99);
		await press("ArrowDown", 100);
		await press("ArrowUp", 99);
		await press("End", 2999);
		await press("ArrowDown", 2999);
		await press("Home", 0);
		await press("ArrowUp", 0);
		await page.keyboard.press("PageDown");
		await expect.poll(() => active(grid)).toMatch(/^scene-([4-9]|\d\d)$/);
		await press("PageUp", 0);
		expect(await grid.locator('tbody [tabindex="0"], tbody button').count()).toBe(0);
		await press("ArrowDown", 1);
		await page.keyboard.press("Enter");
		await page.getByText("Scene 1 of 0–2999").waitFor();
		expect(await dialog.isVisible()).toBe(false);
	});

	it("shows an error if unreadable, and retries", async () => {
		// One chunk of scenes is loaded because of the displayed scene.
		suite.server.fault({ match: /many\.zarr\/scenes\/4$/, truncateTo: 10 });
		const { page, dialog, grid, find } = await openList(0);
		await grid.getByRole("row", { name: /^Scene 99 / }).waitFor();
		await find.fill("host-2400");
		await dialog.getByText(/^Scenes: read failed: /).waitFor();
		expect(await names(grid)).toEqual([]);
		expect(await dialog.getByText(/match/).count()).toBe(0);
		expect(await findings(page)).toEqual([]);
		suite.server.reset();
		await dialog.getByRole("button", { name: "Try again" }).click();
		await dialog.getByText("1 of 3000 scenes match").waitFor();
		expect(await names(grid)).toEqual(["Scene 2400"]);
	});

	it("shows progress, and stops reading when closed", async () => {
		suite.server.fault({ match: /many\.zarr\/scenes\/3$/, stallAfter: 10 });
		const { page, dialog, grid, find } = await openList(0);
		await find.fill("host-1");
		await dialog.getByText("1500 of 3000 read").waitFor();
		const bar = dialog.getByRole("progressbar", { name: "Scenes read" });
		expect(await filled(bar)).toBe(0.5);
		await find.press("Escape");
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "hidden" });
		await page.getByRole("button", { name: "Next scene" }).click();
		await page.getByRole("button", { name: "Scene 1 of 0–2999" }).click();
		await dialog.getByText("0–99 of 0–2999").waitFor();
		await grid.getByRole("row", { name: /^Scene 1 / }).waitFor();
		expect(await find.inputValue()).toBe("");
		expect(await dialog.getByRole("progressbar").count()).toBe(0);
	});
	it("belongs to the open data set", async () => {
		const { page, dialog, grid, find } = await openList(2999);
		await find.fill("host-29");
		await dialog.getByText("111 of 3000 scenes match").waitFor();
		await page.keyboard.press("Escape");
		await page.keyboard.press("Escape");
		await page.evaluate((source) => {
			document.querySelector("bev-viewer")?.setAttribute("src", source);
		}, app.TINY_SOURCE);
		await page.getByRole("button", { name: "Scene 0 of 0–1" }).click();
		await expect.poll(() => names(grid)).toEqual(["Scene 0", "Scene 1"]);
		await find.fill("host-1");
		await dialog.getByText("1 of 2 scenes match").waitFor();
		expect(await names(grid)).toEqual(["Scene 1"]);
	});

	it("fits a phone, with its columns and the top bar", async () => {
		const phone = { width: 360, height: 740, touch: true };
		const { page, grid, dialog } = await openList(2999, phone);
		await grid.getByRole("row", { name: /^2999 / }).waitFor();
		const scroll = dialog.locator(".scroll");
		const [inner, outer] = await scroll.evaluate((it) => [
			it.scrollWidth,
			it.clientWidth,
		]);
		expect(inner).toBe(outer);
		const bar = await page.evaluate(() => {
			const root = document.querySelector("bev-viewer")?.shadowRoot;
			const scenes = root?.querySelector("bev-scenes")?.shadowRoot;
			const { right } = scenes?.querySelector(".switch")?.getBoundingClientRect() ?? {};
			return {
				right,
				end: root?.querySelector("bev-scenes")?.getBoundingClientRect().right,
			};
		});
		expect(bar.right).toBeLessThanOrEqual(bar.end ?? Number.NaN);
		expect(await findings(page)).toEqual([]);
	});
});
