import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();
const FRAMES = 248;

/** Returns the position of the ego's box in the picture, and the displayed frame. */
function drawnEgo(page: Page): Promise<readonly [x: number, frame: number]> {
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const view = viewer?.renderRoot.querySelector("bev-scene-view");
		const shown = view?.moving.shown;
		return [shown?.ego.centroid[0] ?? Number.NaN, viewer?.frame ?? -1] as const;
	});
}

describe("the list of commands", () => {
	it("opens with Ctrl + K; arrow keys and Enter run a command", async () => {
		const { page, complaints } = await app.openMade(suite);
		await app.focusPicture(page);
		await page.keyboard.press("Control+k");
		const field = page.getByRole("combobox", { name: "Command" });
		await field.waitFor();
		expect(await findings(page)).toEqual([]);
		await field.fill("frame 77");
		await page.keyboard.press("Enter");
		await field.waitFor({ state: "hidden" });
		expect((await app.stateOf(page)).frame).toBe(77);
		await page.keyboard.press("Control+k");
		await field.fill("layer");
		const list = page.getByRole("listbox", { name: "Commands" });
		const second = list.getByRole("option").nth(1);
		expect(await second.textContent()).toBe("Hide layer: Vehicles");
		await page.keyboard.press("ArrowDown");
		expect(await second.getAttribute("aria-selected")).toBe("true");
		await page.keyboard.press("Enter");
		expect((await app.stateOf(page)).layers).not.toContain("vehicle");
		await page.keyboard.press("Control+k");
		await page.keyboard.press("Escape");
		await field.waitFor({ state: "hidden" });
		// The keys belong to the viewer again.
		await page.keyboard.press("End");
		expect((await app.stateOf(page)).frame).toBe(FRAMES - 1);
		expect(complaints).toEqual([]);
	});

	it("leaves the keys to the picture after a command, not to a row", async () => {
		const { page } = await app.openMade(suite);
		await page.locator("bev-agent-table tbody button").first().focus();
		await page.keyboard.press("Control+k");
		const field = page.getByRole("combobox", { name: "Command" });
		await field.fill("frame 77");
		await page.keyboard.press("Enter");
		await field.waitFor({ state: "hidden" });
		await page.keyboard.press("Home");
		await expect.poll(async () => (await app.stateOf(page)).frame).toBe(0);
	});

	it("says when nothing matches", async () => {
		const { page } = await app.openMade(suite, { width: 320, height: 568 });
		await app.focusPicture(page);
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Command" }).fill("no such thing");
		await page.getByText("No command matches").waitFor();
		expect(await findings(page)).toEqual([]);
	});
});

describe("the camera's menu", () => {
	it("names the mode, closes with Escape, and after a choice", async () => {
		const { page } = await app.openMade(suite);
		const button = page.getByRole("button", { name: /^Camera: / });
		expect(await button.textContent()).toBe("Follow");
		await button.click();
		expect(await findings(page)).toEqual([]);
		await page.keyboard.press("Escape");
		expect(await button.getAttribute("aria-expanded")).toBe("false");
		await button.click();
		await page.getByRole("button", { name: "Heading up" }).click();
		expect((await app.stateOf(page)).follow).toBe("heading");
		await expect.poll(() => button.textContent()).toBe("Heading up");
		expect(await button.getAttribute("aria-expanded")).toBe("false");
	});
});

describe("the section's handles", () => {
	it("move its ends by pointer and by arrow keys, but not past each other", async () => {
		const { page } = await app.openMade(suite);
		await app.buffered(page, FRAMES);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.setSection({ begin: 50, end: 101 }));
		const section = () => controller.evaluate(({ state }) => state.section);
		const start = page.getByRole("slider", { name: "Section start" });
		await start.press("ArrowLeft");
		await start.press("Shift+ArrowRight");
		expect(await section()).toEqual({ begin: 59, end: 101 });
		const end = page.getByRole("slider", { name: "Section end" });
		const lane = await page.locator("bev-timeline .lane.scrub").boundingBox();
		const box = await end.boundingBox();
		if (!lane || !box) throw new Error("there is no handle");
		await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
		await page.mouse.down();
		await page.mouse.move(lane.x + 7 + ((lane.width - 14) * 200) / (FRAMES - 1), box.y);
		expect(await section()).toEqual({ begin: 59, end: 201 });
		await page.mouse.move(lane.x, box.y);
		await page.mouse.up();
		expect(await section()).toEqual({ begin: 59, end: 60 });
		expect((await app.stateOf(page)).frame).toBe(0);
		expect(await findings(page)).toEqual([]);
	});
});

