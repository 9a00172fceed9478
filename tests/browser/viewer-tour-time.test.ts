import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openPlace, PLACES, useTour } from "./tour.js";
import * as app from "./viewer-harness.js";

const suite = useTour();

/** Returns the last frame. */
async function lastOf(page: Page): Promise<number> {
	const most = await page.getByRole("slider", { name: "Frame" }).getAttribute("max");
	return Number(most);
}

describe.each(PLACES)("$name", ({ src, there }) => {
	it.skipIf(!there)("plays to its end, faster, and in a loop", async () => {
		const { page, complaints } = await openPlace(suite, src, "&f=236");
		await page.getByRole("combobox", { name: "Speed" }).selectOption("2");
		await page.getByRole("button", { name: "Play" }).click();
		const ended = { frame: await lastOf(page), playing: false };
		await expect.poll(() => app.stateOf(page)).toMatchObject(ended);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			it.setSection({ begin: 100, end: 104 });
			it.seek(100);
		});
		await app.focusPicture(page);
		await page.keyboard.press(" ");
		const seen = await app.roundSeen(page, 100, 103);
		expect(seen.at(-1)).toBe(100);
		expect(Math.min(...seen)).toBe(100);
		expect(Math.max(...seen)).toBe(103);
		await page.keyboard.press(" ");
		expect((await app.stateOf(page)).playing).toBe(false);
		expect(complaints).toEqual([]);
	});

	it.skipIf(!there)("seeks by pointer and steps by key", async () => {
		const { page } = await openPlace(suite, src, "");
		const slider = page.getByRole("slider", { name: "Frame" });
		await slider.click(); // at its centre
		await app.settled(page);
		const { shown } = await app.stateOf(page);
		expect(shown).toBeGreaterThan(115);
		expect(shown).toBeLessThan(133);
		await app.focusPicture(page);
		for (const [key, by] of [
			["ArrowRight", 1],
			["Shift+ArrowRight", 11],
			["ArrowLeft", 10],
		] as const) {
			await page.keyboard.press(key);
			await app.settled(page);
			expect((await app.stateOf(page)).shown).toBe((shown ?? 0) + by);
		}
		await page.keyboard.press("End");
		await app.settled(page);
		expect((await app.stateOf(page)).shown).toBe(await lastOf(page));
	});

	it.skipIf(!there)("is panned, zoomed and picked by mouse", async () => {
		const { page } = await openPlace(suite, src);
		const before = (await app.stateOf(page)).camera;
		await page.mouse.move(600, 300);
		await page.mouse.down();
		await page.mouse.move(700, 340, { steps: 4 });
		await page.mouse.up();
		const dragged = (await app.stateOf(page)).camera;
		expect(Math.hypot(dragged.x - before.x, dragged.y - before.y)).toBeGreaterThan(5);
		await page.mouse.wheel(0, -400);
		await expect
			.poll(async () => (await app.stateOf(page)).camera.span)
			.toBeLessThan(dragged.span);
		await app.openCameras(page);
		await page.getByRole("button", { name: "Follow", exact: true }).click();
		await app.settled(page);
		const at = await app.agentOnPage(page, 0);
		await page.mouse.click(at.x, at.y);
		expect((await app.stateOf(page)).selection).toBeDefined();
	});

	it.skipIf(!there)(
		"is recorded as a video",
		async () => {
			const { page, complaints } = await openPlace(suite, src);
			const controller = await app.controllerOf(page);
			await controller.evaluate((it) => it.setSection({ begin: 90, end: 95 }));
			await page.getByRole("button", { name: "Export" }).click();
			const [name, video] = await app.saved(page, "Save WebM");
			expect(name).toBe("scene-0-frames-90-94.webm");
			expect(video.subarray(0, 4).toString("hex")).toBe("1a45dfa3"); // EBML
			expect(video.length).toBeGreaterThan(5000);
			expect((await app.stateOf(page)).frame).toBe(90);
			expect(complaints).toEqual([]);
		},
		90_000,
	);
});
