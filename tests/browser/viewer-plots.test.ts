import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const chart = (page: Page, name: string) =>
	page.locator(`bev-series .chart[data-chart="${name}"]`);

/** Waits until the plot's description contains `words`. */
async function says(page: Page, name: string, words: string): Promise<void> {
	const area = chart(page, name).locator(".area");
	await expect.poll(() => area.getAttribute("aria-label")).toContain(words);
}

/** Drags over a plot from one share of its width to another. */
async function drag(page: Page, name: string, from: number, to: number): Promise<void> {
	const box = await chart(page, name).locator(".area").boundingBox();
	if (!box) throw new Error("there is no plot");
	const y = box.y + box.height / 2;
	await page.mouse.move(box.x + box.width * from, y);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * to, y, { steps: 3 });
	await page.mouse.up();
}

describe("the plots", () => {
	it("show quantities of tracks that the link names", async () => {
		// Agent k is 10 (k + 1) metres north; everything moves east at 10 m/s.
		const link = "q=ego_distance,agents.velocity.0,lead_gap&qt=ego&t=3&f=2";
		const { page, complaints } = await app.openTiny(suite, { link });
		await says(page, "ego_distance", "at 0.2 s: Ego –, Label 14 3 30.00");
		await says(page, "agents.velocity.0", "velocity x in m/s");
		await expect
			.poll(() => chart(page, "lead_gap").locator(".none").textContent())
			.toBe("no values in this range");
		expect(complaints).toEqual([]);
	});

	it("zoom, seek and say the values under the pointer", async () => {
		const { page } = await app.openTiny(suite);
		await app.openTab(page, "Plots");
		await page.getByLabel("Add a quantity").selectOption("x");
		await says(page, "x", "Ego ");
		const controller = await app.controllerOf(page);
		const area = chart(page, "x").locator(".area");
		const box = await area.boundingBox();
		if (!box) throw new Error("there is no plot");
		await area.hover({ position: { x: box.width - 12, y: 40 } });
		await says(page, "speed", "at 0.5 s");
		await area.click({ position: { x: box.width - 12, y: 40 } });
		await expect.poll(() => controller.evaluate((it) => it.state.frame)).toBe(5);
		await drag(page, "x", 0.4, 0.8);
		const span = () => controller.evaluate((it) => it.state.plotSpan);
		await expect.poll(span).toBeDefined();
		await page.getByRole("button", { name: "Reset" }).click();
		await expect.poll(span).toBeUndefined();
		await area.focus();
		await page.keyboard.press("+");
		await expect.poll(span).toEqual({ begin: 2, end: 6 });
		expect(await controller.evaluate((it) => it.state.camera.span)).toBe(110);
		await page.keyboard.press("0");
		await expect.poll(span).toBeUndefined();
	});

	it("are listed and saved as values", async () => {
		const { page } = await app.openTiny(suite, { link: "q=speed&t=1" });
		await says(page, "speed", "10.00");
		const hint = page.getByText("Keep plots it also when something else is selected.");
		await hint.waitFor();
		await page.getByRole("button", { name: "Keep" }).click();
		await hint.waitFor({ state: "detached" });
		await page.getByRole("button", { name: "Table" }).click();
		const rows = page.locator("bev-series tbody tr");
		await expect.poll(() => rows.count()).toBe(6);
		const [name, bytes] = await app.downloaded(page, () =>
			page.getByRole("button", { name: "CSV" }).click(),
		);
		expect(name).toBe("scene-0-plots.csv");
		const lines = bytes.toString().trim().split("\r\n");
		expect(lines[0]).toBe("frame,seconds,Speed (m/s) ego,Speed (m/s) track 1");
		expect(lines).toHaveLength(7);
		const [, , ego, track] = (lines[3] ?? "").split(",");
		expect(Number(ego)).toBeCloseTo(10, 4);
		expect(Number(track)).toBeCloseTo(10, 4);
	});

	it.each(["dark", "light"] as const)("pass axe, %s", async (theme) => {
		const { page } = await app.openTiny(suite, { theme, link: "q=speed,jerk&t=1" });
		await says(page, "speed", "10.00");
		await page.getByRole("button", { name: "Table" }).click();
		expect(await findings(page)).toEqual([]);
	});
});

describe("notes", () => {
	it("are kept, listed, edited, opened and deleted", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=3&t=1" });
		await app.openTab(page, "Notes");
		await page.getByLabel("Note", { exact: true }).fill("<b>cuts in</b>");
		await page.getByLabel("Tags").fill("cut-in, odd");
		await page.getByRole("button", { name: "Add note" }).click();
		const notes = page.locator("bev-notes li");
		await expect.poll(() => notes.count()).toBe(1);
		expect(await notes.locator(".where").textContent()).toBe(
			"Scene 0 · frame 3 · track 1",
		);
		expect(await notes.locator(".text").textContent()).toBe("<b>cuts in</b>");
		await expect
			.poll(() => page.locator("bev-timeline .note-marks rect").count())
			.toBe(1);
		expect(await findings(page)).toEqual([]);
		await page.reload();
		await app.settled(page);
		await app.openTab(page, "Notes");
		await expect.poll(() => notes.count()).toBe(1);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) =>
			it.goTo({ scene: 1, frame: 0, selection: undefined }),
		);
		await notes.locator(".go").click();
		const state = () =>
			controller.evaluate((it) => [
				it.state.scene,
				it.state.frame,
				String(it.state.selection),
			]);
		await expect.poll(state).toEqual([0, 3, "1"]);
		await expect.poll(() => page.url()).toContain("&n=");
		await page.getByRole("button", { name: /^Edit note/ }).click();
		await page.getByLabel("Note", { exact: true }).fill("waits");
		await page.getByRole("button", { name: "Save note" }).click();
		await expect.poll(() => notes.locator(".text").textContent()).toBe("waits");
		await page.getByRole("button", { name: /^Delete note/ }).click();
		await expect.poll(() => notes.count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	it("belong to the page if it sets them", async () => {
		const { page } = await app.openTiny(suite);
		const told = await page.evaluate(async () => {
			const viewer = document.querySelector("bev-viewer");
			if (!viewer) throw new Error("there is no viewer");
			const counts: number[] = [];
			viewer.addEventListener("notes-change", ({ detail }) =>
				counts.push(detail.notes.length),
			);
			const note = { scene: 0, text: "", tags: [], time: "2026-01-31T12:00:00Z" };
			viewer.notes = [{ id: "a", ...note }];
			await viewer.controller?.notes;
			viewer.notes = [
				{ id: "a", ...note },
				{ id: "b", ...note, place: [0, 5] },
			];
			await viewer.controller?.notes;
			return [counts, viewer.notes.length, Object.keys(localStorage).join()];
		});
		expect(told).toEqual([[1, 2], 2, expect.not.stringContaining("notes")]);
	});
});
