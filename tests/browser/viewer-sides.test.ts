import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const widthOf = async (page: Page, selector: string): Promise<number> =>
	(await page.locator(selector).boundingBox())?.width ?? 0;

describe("the tabs of the right panel", () => {
	it("are one tab stop; arrow keys move between them", async () => {
		const { page } = await app.openTiny(suite);
		await tab(page, "Agents").focus();
		const shown = () => page.getByRole("tabpanel").getAttribute("aria-labelledby");
		const ways = [
			["ArrowRight", "tab-selected"],
			["ArrowRight", "tab-raster"],
			["ArrowLeft", "tab-selected"],
			["End", "tab-edits"],
			["ArrowRight", "tab-agents"],
			["ArrowLeft", "tab-edits"],
			["Home", "tab-agents"],
		] as const;
		for (const [key, id] of ways) {
			await page.keyboard.press(key);
			await expect.poll(shown).toBe(id);
			const chosen = page.locator(`#${id}`);
			expect(await chosen.getAttribute("aria-selected")).toBe("true");
			expect(await chosen.evaluate((button) => button.matches(":focus"))).toBe(true);
		}
		const stops = await page
			.getByRole("tab")
			.evaluateAll((all) => all.filter((one) => one.tabIndex === 0).length);
		expect(stops).toBe(1);
		// The tabs handled the keys: the frame did not change.
		expect((await app.stateOf(page)).frame).toBe(0);
	});

	it("follow the selection, unless another view of it was chosen", async () => {
		const { page } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		const front = () =>
			page.locator('[role="tab"][aria-selected="true"]').textContent();
		await controller.evaluate((it) => it.select(1n));
		await expect.poll(front).toBe("Selected");
		await controller.evaluate((it) => it.select(undefined));
		await expect.poll(front).toMatch(/^Agents/);
		await app.openTab(page, "Raster");
		await controller.evaluate((it) => it.select(2n));
		await page.getByText("Raster of this agent").waitFor();
		expect(await front()).toBe("Raster");
		// The table returns with the selection preserved.
		await app.openTab(page, "Agents");
		await page.getByRole("grid", { name: "Agents" }).waitFor();
		expect((await app.stateOf(page)).selection).toBe("2");
	});

	it.each(["dark", "light"] as const)("satisfy axe in each, %s", async (theme) => {
		const { page } = await app.openTiny(suite, { theme, link: "t=ego" });
		for (const name of ["Raster", "Predictions", "Agents", "Selected"] as const) {
			await app.openTab(page, name);
			expect(await findings(page), name).toEqual([]);
		}
	});

	it("show the raster in the panel's full width, fully visible", async () => {
		const { page } = await app.openTiny(suite, { link: "t=ego" });
		await app.openTab(page, "Raster");
		const image = page.locator("bev-raster canvas");
		await image.waitFor();
		const box = await image.boundingBox();
		const panel = await page.getByRole("tabpanel").boundingBox();
		expect(box?.width ?? 0).toBeGreaterThan(240);
		const end = (panel?.y ?? 0) + (panel?.height ?? 0);
		expect((box?.y ?? end) + (box?.height ?? 0)).toBeLessThanOrEqual(end);
	});

	it("keep the table's last column inside a narrow window", async () => {
		const { page } = await app.openTiny(suite, { width: 1010, height: 700 });
		const panel = await page.locator(".right").boundingBox();
		const cell = await page
			.getByRole("grid", { name: "Agents" })
			.locator("tbody tr td:last-child")
			.first()
			.boundingBox();
		const end = (panel?.x ?? 0) + (panel?.width ?? 0);
		expect((cell?.x ?? end) + (cell?.width ?? 0)).toBeLessThanOrEqual(end - 8);
	});
});

