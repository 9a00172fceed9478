import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const tab = (page: Page, name: string) => page.getByRole("tab", { name });

/** Returns the names of the active tabs, from top to bottom. */
const active = (page: Page): Promise<string[]> =>
	page
		.locator("[role=tab][aria-selected=true]")
		.evaluateAll((all) => all.map(({ id }) => id.replace("tab-", "")));

/** Returns the link of the page's state. */
const linkOf = async (page: Page): Promise<URLSearchParams> =>
	new URLSearchParams(
		await page.evaluate(() => document.querySelector("bev-viewer")?.save() ?? ""),
	);

async function drag(page: Page, name: string, down: number): Promise<void> {
	const from = await tab(page, name).boundingBox();
	const side = await page.locator("#side").boundingBox();
	if (!from || !side) throw new Error("no tab");
	const x = from.x + from.width / 2;
	await page.mouse.move(x, from.y + from.height / 2);
	await page.mouse.down();
	await page.mouse.move(x, from.y + 30);
	await page.mouse.move(x, side.y + down * side.height, { steps: 3 });
	await page.mouse.up();
}

describe("two panels", () => {
	it("appear when a tab is dragged down, and go when it is dragged back", async () => {
		const { page } = await app.openTiny(suite);
		await drag(page, "Plots", 0.8);
		expect(await active(page)).toEqual(["agents", "plots"]);
		await page.locator("bev-agent-table").waitFor();
		await page.locator("bev-series").waitFor();
		await drag(page, "Plots", 0.2);
		expect(await active(page)).toEqual(["agents"]);
	});

	it("do not appear when the drag ends by Escape", async () => {
		const { page } = await app.openTiny(suite);
		const box = await tab(page, "Plots").boundingBox();
		if (!box) throw new Error("no tab");
		await page.mouse.move(box.x + 5, box.y + 5);
		await page.mouse.down();
		await page.mouse.move(box.x + 5, box.y + 500, { steps: 3 });
		await page.locator("#side[data-drop=lower]").waitFor();
		await page.keyboard.press("Escape");
		await page.mouse.up();
		expect(await active(page)).toEqual(["agents"]);
		expect(await page.locator("#side[data-drop]").count()).toBe(0);
	});

	it("are reached by keyboard, with the focus on the tab", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await tab(page, "Agents").focus();
		await page.keyboard.press("Shift+ArrowDown");
		expect(await active(page)).toEqual(["selected", "agents"]);
		const focused = () =>
			page.evaluate(
				() => document.querySelector("bev-viewer")?.shadowRoot?.activeElement?.id,
			);
		await expect.poll(focused).toBe("tab-agents");
		expect(await findings(page)).toEqual([]);
		await page.keyboard.press("Shift+ArrowUp");
		expect(await active(page)).toEqual(["selected"]);
		expect(complaints).toEqual([]);
	});

	it("show a selection without leaving the table", async () => {
		const { page } = await app.openTiny(suite, { link: "tb=agents,selected" });
		expect(await active(page)).toEqual(["agents", "selected"]);
		await page.getByRole("button", { name: "Label 3" }).click();
		expect(await active(page)).toEqual(["agents", "selected"]);
		await page.locator("bev-inspector").getByText("track 1").first().waitFor();
	});

	it("are resized by the splitter between them", async () => {
		const { page } = await app.openTiny(suite, { link: "tb=agents,selected" });
		const splitter = page.getByRole("separator", { name: "Height of the panel below" });
		const height = async () =>
			(await page.locator("#side-lower").boundingBox())?.height ?? 0;
		const before = await height();
		await splitter.focus();
		await page.keyboard.press("ArrowUp");
		await expect.poll(height).toBeCloseTo(before + 16, 0);
		await page.keyboard.press("Home");
		await expect.poll(height).toBeLessThan(before / 2);
	});

	it("are one in a narrow viewer", async () => {
		const { page } = await app.openTiny(suite, {
			link: "tb=agents,selected",
			width: 700,
		});
		await page.getByRole("button", { name: "Agents", exact: true }).click();
		expect(await active(page)).toEqual(["agents"]);
		expect(await tab(page, "Selected").count()).toBe(1);
	});
});

describe("the menu of layouts", () => {
	it("has presets and the tab below", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const menu = page.getByRole("group", { name: "Layout" });
		await page.getByRole("button", { name: "Layout", exact: true }).click();
		await menu.getByRole("button", { name: "Debug" }).click();
		expect(await active(page)).toEqual(["agents", "selected"]);
		await menu.getByRole("button", { name: "Notes" }).click();
		expect(await active(page)).toEqual(["agents", "notes"]);
		expect(await findings(page)).toEqual([]);
		await menu.getByRole("button", { name: "Look" }).click();
		expect(await page.locator("#side").isVisible()).toBe(false);
		expect(await page.locator("bev-plots").isVisible()).toBe(false);
		expect((await linkOf(page)).get("hd")).toBe("layers,details,plots");
		await page.keyboard.press("Escape");
		await menu.waitFor({ state: "detached" });
		expect(complaints).toEqual([]);
	});

	it("is in the list of commands", async () => {
		const { page } = await app.openTiny(suite);
		await app.focusPicture(page);
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Command" }).fill("layout review");
		await page.keyboard.press("Enter");
		expect(await active(page)).toEqual(["predictions", "selected"]);
		expect(await page.locator(".left").isVisible()).toBe(false);
	});
});

describe("links", () => {
	it("carry theme, panels, tabs, speed, loop and order", async () => {
		const link = "t=1&tb=plots,agents&hd=layers&sp=0.5&lo=1&tm=light&so=-speed";
		const { page } = await app.openTiny(suite, { link });
		expect(await active(page)).toEqual(["plots", "agents"]);
		expect(await page.locator(".left").isVisible()).toBe(false);
		const controller = await app.controllerOf(page);
		expect(
			await controller.evaluate(({ state: { speed, loop, theme, sort } }) => [
				...[speed, loop, theme, sort],
			]),
		).toEqual([0.5, true, "light", "-speed"]);
		const speed = page.getByRole("columnheader", { name: /^m\/s|Speed/ });
		expect(await speed.getAttribute("aria-sort")).toBe("descending");
		const saved = await linkOf(page);
		for (const [key, value] of new URLSearchParams(link))
			expect(saved.get(key), key).toBe(value);
		// The theme is the sender's, and not kept.
		expect(
			await page.evaluate(() => localStorage.getItem("bevscope.theme")),
		).toBeNull();
		await page.getByRole("button", { name: "Theme: light" }).click();
		expect(await page.evaluate(() => localStorage.getItem("bevscope.theme"))).toBe(
			"auto",
		);
	});

	it("have the tab that was chosen, not the one that follows the selection", async () => {
		const { page } = await app.openTiny(suite);
		await page.getByRole("button", { name: "Label 3" }).click();
		expect((await linkOf(page)).get("tb")).toBeNull();
		await tab(page, "Agents").click();
		expect((await linkOf(page)).get("tb")).toBe("agents");
		await page.waitForURL(/tb=agents/);
		await page.reload();
		await app.settled(page);
		expect(await active(page)).toEqual(["agents"]);
	});
});
