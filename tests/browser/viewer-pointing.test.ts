import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();
const FRAMES = 248;
/** Padding at both ends of a timeline lane, in CSS pixels. */
const PAD = 7;

/** Moves the pointer to `frame` of `count` in a lane. */
async function pointAt(
	page: Page,
	lane: Locator,
	frame: number,
	count = FRAMES,
): Promise<void> {
	const box = await lane.boundingBox();
	if (!box) throw new Error("there is no lane");
	const x = box.x + PAD + ((box.width - 2 * PAD) * frame) / (count - 1);
	await page.mouse.move(x, box.y + box.height / 2);
}

describe("a pointer over the timeline", () => {
	it("shows time, frame and values over bar, plots and lights", async () => {
		const { page } = await app.openMade(suite);
		await app.buffered(page, FRAMES);
		const tip = page.locator("bev-timeline .tip");
		const words = async () => {
			const head = await tip.locator("b, span").allTextContents();
			return [head.join(" "), ...(await tip.locator("div").allTextContents())];
		};
		const mark = page.locator("bev-timeline .pointed");
		const lane = (of: string) => page.locator(`bev-timeline ${of}`).first();
		expect(await tip.count()).toBe(0);
		await pointAt(page, lane(".lane.scrub"), 30);
		// 6 + sin(30 / 15) m/s.
		await expect.poll(words).toEqual(["00:03.0 frame 30", "Speed 6.9 m/s"]);
		await pointAt(page, lane("bev-plots .lane"), 100);
		await expect.poll(words).toEqual(["00:10.0 frame 100", "Speed 6.4 m/s"]);
		const bar = await lane(".lane.scrub").boundingBox();
		const line = await mark.boundingBox();
		if (!bar || !line) throw new Error("there is no mark");
		const at = bar.x + PAD + ((bar.width - 2 * PAD) * 100) / (FRAMES - 1);
		expect(Math.abs(line.x - at)).toBeLessThan(1.5);
		expect(line.height).toBeGreaterThan(60);
		const row = lane(".lane.row[data-light]");
		const colour = () =>
			row.locator("svg").evaluate((it) => getComputedStyle(it).outlineStyle);
		expect(await colour()).toBe("none");
		await pointAt(page, row, 200);
		await expect
			.poll(words)
			.toEqual([...["00:20.0 frame 200", "Speed 6.7 m/s"], "Light t: green"]);
		expect(await colour()).toBe("solid");
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.select(3n));
		await pointAt(page, lane("bev-plots .lane"), 0);
		await expect
			.poll(words)
			.toEqual([
				"00:00.0 frame 0",
				"Speed 6.0 m/s, selected 8.0 m/s",
				"Face f controls no lane",
			]);
		await tip.locator("bev-frame-thumbnail").waitFor();
		// The displayed frame does not change.
		expect((await app.stateOf(page)).frame).toBe(0);
		await page.mouse.move(640, 300);
		await expect.poll(() => tip.count()).toBe(0);
	});

	it("shows a picture of the frame, never of another one", async () => {
		const { page } = await app.openTiny(suite);
		await app.still(page);
		const asked = suite.server.log.length;
		const picture = page.locator("bev-frame-thumbnail canvas");
		await pointAt(page, page.locator("bev-timeline .lane.scrub"), 2, 6);
		await expect.poll(() => picture.getAttribute("data-frame")).toBe("2");
		const drawn = () =>
			picture.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
		const second = await drawn();
		await pointAt(page, page.locator("bev-timeline .lane.scrub"), 4, 6);
		await expect.poll(() => picture.getAttribute("data-frame")).toBe("4");
		expect(await drawn()).not.toBe(second);
		// All chunks were in memory.
		const read = suite.server.log
			.slice(asked)
			.filter(({ path }) => /\/\d+$/.test(path));
		expect(read).toEqual([]);
	});
});

describe("the tabs of the right panel", () => {
	it("count the unfiltered agents of the displayed frame", async () => {
		const { page } = await app.openTiny(suite);
		const tab = page.getByRole("tab", { name: "Agents" });
		expect(await tab.textContent()).toMatch(/^Agents\s*3$/);
		expect(await tab.getAttribute("title")).toBe("3 agents in this frame");
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.setDistance(15));
		await expect.poll(() => tab.textContent()).toMatch(/^Agents\s*1$/);
		await page.locator("#tab-predictions").waitFor();
		expect(await page.locator("#tab-predictions").textContent()).toBe("Predictions");
	});

	it("count nothing while the requested frame is missing", async () => {
		suite.server.fault({ match: /tiny\.zarr\/agents\/4$/, truncateTo: 10 });
		const link = `v=1&src=${app.TINY_SOURCE}&f=5`;
		const { page } = await app.openApp(suite, { link });
		await page.getByText("Corrupt chunk").waitFor();
		expect(await page.locator("#tab-agents").textContent()).toBe("Agents");
	});
});

describe("keys for the panels", () => {
	it("open and close them, in wide boxes and as a sheet", async () => {
		const { page } = await app.openTiny(suite);
		await app.focusPicture(page);
		const sides = page.locator(".left:visible, .right:visible");
		expect(await sides.count()).toBe(2);
		await page.keyboard.press("b");
		await expect.poll(() => sides.count()).toBe(0);
		expect((await app.stateOf(page)).announcement).toBe("Side panels closed");
		await page.keyboard.press("b");
		await expect.poll(() => sides.count()).toBe(2);
		// The focus moves when the focused element is removed.
		await page.getByRole("tab", { name: "Agents" }).focus();
		await page.keyboard.press("b");
		await expect.poll(() => sides.count()).toBe(0);
		await page.keyboard.press("ArrowRight");
		await expect.poll(async () => (await app.stateOf(page)).frame).toBe(1);
		await page.setViewportSize({ width: 600, height: 400 });
		const opener = page.getByRole("button", { name: "Agents" });
		await page.getByRole("button", { name: "More", exact: true }).waitFor();
		// Styles know of the narrow layout before the observer of the size does.
		await app.drawn(page);
		await app.focusPicture(page);
		await page.keyboard.press("b");
		await expect.poll(() => opener.getAttribute("aria-expanded")).toBe("true");
		await page.keyboard.press("b");
		await expect.poll(() => opener.getAttribute("aria-expanded")).toBe("false");
	});

	it("enter and exit full screen; both are in the list of keys", async () => {
		const { page } = await app.openTiny(suite);
		await app.focusPicture(page);
		const full = () => page.evaluate(() => document.fullscreenElement?.localName);
		await page.keyboard.press("z");
		await expect.poll(full).toBe("bev-viewer");
		await page.keyboard.press("z");
		await expect.poll(full).toBe(undefined);
		await page.keyboard.press("?");
		await page.getByText("Open or close the side panels").waitFor();
		await page.getByText("Enter or exit full screen").waitFor();
	});
});
