import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const sectionOf = (page: Page) =>
	page.evaluate(() => {
		const { section, loop } =
			document.querySelector<Viewer>("bev-viewer")?.controller?.state ?? {};
		return { section, loop };
	});

describe("the timeline", () => {
	it("loops a section set by keys until it is cleared", async () => {
		const { page, complaints } = await app.openMade(suite);
		await app.focusPicture(page);
		await page.keyboard.press("Shift+ArrowRight");
		await page.keyboard.press("i");
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("o");
		expect(await sectionOf(page)).toEqual({
			section: { begin: 10, end: 13 },
			loop: true,
		});
		await page.keyboard.press("Space");
		const seen = await app.roundSeen(page, 10, 12);
		expect((await app.stateOf(page)).playing).toBe(true);
		expect(seen.at(-1)).toBe(10);
		expect(Math.min(...seen)).toBe(10);
		expect(Math.max(...seen)).toBe(12);
		await page.getByRole("button", { name: "Section 10–12: clear" }).click();
		await page.keyboard.press("l");
		expect(await sectionOf(page)).toEqual({ section: undefined, loop: false });
		await page.waitForFunction(
			() =>
				(document.querySelector<Viewer>("bev-viewer")?.controller?.state.frame ?? 0) >
				13,
		);
		expect(complaints).toEqual([]);
	});

	it("updates the time ten times per second while playing, and when it stops", async () => {
		const { page, complaints } = await app.openMade(suite);
		await app.buffered(page, 248);
		const { told, most, words } = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const root = viewer?.renderRoot.querySelector("bev-timeline")?.shadowRoot;
			const text = root?.querySelector(".frame");
			const controller = viewer?.controller;
			if (!controller || !text) throw new Error("there is no time line");
			let count = 0;
			const observer = new MutationObserver(() => {
				count += 1;
			});
			observer.observe(text, { characterData: true, subtree: true });
			controller.setSpeed(8);
			controller.play();
			const begin = performance.now();
			while (controller.state.frame < 120) await new Promise(requestAnimationFrame);
			const seconds = (performance.now() - begin) / 1000;
			const beats = count;
			controller.pause();
			await new Promise(requestAnimationFrame);
			observer.disconnect();
			const stopped = `frame ${controller.state.frame} of 0–247`;
			return {
				told: beats,
				most: 10 * seconds + 2,
				words: [text.textContent, stopped],
			};
		});
		expect(told).toBeGreaterThan(1);
		expect(told).toBeLessThanOrEqual(most);
		expect(words[0]).toBe(words[1]);
		expect(complaints).toEqual([]);
	});

	it("sets a section by Shift + drag, also in the link", async () => {
		const { page } = await app.openMade(suite);
		await app.still(page);
		const slider = page.getByRole("slider", { name: "Frame" });
		const box = await slider.boundingBox();
		if (!box) throw new Error("there is no slider");
		const at = (frame: number) => box.x + 7 + ((box.width - 14) * frame) / 247;
		await page.keyboard.down("Shift");
		await page.mouse.move(at(200), box.y + 12);
		await page.mouse.down();
		await page.mouse.move(at(120), box.y + 12, { steps: 4 });
		await page.mouse.up();
		await page.keyboard.up("Shift");
		expect((await sectionOf(page)).section).toEqual({ begin: 120, end: 201 });
		expect((await app.stateOf(page)).frame).toBe(0);
		const link = await page.evaluate(
			() =>
				document.querySelector<Viewer>("bev-viewer")?.controller?.linkState().section,
		);
		expect(link).toEqual({ begin: 120, end: 201 });
	});

	it("plots ego and selection; a press on a plot seeks", async () => {
		const { page, complaints } = await app.openMade(suite);
		await page.getByRole("button", { name: "Yaw", exact: true }).click();
		const speed = page.getByRole("img", { name: /^Speed in m\/s at this frame/ });
		await expect.poll(() => speed.getAttribute("aria-label")).toMatch(/: ego 6\.0$/);
		const box = await speed.boundingBox();
		if (!box) throw new Error("there is no plot");
		const position = { x: (box.width * 100) / 247, y: box.height / 2 };
		await speed.click({ position });
		expect((await app.stateOf(page)).frame).toBe(100);
		// 6 + sin(100 / 15) m/s, and a heading of 100 / 60 radians.
		await expect.poll(() => speed.getAttribute("aria-label")).toMatch(/: ego 6\.4$/);
		const yaw = page.getByRole("img", { name: /^Yaw in ° at this frame: ego 95$/ });
		await yaw.waitFor();
		await page.getByRole("button", { name: "L3" }).first().click();
		await page
			.getByRole("img", { name: /^Speed .*: ego 6\.4, selected 8\.0$/ })
			.waitFor();
		expect(complaints).toEqual([]);
	});

	it("shows the speed over the scene beside the selection's values", async () => {
		const { page } = await app.openTiny(suite);
		for (const selection of ["2", "ego"]) {
			const controller = await app.controllerOf(page);
			await controller.evaluate(
				(it, who) => it.select(who === "ego" ? "ego" : BigInt(who)),
				selection,
			);
			const line = page
				.locator("bev-inspector")
				.getByRole("img", { name: "Speed over the scene: 10.0 to 10.0 m/s" });
			await line.waitFor();
			await controller.evaluate((it) => it.seek(3));
			await expect.poll(() => line.locator("line").getAttribute("x1")).toBe("3");
		}
	});

	it("goes to the ends and lists anomalies", async () => {
		const { page } = await app.openMade(suite);
		await page.evaluate(`(async () => {
			const { opened } = await import("/support/made-scene.js");
			const { dataset, findMap } = opened();
			const jump = { kind: "jump", frame: 30, track: 1n, amount: 90 };
			const odd = { ...dataset, timeline: async (...asked) => ({
				...(await dataset.timeline(...asked)), anomalies: [jump],
			}) };
			await document.querySelector("bev-viewer").show("odd", { dataset: odd, findMap });
		})()`);
		await app.settled(page);
		await page.getByRole("button", { name: "Last frame" }).click();
		expect((await app.stateOf(page)).frame).toBe(247);
		await page.getByRole("button", { name: "First frame" }).click();
		expect((await app.stateOf(page)).frame).toBe(0);
		await page.getByRole("button", { name: /^Quality/ }).click();
		await page.getByRole("button", { name: /^30 Track 1 jumps 90.0 m$/ }).click();
		expect((await app.stateOf(page)).frame).toBe(30);
	});

	it("reports absent rows and their frames", async () => {
		suite.server.fault({ match: /agents\/1$/, status: 404 });
		const { page } = await app.openApp(suite, { link: `v=1&src=${app.TINY_SOURCE}` });
		await page.getByRole("button", { name: /^Quality 1$/ }).click();
		const mark = page.getByRole("button", {
			name: "1 Absent: agents of 2 frames",
		});
		await mark.click();
		expect((await app.stateOf(page)).frame).toBe(1);
		await page.getByText("agents/1: missing from the store").first().waitFor();
	});
});