describe("the edge of the right panel", () => {
	it("moves by keys within its limits", async () => {
		const { page } = await app.openTiny(suite);
		const edge = page.getByRole("separator", { name: "Panel width" });
		await edge.focus();
		expect(await edge.getAttribute("aria-valuenow")).toBe("340");
		for (const [key, width] of [
			["ArrowLeft", 356],
			["ArrowRight", 340],
			["End", 520],
			["ArrowLeft", 520],
			["Home", 280],
			["ArrowRight", 280],
		] as const) {
			await page.keyboard.press(key);
			await expect.poll(() => edge.getAttribute("aria-valuenow")).toBe(String(width));
			expect(await widthOf(page, ".right")).toBe(width);
		}
		expect((await app.stateOf(page)).frame).toBe(0);
		expect(await findings(page)).toEqual([]);
	});

	it("is dragged; a double click resets it", async () => {
		const { page } = await app.openTiny(suite);
		const edge = page.getByRole("separator", { name: "Panel width" });
		const box = await edge.boundingBox();
		if (!box) throw new Error("there is no edge");
		const [x, y] = [box.x + 1, box.y + box.height / 2];
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move(x - 100, y, { steps: 4 });
		await page.mouse.up();
		await expect.poll(() => widthOf(page, ".right")).toBeGreaterThan(433);
		expect(await widthOf(page, ".right")).toBeLessThan(446);
		await page.mouse.move(x + 200, y);
		expect(await widthOf(page, ".right")).toBeGreaterThan(433);
		await edge.dblclick({ position: { x: 2, y: 200 } });
		await expect.poll(() => widthOf(page, ".right")).toBe(340);
	});
});

describe("the side panels", () => {
	it("open and close by buttons; the picture takes their space", async () => {
		const { page } = await app.openTiny(suite);
		const width = () => widthOf(page, "bev-scene-view");
		const layers = page.getByRole("button", { name: "Layers", exact: true });
		const agents = page.getByRole("button", { name: "Agents", exact: true });
		expect(await layers.getAttribute("aria-expanded")).toBe("true");
		const before = await width();
		await layers.click();
		await expect.poll(width).toBe(before + 232);
		expect(await layers.getAttribute("aria-expanded")).toBe("false");
		await agents.click();
		await expect.poll(width).toBe(1280);
		await page.getByRole("switch", { name: "Vehicles" }).waitFor({ state: "hidden" });
		expect(await findings(page)).toEqual([]);
		// Actions that need a panel open it.
		await page.keyboard.press("/");
		await expect.poll(width).toBe(1280 - 340);
		await layers.click();
		await expect.poll(width).toBe(before);
	});

	it("enter and exit full screen", async () => {
		const { page } = await app.openTiny(suite);
		const full = page.getByRole("button", { name: "Full screen", exact: true });
		const filled = () =>
			page.evaluate(() => document.fullscreenElement?.localName ?? "none");
		await full.click();
		await expect.poll(filled).toBe("bev-viewer");
		await page.getByRole("button", { name: "Exit full screen" }).click();
		await expect.poll(filled).toBe("none");
		await full.waitFor();
	});
});

describe("the timeline", () => {
	it("keeps its height between scenes and while loading", async () => {
		const { page } = await app.openTiny(suite);
		const height = async () =>
			(await page.locator("bev-timeline").boundingBox())?.height ?? 0;
		const before = await height();
		expect(before).toBeGreaterThan(100);
		await app.still(page);
		expect(await height()).toBe(before);
		await page.getByRole("button", { name: "Next scene" }).click();
		expect(await height()).toBe(before);
		await app.still(page);
		expect(await height()).toBe(before);
		await page.context().close();
		const { page: made } = await app.openMade(suite);
		expect((await made.locator("bev-timeline").boundingBox())?.height).toBe(before);
	});

	it("shows time and frame at the same position with a section", async () => {
		const { page } = await app.openTiny(suite);
		const place = () => page.locator("bev-timeline .frame").boundingBox();
		const before = await place();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.setSection({ begin: 1, end: 4 }));
		await page.getByRole("button", { name: "Section 1–3: clear" }).waitFor();
		expect(await place()).toEqual(before);
	});
});
