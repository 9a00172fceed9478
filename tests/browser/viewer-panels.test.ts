import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Returns column `k` of the agent table, from top to bottom. */
const column = (page: Page, k: number) =>
	page
		.getByRole("grid", { name: "Agents" })
		.locator(`tbody td:nth-child(${k})`)
		.allTextContents();

describe("the agent table", () => {
	it("sorts by the pressed column, descending when pressed again", async () => {
		const { page } = await app.openTiny(suite);
		expect(await column(page, 4)).toEqual(["10.0", "20.0", "30.0"]);
		await page.getByRole("button", { name: "Metres", exact: true }).click();
		expect(await column(page, 4)).toEqual(["30.0", "20.0", "10.0"]);
		const heading = page.getByRole("columnheader", { name: "Metres" });
		expect(await heading.getAttribute("aria-sort")).toBe("descending");
		await page.getByRole("columnheader", { name: "Track" }).getByRole("button").click();
		expect(await column(page, 2)).toEqual(["1", "2", "3"]);
		expect(await heading.getAttribute("aria-sort")).toBe("none");
	});
});

describe("the record", () => {
	it("shows label probabilities as proportional bars", async () => {
		const { page } = await app.openTiny(suite);
		await page.getByRole("button", { name: "Label 3" }).click();
		const row = page.locator("bev-inspector .label");
		expect(
			(await row.allTextContents()).map((text) => text.replace(/\s+/g, "")),
		).toEqual(["Label30.75"]);
		const long = async (bar: string) =>
			(await row.locator(bar).boundingBox())?.width ?? Number.NaN;
		expect((await long(".value")) / (await long(".rail"))).toBeCloseTo(0.75, 2);
	});
});

describe("scenes", () => {
	it("are changed by the buttons beside the name, and by keys", async () => {
		const { page } = await app.openTiny(suite);
		const back = page.getByRole("button", { name: "Previous scene" });
		const on = page.getByRole("button", { name: "Next scene" });
		expect(await back.isDisabled()).toBe(true);
		await on.click();
		await page.getByText("Scene 1 of 0–1").waitFor();
		expect(await on.isDisabled()).toBe(true);
		await app.focusPicture(page);
		await page.keyboard.press("[");
		await page.getByText("Scene 0 of 0–1").waitFor();
	});
});

describe("the timeline", () => {
	it("plays at the chosen speed and shows loaded frames", async () => {
		const { page } = await app.openMade(suite);
		await app.buffered(page, 248);
		const loaded = page.locator("bev-timeline .loaded");
		expect(await loaded.getAttribute("width")).toBe("247");
		const speed = page.getByRole("combobox", { name: "Playback speed" });
		expect((await speed.locator("option").allTextContents()).at(0)).toBe("0.1×");
		expect((await speed.locator("option").allTextContents()).at(-1)).toBe("8×");
		await speed.selectOption("8");
		const controller = await app.controllerOf(page);
		// 248 frames of 0.1 s take about three seconds at 8x. If a busy page is suspended,
		// at most 0.25 s count at a time.
		const seconds = await controller.evaluate(async (it) => {
			let sum = 0;
			let last: number | undefined;
			it.play();
			while (it.state.playing) {
				const now = await new Promise(requestAnimationFrame);
				sum += Math.min(250, now - (last ?? now)) / 1000;
				last = now;
			}
			return sum;
		});
		expect(seconds).toBeGreaterThan(2.9);
		expect(seconds).toBeLessThan(3.7);
	});

	it("has a row per traffic light; a press seeks", async () => {
		const { page } = await app.openMade(suite);
		await app.buffered(page, 248);
		const light = page.getByRole("img", { name: /^Light / }).first();
		expect(await light.getAttribute("aria-label")).toMatch(/ at this frame$/);
		const box = await light.boundingBox();
		if (!box) throw new Error("there is no light");
		const position = { x: (box.width * 50) / 247, y: box.height / 2 };
		await light.click({ position });
		expect((await app.stateOf(page)).frame).toBe(50);
		await page.getByRole("button", { name: "Lights", exact: true }).click();
		await light.waitFor({ state: "hidden" });
	});
});

describe("the top bar", () => {
	it("copies a link that restores the view", async () => {
		const { page } = await app.openTiny(suite, { link: "s=1&f=3&t=2" });
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		// The confirmation disappears after a moment.
		const copied = page.getByRole("button", { name: "Copied" }).waitFor();
		await page.getByRole("button", { name: "Copy link" }).click();
		await copied;
		const link = await page.evaluate(() => navigator.clipboard.readText());
		await page.goto("about:blank");
		await page.goto(link);
		await app.settled(page);
		expect(await app.stateOf(page)).toMatchObject({
			scene: 1,
			shown: 3,
			selection: "2",
		});
	});

	it("changes the theme of every element and the picture", async () => {
		const { page } = await app.openTiny(suite, { theme: "dark" });
		const grounds = () =>
			page.evaluate(() => {
				const viewer = document.querySelector("bev-viewer");
				const parts = ["bev-scene-view", "bev-timeline", "bev-layers"].map((name) =>
					viewer?.renderRoot.querySelector<HTMLElement>(name),
				);
				return parts.map((part) => part && getComputedStyle(part).colorScheme);
			});
		expect(await grounds()).toEqual(["dark", "dark", "dark"]);
		await page.getByRole("button", { name: "Theme: auto" }).click();
		await page.getByRole("button", { name: "Theme: dark" }).click();
		await page.getByRole("button", { name: "Theme: light" }).waitFor();
		expect(await grounds()).toEqual(["light", "light", "light"]);
	});
});

describe("the parts", () => {
	it("work alone on a shared controller", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		await controller.evaluate(async (shared) => {
			const names = [
				...(["bev-scene-view", "bev-timeline", "bev-layers", "bev-plots"] as const),
				...(["bev-agent-table", "bev-inspector", "bev-light-list"] as const),
			];
			const parts = names.map((name) => {
				const part = document.createElement(name);
				part.controller = shared;
				return part;
			});
			document.querySelector("main")?.append(...parts);
			await Promise.all(parts.map((part) => part.updateComplete));
		});
		const alone = page.locator("main > bev-timeline");
		await alone.getByRole("button", { name: "Next frame" }).click();
		expect((await app.stateOf(page)).frame).toBe(1);
		await page.locator("main > bev-agent-table button", { hasText: "Label 3" }).click();
		await page.locator("main > bev-inspector").getByText("track 1").waitFor();
		await page
			.locator("main > bev-layers")
			.getByRole("switch", { name: "Ego" })
			.click();
		expect((await app.stateOf(page)).layers).not.toContain("ego");
		expect(complaints).toEqual([]);
	});

	it("redraw the picture when its context is restored", async () => {
		const { page } = await app.openTiny(suite, { reducedMotion: true });
		await app.still(page);
		const same = await page.evaluate(async () => {
			const viewer = document.querySelector("bev-viewer");
			const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
			if (!canvas) throw new Error("there is no picture");
			const frames = async () => {
				for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame);
				return canvas.toDataURL();
			};
			const before = await frames();
			canvas.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
			const lost = canvas.toDataURL();
			canvas.dispatchEvent(new Event("contextrestored"));
			return [lost === before, (await frames()) === before];
		});
		expect(same).toEqual([false, true]);
	});
});
