import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { findings } from "./axe.js";
import { openPlace, PLACES, useTour } from "./tour.js";
import * as app from "./viewer-harness.js";

const suite = useTour();

type Kept = typeof globalThis & { picture?: Uint8ClampedArray | undefined };

/** Stores the picture, once it is at rest, for comparison. */
async function keep(page: Page): Promise<void> {
	await app.still(page);
	await page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		const { width = 0, height = 0 } = canvas ?? {};
		const seen = canvas?.getContext("2d")?.getImageData(0, 0, width, height);
		(globalThis as Kept).picture = seen?.data;
	});
}

/** Returns how many pixels per thousand clearly differ from the stored picture. */
async function changed(page: Page): Promise<number> {
	await app.still(page);
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		const { width = 0, height = 0 } = canvas ?? {};
		const now = canvas?.getContext("2d")?.getImageData(0, 0, width, height).data;
		const { picture } = globalThis as Kept;
		if (now?.length !== picture?.length) throw new Error("it has another size");
		if (!now || !picture) throw new Error("there is no picture");
		let count = 0;
		for (let i = 0; i < now.length; i += 4) {
			const far = [0, 1, 2].some(
				(k) => Math.abs((now[i + k] ?? 0) - (picture[i + k] ?? 0)) > 24,
			);
			if (far) count += 1;
		}
		return (1000 * count) / (width * height);
	});
}

const rows = (page: Page) =>
	page.getByRole("grid", { name: "Agents" }).locator("tbody tr");

/** Sets a range input. */
const slide = (page: Page, name: string | RegExp, value: string) =>
	page.getByRole("slider", { name }).fill(value);

/**
 * Predicts the agents of the displayed frame: two modes of ten steps of one metre
 * forward.
 */
function predict(page: Page): Promise<number> {
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const { shown } = viewer?.controller?.state ?? {};
		if (!viewer || !shown) throw new Error("there is no frame");
		const { track_id, length } = shown.agents;
		const path = (side: number) =>
			Array.from({ length: 10 }, (_, k) => [k + 1, side * (k + 1)]).flat();
		viewer.predictions = {
			timestamps: new BigInt64Array(length).fill(shown.timestamp),
			track_ids: BigInt64Array.from(track_id, BigInt),
			confidences: Float64Array.from({ length: 2 * length }, (_, i) =>
				i % 2 === 0 ? 0.75 : 0.25,
			),
			coords: Float64Array.from(
				Array.from({ length }, () => [...path(0), ...path(0.5)]).flat(),
			),
		};
		return length;
	});
}