describe("plots and lights", () => {
	it("are hidden and shown with T; the picture grows by their height", async () => {
		const { page } = await app.openMade(suite);
		await app.still(page);
		const picture = page.locator("bev-scene-view");
		const height = async () => (await picture.boundingBox())?.height ?? 0;
		const before = await height();
		await app.focusPicture(page);
		await page.keyboard.press("t");
		await expect.poll(height).toBeGreaterThan(before + 60);
		expect((await app.stateOf(page)).announcement).toBe("Plots and lights hidden");
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Plots and lights" }).click();
		await expect.poll(height).toBe(before);
	});
});

describe("playback", () => {
	it("moves the picture between frames; the frame stays the recorded one", async () => {
		const { page } = await app.openMade(suite);
		await app.buffered(page, FRAMES);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			it.setSpeed(0.25);
			it.play();
		});
		// The ego moves 0.4 m a frame.
		const off = async (): Promise<number> => {
			const [x, frame] = await drawnEgo(page);
			return (x - (frame * 0.4 - 50)) / 0.4;
		};
		await expect.poll(off).toBeGreaterThan(0.05);
		for (let k = 0; k < 5; k += 1) {
			expect(await off()).toBeGreaterThanOrEqual(-1e-6);
			expect(await off()).toBeLessThanOrEqual(1 + 1e-6);
		}
		await page.getByRole("button", { name: "Smooth" }).click();
		expect(await off()).toBeCloseTo(0, 6);
		await controller.evaluate((it) => {
			it.toggleSmooth();
			it.pause();
		});
		expect(await off()).toBeCloseTo(0, 6);
	});

	it("shows recorded frames only if reduced motion is preferred", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		await app.buffered(page, FRAMES);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			it.setSpeed(0.1);
			it.play();
		});
		await expect.poll(async () => (await app.stateOf(page)).frame).toBeGreaterThan(0);
		for (let k = 0; k < 5; k += 1) {
			const [x, frame] = await drawnEgo(page);
			expect(x).toBeCloseTo(frame * 0.4 - 50, 6);
		}
	});
});

describe("a picture saved as SVG", () => {
	it("draws what the canvas shows", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		await app.still(page);
		await page.getByRole("button", { name: "Export" }).click();
		const [name, bytes] = await app.saved(page, "Save SVG");
		expect(name).toBe("scene-0-frame-0.svg");
		const svg = bytes.toString();
		expect(svg).not.toMatch(/NaN|undefined|Infinity/);
		const different = await differing(page, svg);
		expect(different).toBeLessThan(10);
		expect(complaints).toEqual([]);
	});
});

/** Returns how many pixels per thousand of the SVG's picture differ from the canvas. */
async function differing(page: Page, svg: string): Promise<number> {
	const shown = await page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		return canvas?.toDataURL("image/png") ?? "";
	});
	const other = await suite.browser.newPage();
	try {
		return await other.evaluate(
			async ([one, two]) => {
				const pixels = async (src: string) => {
					const image = new Image();
					image.src = src;
					await image.decode();
					const canvas = new OffscreenCanvas(image.width, image.height);
					const ctx = canvas.getContext("2d");
					ctx?.drawImage(image, 0, 0);
					return ctx?.getImageData(0, 0, image.width, image.height).data ?? [];
				};
				const [p, q] = [await pixels(one), await pixels(two)];
				if (p.length === 0 || p.length !== q.length) return 1000;
				let far = 0;
				for (let i = 0; i < p.length; i += 4) {
					const differs = [0, 1, 2].some(
						(k) => Math.abs((p[i + k] ?? 0) - (q[i + k] ?? 0)) > 48,
					);
					if (differs) far += 1;
				}
				return (4000 * far) / p.length;
			},
			[`data:image/svg+xml,${encodeURIComponent(svg)}`, shown] as const,
		);
	} finally {
		await other.close();
	}
}
