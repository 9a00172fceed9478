import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const TOWN = fileURLToPath(new URL("../../build/town", import.meta.url));
const MAP = "/town/semantic_map/semantic_map.pb";

/** The town with its map, and once without. */
const suite = app.useViewer(() => ({
	folders: { "/town/": TOWN, "/bare/": `${TOWN}/scenes` },
}));
const BARE = "v=1&src=/bare/town.zarr&f=80";

async function open(link: string) {
	const opened = await app.openApp(suite, { link, reducedMotion: true });
	await app.settled(opened.page);
	return opened;
}

const lanes = (page: Page) => page.getByRole("switch", { name: /^Lanes/ });

/** Returns the number of lanes of each colour: none, red, yellow, green. */
async function colours(page: Page): Promise<number[]> {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => {
		const all = Array.from(state.laneColours ?? []);
		return [0, 1, 2, 3].map((one) => all.filter((colour) => colour === one).length);
	});
}

const file = (name: string) => ({
	name: name.split("/").at(-1) ?? name,
	mimeType: "application/octet-stream",
	buffer: readFileSync(`${TOWN}/${name}`),
});

describe("the town's map", () => {
	it("colours lanes by the state of their lights in every frame", async () => {
		const { page, complaints } = await open("v=1&src=/town/scenes/town.zarr&f=80");
		const letters = page.locator("bev-light-list .letter");
		const seen = new Set<string>();
		const lit = new Set<number>();
		const controller = await app.controllerOf(page);
		for (let frame = 0; frame < 240; frame += 40) {
			await controller.evaluate((it, to) => it.seek(to), frame);
			await app.settled(page);
			for (const letter of await letters.allTextContents()) seen.add(letter);
			(await colours(page)).forEach((count, colour) => {
				if (count > 0) lit.add(colour);
			});
		}
		expect([...seen]).toEqual(expect.arrayContaining(["R", "G"]));
		expect([...lit]).toEqual(expect.arrayContaining([0, 1, 3]));
		expect(complaints).toEqual([]);
	});

	it("provides latitude and longitude of the pointer", async () => {
		const { page } = await open("v=1&src=/town/scenes/town.zarr&f=80");
		await app.still(page);
		const box = await page.locator("bev-scene-view").boundingBox();
		if (!box) throw new Error("there is no picture");
		const place = async (dx: number) => {
			const before = await page.locator(".coords").last().textContent();
			await page.mouse.move(box.x + box.width / 2 + dx, box.y + box.height / 2);
			const words = page.locator(".coords", {
				hasText: /^\d+\.\d{6}° N \d+\.\d{6}° W$/,
			});
			await expect.poll(() => words.textContent()).not.toBe(before);
			return (await words.textContent())?.match(/\d+\.\d+/g)?.map(Number) ?? [];
		};
		const controller = await app.controllerOf(page);
		const span = await controller.evaluate(({ state }) => state.camera.span);
		const metres = (200 * span) / Math.min(box.width, box.height);
		const [north = 0, west = 0] = await place(-100);
		const [, westOfOther = 0] = await place(100);
		// Positions further east have smaller western longitudes.
		const degree = 111_320 * Math.cos((north * Math.PI) / 180);
		expect((west - westOfOther) * degree).toBeCloseTo(metres, -1);
	});
});

describe("a map if none is found beside the data", () => {
	it("is chosen as two files, and colours the lanes", async () => {
		const { page, complaints } = await open(BARE);
		expect(await lanes(page).textContent()).toMatch(/no map/);
		const input = page.getByLabel("Choose map and meta.json");
		await input.setInputFiles([file("semantic_map/semantic_map.pb")]);
		await page.getByText(/choose two files together, the map and its meta/).waitFor();
		await input.setInputFiles([
			file("meta.json"),
			file("semantic_map/semantic_map.pb"),
		]);
		await expect.poll(() => lanes(page).textContent()).toMatch(/Lanes\s*\d+/);
		await app.settled(page);
		const [, ...lit] = await colours(page);
		expect(lit.reduce((a, b) => a + b, 0)).toBeGreaterThan(0);
		await page.getByText("Use another map", { exact: true }).waitFor();
		await input.waitFor({ state: "hidden" });
		expect(page.url()).not.toContain("m=");
		expect(complaints).toEqual([]);
	});

	it("is drawn in the selection's raster, instead of only boxes", async () => {
		const { page, complaints } = await open(`${BARE}&t=ego`);
		const controller = await app.controllerOf(page);
		const raster = () =>
			controller.evaluate(({ state: { raster } }) => ({
				choice: raster.choice,
				phase: raster.phase,
			}));
		await app.openTab(page, "Raster");
		await expect.poll(raster).toEqual({ choice: "boxes", phase: "ready" });
		await page
			.getByLabel("Choose map and meta.json")
			.setInputFiles([file("meta.json"), file("semantic_map/semantic_map.pb")]);
		await expect.poll(raster).toEqual({ choice: "map", phase: "ready" });
		await page.getByText(/of \d+ channels/).waitFor({ state: "attached" });
		expect(complaints).toEqual([]);
	});

	it("is read from a URL, which is stored in the link", async () => {
		const { page, complaints } = await open(BARE);
		const field = page.getByRole("textbox", { name: "Map URL" });
		await field.fill("/town/none.pb");
		await field.press("Enter");
		await page.getByText(/none\.pb: read failed: .*no map/).waitFor();
		await field.fill(MAP);
		await page.getByRole("button", { name: "Load" }).click();
		await expect.poll(() => lanes(page).textContent()).toMatch(/Lanes\s*\d+/);
		await page.waitForURL((url) => url.hash.includes(`&m=${MAP}&`));
		await app.settled(page);
		const [before] = await colours(page);
		await page.reload();
		await app.settled(page);
		expect((await colours(page))[0]).toBe(before);
		expect(complaints).toEqual([]);
	});

	it("can be set by an attribute, and by a link only from the same site", async () => {
		const { page } = await open(`${BARE}&m=https://other.example/a.pb`);
		await page
			.getByText("ignored m=https://other.example/a.pb (expected a URL of this site)")
			.waitFor();
		expect(await lanes(page).textContent()).toMatch(/no map/);
		const count = await page.evaluate(
			async ([src, map]) => {
				const viewer = document.createElement("bev-viewer");
				viewer.setAttribute("src", src);
				viewer.setAttribute("map-src", map);
				document.querySelector("main")?.replaceChildren(viewer);
				await viewer.settled;
				return viewer.controller?.state.map?.lanes.length;
			},
			["/bare/town.zarr", MAP] as const,
		);
		expect(count).toBeGreaterThan(20);
	});

	it("can be chosen for a local folder", async () => {
		const { page } = await app.openApp(suite);
		await page.locator("bev-open #folder").setInputFiles(`${TOWN}/scenes/town.zarr`);
		await app.settled(page);
		await page
			.getByLabel("Choose map and meta.json")
			.setInputFiles([file("meta.json"), file("semantic_map/semantic_map.pb")]);
		await expect.poll(() => lanes(page).textContent()).toMatch(/Lanes\s*\d+/);
	});

	it.each(["dark", "light"] as const)("is requested accessibly, %s", async (theme) => {
		const { page } = await app.openApp(suite, { link: BARE, theme });
		await app.settled(page);
		expect(await findings(page)).toEqual([]);
	});
});