describe.each(PLACES)("$name", ({ src, there }) => {
	it.skipIf(!there)("shows and hides each layer", async () => {
		const { page, complaints } = await openPlace(suite, src, "&f=90&z=140");
		await keep(page);
		for (const name of [
			...[/^Vehicles/, /^Pedestrians/, /^Lanes/, /^Crosswalks/, /^Traffic lights/],
			...[/^Trails/, /^Futures/, /^Ego/],
		]) {
			const layer = page.getByRole("switch", { name });
			await layer.click();
			expect(await changed(page), String(name)).toBeGreaterThan(0.03);
			await layer.click();
			expect(await changed(page), String(name)).toBeLessThan(0.03);
		}
		expect(complaints).toEqual([]);
	});

	it.skipIf(!there)("filters agents by label probability and distance", async () => {
		const { page } = await openPlace(suite, src);
		const controller = await app.controllerOf(page);
		const kept = () =>
			controller.evaluate(({ state }) => {
				const { kept, distance } = state.shown?.agents ?? {};
				return [...(kept ?? [])].filter(
					(one, i) => one === 1 && (distance?.[i] ?? 0) <= state.distance,
				).length;
			});
		const all = await rows(page).count();
		for (const [name, value, back] of [
			["Certainty >", "0.99", "0.5"],
			["Distance to ego ≤", "20", "20"],
		] as const) {
			await slide(page, name, value);
			await app.settled(page);
			const count = await kept();
			expect(count).toBeLessThanOrEqual(all);
			await expect.poll(() => rows(page).count()).toBe(count);
			await slide(page, name, back);
			await app.settled(page);
		}
		const metres = await rows(page).locator("td:nth-child(4)").allTextContents();
		expect(Math.max(...metres.map(Number))).toBeLessThanOrEqual(20);
		const said = await page.locator("bev-layers .kept b").textContent();
		expect(Number(said)).toBe(metres.length);
		expect(metres.length).toBeLessThan(all);
	});

	it.skipIf(!there)("finds agents by class and by track", async () => {
		const { page } = await openPlace(suite, src);
		const all = await rows(page).count();
		const find = page.getByRole("searchbox", { name: "Find a track or class" });
		await find.fill("car");
		await expect.poll(() => rows(page).count()).toBeLessThan(all);
		const names = await rows(page).locator("td:first-child").allTextContents();
		expect(new Set(names.map((name) => name.trim()))).toEqual(new Set(["Car"]));
		const track = await rows(page).nth(0).locator("td:nth-child(2)").textContent();
		await find.fill(track ?? "");
		const found = await rows(page).locator("td:nth-child(2)").allTextContents();
		expect(found).toContain(track);
		expect(found.every((one) => one.includes(track ?? "none"))).toBe(true);
		await find.fill("no such thing");
		await page.getByText("No matches in this frame.").waitFor();
	});

	it.skipIf(!there)("shows an agent's record, plots and raster", async () => {
		const { page, complaints } = await openPlace(suite, src);
		await rows(page).first().click();
		const record = page.locator("bev-inspector");
		for (const what of ["Speed (derived)", "Distance to ego", "Centroid"])
			await record.getByText(what, { exact: true }).waitFor();
		await record.getByText("Label probabilities").waitFor();
		await app.openTab(page, "Raster");
		await page.getByText(/of \d+ channels/).waitFor({ state: "attached" });
		for (const name of ["Acceleration", "Yaw", "Yaw rate"])
			await page.getByRole("button", { name, exact: true }).click();
		for (const name of [/^Speed in/, /^Acceleration in/, /^Yaw in/, /^Yaw rate in/])
			await page.getByRole("img", { name }).waitFor();
		await page.getByRole("img", { name: /^Speed .*ego .*, selected / }).waitFor();
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it.skipIf(!there)(
		"has a row per traffic light, and latitude and longitude",
		async () => {
			const { page } = await openPlace(suite, src);
			await page
				.getByRole("img", { name: /light \w+: /i })
				.first()
				.waitFor();
			await app.still(page);
			const position = { x: 300, y: 200 };
			await page.locator("bev-scene-view").hover({ position });
			await page.locator(".coords", { hasText: /^\d+\.\d{6}° [NS] / }).waitFor();
			await page.locator(".place", { hasText: /^x / }).waitFor();
		},
	);

	it.skipIf(!there)("is rotated, zoomed and measured", async () => {
		const { page } = await openPlace(suite, src);
		await rows(page).first().click();
		await keep(page);
		const moved: number[] = [];
		for (const name of ["Heading up", "Free", "Follow"]) {
			await app.openCameras(page);
			await page.getByRole("button", { name, exact: true }).click();
			expect((await app.stateOf(page)).follow).toBe(
				{ "Heading up": "heading", Free: "free", Follow: "position" }[name],
			);
			moved.push(await changed(page));
		}
		expect(Math.max(...moved)).toBeGreaterThan(1);
		await app.focusPicture(page);
		await page.keyboard.press("m");
		for (const key of ["n", "Enter", "n", "Enter"]) await page.keyboard.press(key);
		expect((await app.stateOf(page)).announcement).toMatch(/^\d+\.\d\d metres$/);
	});

	it.skipIf(!there)("displays predictions with the recorded future", async () => {
		const { page, complaints } = await openPlace(suite, src);
		const count = await predict(page);
		const table = page.getByRole("table", { name: "Predictions by agent" });
		const listed = table.locator("tbody tr");
		const atMost = (most: number) => Math.min(most, count);
		const rowCount = () => table.getAttribute("aria-rowcount");
		await expect.poll(rowCount).toBe(String(atMost(200) + 1));
		expect(await listed.count()).toBe(atMost(50));
		await keep(page);
		await page.getByRole("switch", { name: /^Predictions/ }).click();
		await expect.poll(() => changed(page)).toBeGreaterThan(0.1);
		await page.getByRole("switch", { name: /^Predictions/ }).click();
		await page.getByRole("button", { name: "Worst" }).click();
		expect((await app.stateOf(page)).selection).toBeDefined();
		await page.getByLabel("Listed predictions").selectOption("All scenes");
		await page.getByText(`${count} of ${count} predictions`, { exact: true }).waitFor();
		expect(complaints).toEqual([]);
	});

	it.skipIf(!there)("is exported as image, table and link", async () => {
		const { page } = await openPlace(suite, src);
		await app.still(page);
		await rows(page).first().click();
		const { selection } = await app.stateOf(page);
		await page.getByRole("button", { name: "Export" }).click();
		const download = page.waitForEvent("download");
		await page.getByRole("button", { name: "Save CSV" }).click();
		const csv = readFileSync(await (await download).path(), "utf8");
		const frames = csv.trim().split("\r\n").slice(1);
		expect(frames.length).toBeGreaterThan(1);
		expect(frames.some((line) => line.startsWith("0,90,"))).toBe(true);
		await page.keyboard.press("Escape");
		await page.waitForURL(new RegExp(`&t=${selection}`));
		const where = await app.stateOf(page);
		await page.reload();
		await app.settled(page);
		const { frame, camera, layers } = where;
		expect(await app.stateOf(page)).toMatchObject({
			frame,
			camera,
			layers,
			selection,
		});
	});
});
