import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Converts a world position to the page, in CSS pixels. */
async function onPage(page: Page, x: number, y: number) {
	await app.still(page);
	return page.evaluate(
		([east, north]) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const picture = viewer?.renderRoot.querySelector("bev-scene-view");
			if (!picture) throw new Error("there is no picture");
			const { left, top } = picture.getBoundingClientRect();
			const { width, height, pixelsPerMetre, ...middle } = picture.target;
			return {
				x: left + width / 2 + (east - middle.x) * pixelsPerMetre,
				y: top + height / 2 - (north - middle.y) * pixelsPerMetre,
			};
		},
		[x, y] as const,
	);
}

/** Opens the synthetic scene with its agents hidden. */
async function openRoads(theme: "dark" | "light" = "dark") {
	const opened = await app.openMade(suite, { theme });
	const controller = await app.controllerOf(opened.page);
	await controller.evaluate((it) => {
		for (const name of ["vehicle", "cyclist", "pedestrian", "other", "ego"] as const)
			it.toggleLayer(name);
	});
	return { ...opened, controller };
}

const record = (page: Page) => page.locator("bev-map-record");
const title = (page: Page, name: string) =>
	record(page).getByRole("heading", { name, exact: true });

describe("a click on the map", () => {
	it("selects the lane at this point, and the one below on a second click", async () => {
		const { page, complaints } = await openRoads();
		const at = await onPage(page, -52, 9);
		const id = record(page).locator(".id");
		for (const lane of ["lane-145", "lane-164", "lane-145"]) {
			await page.mouse.click(at.x, at.y);
			await expect.poll(() => id.textContent()).toBe(lane);
		}
		await record(page).getByText("In a junction").waitFor();
		const tab = page.getByRole("tab", { name: "Selected" });
		expect(await tab.getAttribute("aria-selected")).toBe("true");
		expect(await findings(page)).toEqual([]);
		await page.keyboard.press("Escape");
		await record(page).waitFor({ state: "detached" });
		expect(complaints).toEqual([]);
	});

	it("selects a crosswalk before the lanes below; an agent replaces it", async () => {
		const { page, controller } = await openRoads("light");
		const at = await onPage(page, -50, -10);
		await page.mouse.click(at.x, at.y);
		await title(page, "Crosswalk").waitFor();
		expect(await record(page).locator(".id").textContent()).toBe("c18");
		expect(await findings(page)).toEqual([]);
		await controller.evaluate((it) => it.select(3n));
		await record(page).waitFor({ state: "detached" });
		await page.getByText("track 3", { exact: true }).waitFor();
		await controller.evaluate((it) => it.select(undefined));
		await page.mouse.click(at.x, at.y);
		await record(page).waitFor();
		// Layers that are off cannot be picked.
		await controller.evaluate((it) => {
			it.toggleLayer("crosswalks");
			it.toggleLayer("lanes");
		});
		await page.mouse.click(at.x, at.y);
		await record(page).waitFor({ state: "detached" });
	});
});

describe("the list of lights", () => {
	it("selects a light by key or press and highlights its row, lanes and faces", async () => {
		const { page, complaints } = await openRoads();
		const light = page.locator("bev-light-list li button");
		await light.focus();
		await page.keyboard.press("Enter");
		await title(page, "Traffic light").waitFor();
		await expect.poll(() => light.getAttribute("aria-pressed")).toBe("true");
		const chosen = page.locator("bev-timeline .row.chosen");
		await expect.poll(() => chosen.count()).toBe(1);
		await record(page).getByText("f (green): active").waitFor();
		// One in five of 300 lanes.
		const lanes = record(page).getByRole("button", { name: /^lane-/ });
		expect(await lanes.count()).toBe(60);
		expect(await findings(page)).toEqual([]);
		await record(page).getByRole("button", { name: "lane-145" }).click();
		await title(page, "Lane").waitFor();
		await expect.poll(() => chosen.count()).toBe(0);
		await light.click();
		await expect.poll(() => light.getAttribute("aria-pressed")).toBe("true");
		await light.click();
		await expect.poll(() => light.getAttribute("aria-pressed")).toBe("false");
		await record(page).waitFor({ state: "detached" });
		expect(complaints).toEqual([]);
	});

	it("highlights the lanes in the picture", async () => {
		const { page } = await openRoads();
		const picture = () =>
			page.evaluate(() => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				const view = viewer?.renderRoot.querySelector("bev-scene-view");
				return view?.canvas?.toDataURL();
			});
		await app.still(page);
		const before = await picture();
		const light = page.locator("bev-light-list li button");
		await light.click();
		await title(page, "Traffic light").waitFor();
		await expect.poll(picture).not.toBe(before);
		await light.click();
		await record(page).waitFor({ state: "detached" });
		await app.drawn(page);
		expect(await picture()).not.toBe(before); // the pointer outlines them, too
		await page.mouse.move(640, 20);
		await expect.poll(picture).toBe(before);
	});
});
