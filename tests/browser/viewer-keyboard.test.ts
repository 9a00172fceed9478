import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** More than the number of controls. */
const MANY = 80;

interface Stop {
	readonly name: string;
	/** Whether a focus ring is visible. */
	readonly ring: boolean;
}

/** Returns the focused element, across shadow roots. */
function stop(page: Page): Promise<Stop> {
	return page.evaluate(() => {
		let at = document.activeElement;
		while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
		if (!(at instanceof HTMLElement)) return { name: "", ring: false };
		const label = (at as Partial<HTMLInputElement>).labels?.[0];
		const name = at.ariaLabel ?? label?.textContent ?? at.textContent ?? "";
		const outlined = [at, label].some(
			(element) => element && getComputedStyle(element).outlineStyle !== "none",
		);
		const inner = getComputedStyle(at, "::after");
		const framed = inner.content !== "none" && inner.borderTopStyle === "solid";
		return {
			name: name.replace(/\s+/g, " ").trim(),
			ring: at !== document.body && (outlined || framed),
		};
	});
}

/**
 * Presses `key` until `name` has the focus. Returns the names on the way, each of which
 * must show its focus.
 */
async function goTo(page: Page, name: string | RegExp, key = "Tab"): Promise<string[]> {
	const way: string[] = [];
	while (way.length < MANY) {
		await page.keyboard.press(key);
		const { name: here, ring } = await stop(page);
		way.push(here);
		expect(ring, `the focus shows on ${here}`).toBe(true);
		if (typeof name === "string" ? here === name : name.test(here)) return way;
	}
	throw new Error(`${name} is not reached: ${way.join(" | ")}`);
}

describe("with the keyboard alone", () => {
	it("opens data, plays, selects, exports and opens other data", async () => {
		const { page, complaints } = await app.openApp(suite);
		await page.getByText("Drop a folder or .zip here").waitFor();
		await goTo(page, "Or open a URL");
		await page.keyboard.type(app.TINY_SOURCE);
		await page.keyboard.press("Enter");
		await page.getByText("frame 0 of 0–5").waitFor();
		await expect
			.poll(() => stop(page))
			.toEqual({
				name: "Scene, seen from above",
				ring: true,
			});
		await page.keyboard.press("Space");
		await page.getByText("frame 5 of 0–5", { exact: true }).waitFor();
		await expect.poll(async () => (await app.stateOf(page)).playing).toBe(false);
		await page.keyboard.press("n");
		await page.keyboard.press("Enter");
		const { selection } = await app.stateOf(page);
		await page.getByText(`track ${selection}`, { exact: true }).waitFor();
		await page.keyboard.press("e");
		await page.getByRole("heading", { name: "Export" }).waitFor();
		await goTo(page, "Save CSV");
		const [name, csv] = await app.downloaded(page, () => page.keyboard.press("Enter"));
		expect(name).toBe(`scene-0-track-${selection}.csv`);
		expect(csv.toString()).toContain(`${selection}`);
		await page.keyboard.press("Escape");
		expect((await stop(page)).name).toBe("Scene, seen from above");
		await goTo(page, "Open", "Shift+Tab");
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await stop(page)).name).toBe("Choose a folder");
		await page.keyboard.press("Escape");
		await expect
			.poll(async () => (await stop(page)).name)
			.toBe("Scene, seen from above");
		expect(complaints).toEqual([]);
	});

	it("focus moves in visual order", async () => {
		const { page } = await app.openTiny(suite);
		const way = await goTo(page, "Lights");
		const order = [
			"Scene 0 of 0–1",
			"Export",
			"Keyboard",
			/^Ego/,
			"Certainty >",
			"Scene, seen from above",
			"Zoom in",
			"Find a track or class",
			/^Label 3/,
			"Play",
			"Playback speed",
			"Lights",
		];
		const places = order.map((name) =>
			way.findIndex((here) =>
				typeof name === "string" ? here === name : name.test(here),
			),
		);
		expect(places, way.join(" | ")).not.toContain(-1);
		expect(places, way.join(" | ")).toEqual([...places].sort((a, b) => a - b));
		expect(new Set(way).size).toBeGreaterThan(30);
	});

	it("focus moves from a table row to the record and back", async () => {
		const { page } = await app.openTiny(suite);
		await goTo(page, /^Label 3/);
		await goTo(page, /^Label 12/, "ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByText("track 2", { exact: true }).waitFor();
		await expect.poll(async () => (await stop(page)).name).toBe("Clear the selection");
		await page.keyboard.press("Enter");
		await expect
			.poll(async () => (await stop(page)).name)
			.toMatch(/^Label 12 2, \d+\.\d metres$/);
		expect((await app.stateOf(page)).selection).toBeUndefined();
	});

	it("Escape leaves a failed opening", async () => {
		suite.server.fault({ match: /tiny\.zarr/, status: 404 });
		const { page } = await app.openApp(suite);
		await app.settled(page);
		await goTo(page, "Or open a URL");
		await page.keyboard.type(app.TINY_SOURCE);
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: "Try again" }).waitFor();
		await expect.poll(() => stop(page)).toEqual({ name: "Try again", ring: true });
		await page.keyboard.press("Escape");
		await expect.poll(async () => (await stop(page)).name).toBe("Choose a folder");
		expect(await app.stateOf(page)).toMatchObject({ phase: "empty" });
	});

	it("every control of timeline and raster is reachable", async () => {
		const { page } = await app.openTiny(suite, { link: "f=5&t=ego" });
		await app.openTab(page, "Raster");
		await page.getByText("RGB of 22 channels").waitFor({ state: "attached" });
		const save = page.getByRole("button", { name: /^Save sample/ });
		await expect.poll(() => save.isEnabled()).toBe(true);
		await goTo(page, "Channel");
		await goTo(page, "Open a config");
		await goTo(page, /^Save sample/);
		await goTo(page, "Previous frame");
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await app.stateOf(page)).frame).toBe(4);
		expect((await stop(page)).name).toBe("Previous frame");
		await goTo(page, "Frame");
		await page.keyboard.press("ArrowLeft");
		expect((await app.stateOf(page)).frame).toBe(3);
	});
});
