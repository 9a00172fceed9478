import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

async function middle(page: Page): Promise<{ x: number; y: number; scale: number }> {
	await app.still(page);
	const box = await page.locator("bev-scene-view").boundingBox();
	if (!box) throw new Error("there is no picture");
	const { camera } = await app.stateOf(page);
	const scale = Math.min(box.width, box.height) / camera.span;
	return { x: box.x + box.width / 2, y: box.y + box.height / 2, scale };
}

const measured = (page: Page) =>
	page.evaluate(
		() =>
			document.querySelector<Viewer>("bev-viewer")?.controller?.state.measured?.length,
	);

const placeOf = (page: Page) => page.locator(".place").textContent();

describe("the scene view", () => {
	it("measures between two clicks, and between agents by keys", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		const { x, y, scale } = await middle(page);
		await page.getByRole("button", { name: "Measure" }).click();
		await page.getByText("Click the start point").waitFor();
		await page.mouse.click(x - 60, y - 40);
		await page.mouse.click(x + 60, y - 40);
		const { announcement, selection } = await app.stateOf(page);
		expect(Number.parseFloat(announcement)).toBeCloseTo(120 / scale, 1);
		expect(announcement).toMatch(/ metres$/);
		expect(selection).toBeUndefined();
		await app.focusPicture(page);
		await page.keyboard.press("n");
		await page.keyboard.press("Enter");
		expect(await measured(page)).toBe(3);
		await page
			.getByText(/^\d+\.\d\d m · dx .* · heading .*° · \d+\.\d\d m in total$/)
			.waitFor();
		await page.keyboard.press("n");
		await page.keyboard.press("Enter");
		// The two nearest agents are on the same 10 m ring, 25 golden angles of 2.399
		// apart.
		const chord = 20 * Math.abs(Math.sin((25 * 2.399) / 2));
		const said = Number.parseFloat((await app.stateOf(page)).announcement);
		expect(said).toBeCloseTo(chord, 1);
		await page.keyboard.press("Backspace");
		expect(await measured(page)).toBe(3);
		await page.keyboard.press("Escape");
		expect(await measured(page)).toBeUndefined();
		expect(complaints).toEqual([]);
	});

	it("shows the pointer's position in world, ego and agent axes", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		const { x, y, scale } = await middle(page);
		const axes = page.getByRole("combobox", { name: "Axes of coordinates" });
		const told = (coords: string, words: RegExp) =>
			expect
				.poll(async () => [await axes.inputValue(), await placeOf(page)])
				.toEqual([coords, expect.stringMatching(words)]);
		expect(await axes.locator("option[value=agent]").isDisabled()).toBe(true);
		await page.mouse.move(x + 2 * scale, y - 3 * scale);
		// The ego starts at (-50, 0) heading along x.
		await told("world", /^x −4[78]\.\d\d y [23]\.\d\d$/);
		await app.focusPicture(page);
		await page.keyboard.press("c");
		await told("ego", /^x [12]\.\d\d y [23]\.\d\d$/);
		await page.getByRole("button", { name: "L3" }).first().click();
		await axes.selectOption("Agent");
		await app.still(page);
		await page.getByRole("button", { name: "Centre on the ego" }).click();
		await app.drawn(page);
		await page.mouse.move(x, y);
		await told("agent", /^x /);
		// Both directions give the same distance between ego and agent.
		const text = await placeOf(page);
		const [, ax, ay] = /x (\S+) y (\S+)/.exec(text?.replaceAll("−", "-") ?? "") ?? [];
		const metres = await page.evaluate(() => {
			const { shown, selection } =
				document.querySelector<Viewer>("bev-viewer")?.controller?.state ?? {};
			const i = shown?.agents.track_id.indexOf(selection as bigint) ?? -1;
			const [px = 0, py = 0] = shown?.agents.centroid.subarray(2 * i, 2 * i + 2) ?? [];
			const [ex = 0, ey = 0] = shown?.ego.centroid ?? [];
			return Math.hypot(px - ex, py - ey);
		});
		expect(Math.hypot(Number(ax), Number(ay))).toBeCloseTo(metres, 0);
	});

	it("is saved as a string that another viewer accepts as an attribute", async () => {
		const link = "s=1&f=2&t=3&w=heading&c=ego&z=60&p=1-4&th=0.25";
		const { page } = await app.openTiny(suite, { link });
		const [first, second] = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const other = document.createElement("bev-viewer");
			const saved = viewer?.save() ?? "";
			other.setAttribute("state", saved);
			document.querySelector("main")?.replaceChildren(other);
			await other.settled;
			return [saved, other.save()];
		});
		expect(first).toContain("&p=1-4&");
		expect(second).toBe(first);
	});

	it("works ten times on a page, each at its own frame", async () => {
		const { page, complaints } = await app.openMade(suite);
		const frames = await page.evaluate(`(async () => {
			const { opened } = await import("/support/made-scene.js");
			const viewers = Array.from({ length: 10 }, () => document.createElement("bev-viewer"));
			document.querySelector("main").replaceChildren(...viewers);
			await Promise.all(viewers.map((viewer, frame) => viewer.show("made", opened(), { frame })));
			await Promise.all(viewers.map((viewer) => viewer.settled));
			return viewers.map(({ controller }) => controller.state.shown.frame);
		})()`);
		expect(frames).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(complaints).toEqual([]);
	});
});
