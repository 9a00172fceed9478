import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const PHONE = { width: 360, height: 740, touch: true, reducedMotion: true } as const;
/** Minimum size of touch targets in CSS pixels. */
const TARGET = 44;

interface Place {
	readonly x: number;
	readonly y: number;
}

/** For polling, since touch events are processed asynchronously. */
const camera = async (page: Page) => (await app.stateOf(page)).camera;

/** Fingers press at the start of each path, move together, and release. */
async function fingers(page: Page, ...ways: readonly (readonly [Place, Place])[]) {
	const session = await page.context().newCDPSession(page);
	const steps = 8;
	const at = (k: number) =>
		ways.map(([from, to], id) => ({
			id,
			x: from.x + ((to.x - from.x) * k) / steps,
			y: from.y + ((to.y - from.y) * k) / steps,
		}));
	const send = (
		type: "touchStart" | "touchMove" | "touchEnd",
		touchPoints: ReturnType<typeof at>,
	) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
	await send("touchStart", at(0));
	for (let k = 1; k <= steps; k += 1) await send("touchMove", at(k));
	await send("touchEnd", []);
	await session.detach();
}

async function middle(page: Page): Promise<Place & { pixels: number }> {
	await app.still(page);
	const box = await page.locator("bev-scene-view").boundingBox();
	if (!box) throw new Error("there is no picture");
	const { camera } = await app.stateOf(page);
	const pixels = Math.min(box.width, box.height) / camera.span;
	return { x: box.x + box.width / 2, y: box.y + box.height / 2, pixels };
}

describe("touch", () => {
	it("pans by the finger's movement", async () => {
		const { page, complaints } = await app.openTiny(suite, PHONE);
		const { x, y, pixels } = await middle(page);
		await fingers(page, [
			{ x, y },
			{ x: x + 80, y: y + 40 },
		]);
		await expect.poll(async () => (await camera(page)).x).toBeCloseTo(-80 / pixels, 0);
		await expect.poll(async () => (await camera(page)).y).toBeCloseTo(40 / pixels, 0);
		expect((await app.stateOf(page)).selection).toBeUndefined();
		expect(complaints).toEqual([]);
	});

	it("pinch zooms about the fingers' centre", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		const { x, y } = await middle(page);
		const before = await camera(page);
		await fingers(
			page,
			[
				{ x: x - 30, y },
				{ x: x - 90, y },
			],
			[
				{ x: x + 30, y },
				{ x: x + 90, y },
			],
		);
		await expect
			.poll(async () => (await camera(page)).span / before.span)
			.toBeCloseTo(1 / 3, 1);
		const after = await camera(page);
		expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(2);
	});

	it("a tap selects an agent, whose record opens and closes as a sheet", async () => {
		const { page } = await app.openTiny(suite, { ...PHONE, link: "z=60" });
		const at = await app.agentOnPage(page, 0);
		await page.touchscreen.tap(at.x, at.y);
		await expect.poll(async () => (await app.stateOf(page)).selection).toBeDefined();
		const { selection } = await app.stateOf(page);
		// The selection is shown in one line; its record opens on a tap.
		expect(await page.locator("bev-inspector").count()).toBe(0);
		await page.getByTitle("Show the selection").tap();
		await page.getByText(`track ${selection}`, { exact: true }).waitFor();
		const picture = await page.locator("bev-scene-view").boundingBox();
		const sheet = await page.locator("bev-inspector").boundingBox();
		expect(sheet?.y ?? 0).toBeGreaterThan((picture?.y ?? 0) + 250);
		await page
			.getByRole("region", { name: "Agents" })
			.getByRole("button", { name: "Close panel" })
			.tap();
		await page.locator("bev-inspector").waitFor({ state: "hidden" });
		expect((await app.stateOf(page)).selection).toBe(selection);
		await page.getByRole("button", { name: "Clear the selection" }).tap();
		await expect.poll(async () => (await app.stateOf(page)).selection).toBeUndefined();
	});

	it("seeks, steps and plays", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		const slider = page.getByRole("slider", { name: "Frame" });
		const box = await slider.boundingBox();
		if (!box) throw new Error("there is no slider");
		await slider.tap({ position: { x: box.width * 0.6, y: box.height / 2 } });
		await expect.poll(async () => (await app.stateOf(page)).shown).toBe(3);
		await page.getByRole("button", { name: "Previous frame" }).tap();
		await expect.poll(async () => (await app.stateOf(page)).frame).toBe(2);
		await page.getByRole("button", { name: "Play" }).tap();
		await expect.poll(async () => (await app.stateOf(page)).frame).toBe(5);
	});

	it("tools are behind one button, which closes after use", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		await page.getByRole("button", { name: "Export" }).waitFor({ state: "hidden" });
		await page.getByRole("button", { name: "More" }).tap();
		await page.getByRole("button", { name: "Export" }).waitFor();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Export" }).tap();
		await page.getByRole("heading", { name: "Export" }).waitFor();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Close", exact: true }).tap();
		await page.getByRole("button", { name: "Export" }).waitFor({ state: "hidden" });
		await page.getByRole("button", { name: "More" }).tap();
		await page.getByRole("button", { name: "Open", exact: true }).tap();
		await page.getByText("Drop a folder or .zip here").waitFor();
		await page.getByRole("button", { name: "Back to the picture" }).tap();
		await page.getByText("Drop a folder or .zip here").waitFor({ state: "hidden" });
	});

	it("button labels are vertically centred", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		await app.openCameras(page);
		const off = await page
			.getByRole("group", { name: "Camera" })
			.getByRole("button")
			.evaluateAll((buttons) =>
				buttons.map((button) => {
					const words = document.createRange();
					words.selectNodeContents(button);
					const middle = (of: Range | Element) => {
						const { top, height } = of.getBoundingClientRect();
						return top + height / 2;
					};
					return Math.abs(middle(words) - middle(button));
				}),
			);
		expect(off.length).toBe(5);
		expect(Math.max(...off)).toBeLessThan(0.75);
	});

	it("every control is at least finger-sized", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		for (const sheet of ["Layers", "Agents", "More"]) {
			const opener = page.getByRole("button", { name: sheet, exact: true });
			await opener.tap();
			await expect.poll(() => opener.getAttribute("aria-expanded")).toBe("true");
			const small = await page.getByRole("button").evaluateAll(
				(buttons, least) =>
					buttons
						.filter((button) => button.checkVisibility())
						.filter((button) => {
							const seen = button.closest("label") ?? button;
							const { width, height } = seen.getBoundingClientRect();
							return Math.min(width, height) < least - 0.5;
						})
						.map((button) => button.outerHTML),
				TARGET,
			);
			expect(small, sheet).toEqual([]);
		}
	});
});
