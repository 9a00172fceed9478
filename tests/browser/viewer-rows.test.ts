import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PLACES, useTour } from "./tour.js";
import * as app from "./viewer-harness.js";

const suite = useTour();
const TOWN = PLACES[0]?.src ?? "";

async function open(link: string): Promise<app.Opened> {
	const opened = await app.openApp(suite, { link: `v=1&src=${TOWN}&${link}` });
	await app.settled(opened.page);
	return opened;
}

const rowsOf = (page: Page) =>
	page
		.locator("bev-plots [data-row]")
		.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row")));

const name = (page: Page, text: string | RegExp) =>
	page.locator("bev-plots .name").filter({ hasText: text });

describe("rows of the timeline", () => {
	it("a link has the rows in order, and their values", async () => {
		const { page, complaints } = await open(
			"f=90&t=1&tr=ego_distance@1,speed,jerk@ego,fact:ego_hardest_brake",
		);
		await expect
			.poll(() => rowsOf(page))
			.toEqual(["ego_distance@1", "speed", "jerk@ego", "fact:ego_hardest_brake"]);
		await page
			.getByRole("img", { name: /^Distance to ego, Car 1 in m .*: Car 1 \d/ })
			.waitFor();
		await page.getByRole("img", { name: /^Jerk, ego in m\/s³ .*: ego −?\d/ }).waitFor();
		// The frame of the fact, by which the search finds the scene.
		await page.getByRole("img", { name: /^frame \d+, −\d\.\d\d m\/s²$/ }).waitFor();
		expect(complaints).toEqual([]);
	});

	it("are moved and removed by keys, and keep the focus", async () => {
		const { page } = await open("f=90&tr=speed,acceleration,yaw");
		const yaw = name(page, /^Yaw/);
		await yaw.focus();
		await page.keyboard.press("Alt+ArrowUp");
		await page.keyboard.press("Alt+ArrowUp");
		await expect.poll(() => rowsOf(page)).toEqual(["yaw", "speed", "acceleration"]);
		await expect.poll(() => yaw.evaluate((it) => it.matches(":focus"))).toBe(true);
		await page.keyboard.press("Delete");
		await expect.poll(() => rowsOf(page)).toEqual(["speed", "acceleration"]);
		const next = name(page, /^Speed/);
		await expect.poll(() => next.evaluate((it) => it.matches(":focus"))).toBe(true);
		// The camera did not move: the keys are the row's.
		expect((await app.stateOf(page)).follow).toBe("position");
	});

	it("are moved by dragging their names", async () => {
		const { page } = await open("f=90&tr=speed,acceleration,yaw");
		await expect.poll(() => rowsOf(page)).toHaveLength(3);
		const from = await name(page, /^Speed/).boundingBox();
		const to = await name(page, /^Yaw/).boundingBox();
		if (!from || !to) throw new Error("there are no rows");
		await page.mouse.move(from.x + 8, from.y + 8);
		await page.mouse.down();
		await page.mouse.move(from.x + 8, to.y + 10, { steps: 6 });
		await page.mouse.up();
		expect(await rowsOf(page)).toEqual(["acceleration", "yaw", "speed"]);
		expect(await page.locator("bev-plots .dragged").count()).toBe(0);
	});

	it("are added from the menu, by keys, and go into the link", async () => {
		const { page, complaints } = await open("f=90&t=1");
		await page.getByRole("button", { name: "Add a row" }).focus();
		await page.keyboard.press("Enter");
		await page.getByLabel("Quantity").selectOption("yaw_rate");
		await page.getByLabel("Of", { exact: true }).selectOption("1");
		await page.getByRole("button", { name: "Add row" }).first().press("Enter");
		await expect.poll(() => rowsOf(page)).toEqual(["speed", "yaw_rate@1"]);
		const link = await app.controllerOf(page);
		expect(await link.evaluate((it) => it.linkState().rows)).toEqual([
			"speed",
			"yaw_rate@1",
		]);
		const add = page.getByRole("button", { name: "Add a row" });
		await expect.poll(() => add.evaluate((it) => it.matches(":focus"))).toBe(true);
		await add.press("Enter");
		await page.getByLabel("Quantity").waitFor();
		await page.keyboard.press("Escape");
		await page.getByLabel("Quantity").waitFor({ state: "hidden" });
		await expect.poll(() => add.evaluate((it) => it.matches(":focus"))).toBe(true);
		expect(complaints).toEqual([]);
	});

	it("a plotted track has the same colour in its row, its plot and the picture", async () => {
		const { page } = await open("f=90&t=1&qt=ego,1&q=speed&tr=speed");
		const colours = () =>
			page.evaluate(() => {
				const inside = (host: Element | null | undefined, tag: string) =>
					host?.shadowRoot?.querySelector(tag);
				const viewer = document.querySelector("bev-viewer");
				const plots = inside(inside(viewer, "bev-timeline"), "bev-plots");
				const series = inside(viewer, "bev-series");
				const stroke = (root: Element | null | undefined, selector: string) => {
					const line = root?.shadowRoot?.querySelectorAll(selector)[1];
					return line ? getComputedStyle(line).stroke : "";
				};
				return [stroke(plots, ".plot .line"), stroke(series, ".area .line")];
			});
		await expect
			.poll(async () => (await colours()).every((one) => one !== ""))
			.toBe(true);
		const [row, plot] = await colours();
		expect(row).toBe(plot);
		expect(row).toBe("rgb(86, 180, 233)");
	});
});

describe("groups of the left panel", () => {
	it("fold with their counts, by keys, and stay folded in the next scene", async () => {
		const { page, complaints } = await open("f=90");
		const head = page.getByRole("button", { name: /^Traffic \d+ of \d+/ });
		await head.press("Enter");
		await page.getByRole("switch", { name: /^Vehicles/ }).waitFor({ state: "hidden" });
		expect(await head.getAttribute("aria-expanded")).toBe("false");
		await page.keyboard.press("]");
		await expect.poll(async () => (await app.stateOf(page)).scene).toBe(1);
		await expect.poll(() => head.getAttribute("aria-expanded")).toBe("false");
		await head.press("Enter");
		await page.getByRole("switch", { name: /^Vehicles/ }).waitFor();
		expect(complaints).toEqual([]);
	});

	it("lights have the names of their arms, the ego's first", async () => {
		const { page } = await open("f=90");
		const names = () => page.locator("bev-light-list .name").allTextContents();
		await expect.poll(names).toHaveLength(4);
		expect(new Set(await names()).size).toBe(4);
		for (const one of await names())
			expect(one).toMatch(/^(North|South|East|West)(-east|-west)? arm( \d)?$/);
		await expect
			.poll(() => page.locator("bev-light-list .own .id").textContent())
			.toBe("4RYD");
		await expect
			.poll(() => page.locator("bev-timeline .key.light.own").textContent())
			.toBe((await names())[0]);
	});
});
