import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

describe("window sizes", () => {
	const overflow = (page: Page) =>
		page.evaluate(() => {
			const { scrollWidth, clientWidth } = document.documentElement;
			return scrollWidth - clientWidth;
		});

	it("fit from 320 pixels to 4K without page scrollbars", async () => {
		const sizes = [
			[320, 568],
			[360, 740],
			[768, 1024],
			[1280, 800],
			[3840, 2160],
		] as const;
		for (const [width, height] of sizes) {
			const { page } = await app.openTiny(suite, { width, height });
			await app.still(page);
			expect(await overflow(page), `${width}x${height}`).toBe(0);
			const picture = await page.locator("bev-scene-view").boundingBox();
			expect(picture?.height ?? 0, `${width}x${height}`).toBeGreaterThan(height / 2);
			await page.context().close();
		}
	});

	it("turn side panels into sheets that leave half of the picture", async () => {
		const { page } = await app.openTiny(suite, { width: 360, height: 740 });
		await page.getByRole("switch", { name: "Vehicles" }).waitFor({ state: "hidden" });
		await page.getByRole("button", { name: "Layers" }).click();
		await page.getByRole("switch", { name: "Vehicles" }).click();
		expect((await app.stateOf(page)).layers).not.toContain("vehicle");
		const picture = await page.locator("bev-scene-view").boundingBox();
		expect(picture?.height ?? 0).toBeGreaterThan(250);
		await page.getByRole("button", { name: "Close panel" }).first().click();
		await page.getByRole("switch", { name: "Vehicles" }).waitFor({ state: "hidden" });
	});

	it("keep picture, play, scrub and two menus in a small box", async () => {
		const { page } = await app.openTiny(suite, { width: 320, height: 240 });
		const seen = await page
			.getByRole("button")
			.evaluateAll((buttons) =>
				buttons.filter((button) => button.checkVisibility()).map((b) => b.ariaLabel),
			);
		expect(seen).toEqual(["Menu", "Play", "Timeline options"]);
		expect(await page.getByRole("slider", { name: "Frame" }).isVisible()).toBe(true);
	});
});

describe("embedding", () => {
	it("survives moving and removal, and restarts when inserted again", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await page.evaluate(async () => {
			const viewer = document.querySelector("bev-viewer");
			const main = document.querySelector("main");
			if (!viewer || !main) throw new Error("there is no viewer");
			viewer.remove();
			await new Promise((resolve) => setTimeout(resolve, 50));
			main.append(viewer);
		});
		await app.settled(page);
		await page.getByRole("button", { name: "Next frame" }).click();
		await app.settled(page);
		expect(await app.stateOf(page)).toMatchObject({ frame: 1, shown: 1 });
		expect(complaints).toEqual([]);
	});

	it("dispatches events", async () => {
		const { page } = await app.openApp(suite);
		const told = await page.evaluate(async (src) => {
			const events: string[] = [];
			const names = [
				"dataset-load",
				"scene-change",
				"frame-change",
				"selection-change",
			];
			for (const name of names)
				document.addEventListener(name, () => events.push(name));
			const viewer = document.createElement("bev-viewer");
			viewer.setAttribute("src", src);
			document.querySelector("bev-viewer")?.replaceWith(viewer);
			await (viewer as unknown as { settled: Promise<void> }).settled;
			return events;
		}, app.TINY_SOURCE);
		expect(new Set(told)).toEqual(
			new Set(["dataset-load", "scene-change", "frame-change"]),
		);
	});

	it("shows data from an attribute, in several viewers on one page", async () => {
		const { page, complaints } = await app.openApp(suite);
		const frames = await page.evaluate(async (src) => {
			const main = document.querySelector("main");
			const viewers = Array.from({ length: 4 }, (_, frame) => {
				const viewer = document.createElement("bev-viewer");
				viewer.setAttribute("src", src);
				viewer.setAttribute("frame", String(frame));
				return viewer as unknown as HTMLElement & {
					settled: Promise<void>;
					controller: { state: { shown?: { frame: number } } };
				};
			});
			main?.replaceChildren(...viewers);
			await Promise.all(viewers.map((viewer) => viewer.settled));
			return viewers.map(({ controller }) => controller.state.shown?.frame);
		}, app.TINY_SOURCE);
		expect(frames).toEqual([0, 1, 2, 3]);
		expect(complaints).toEqual([]);
	});
});
