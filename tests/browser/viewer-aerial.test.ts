import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const suite = app.useViewer(() => ({
	folders: { "/town/": here("../../build/town"), "/support/": here("../support") },
}));
const TOWN = "v=1&src=/town/scenes/town.zarr&f=80";

/** Returns the mean red, green and blue of the picture. */
async function means(page: Page): Promise<number[]> {
	await app.drawn(page);
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		const ctx = canvas?.getContext("2d");
		if (!canvas || !ctx) throw new Error("no picture");
		const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
		const sums = [0, 0, 0];
		data.forEach((value, i) => {
			if (i % 4 < 3) sums[i % 4] = (sums[i % 4] ?? 0) + value;
		});
		return sums.map((sum) => (4 * sum) / data.length);
	});
}

/** Returns a PNG of one colour, with a meta.json of 100 m per pixel. */
function chosen(page: Page): Promise<string> {
	return page.evaluate(async () => {
		const canvas = new OffscreenCanvas(8, 8);
		const ctx = canvas.getContext("2d");
		if (!ctx) throw new Error("no canvas");
		ctx.fillStyle = "#ff00ff";
		ctx.fillRect(0, 0, 8, 8);
		const bytes = await (await canvas.convertToBlob()).arrayBuffer();
		return btoa(String.fromCharCode(...new Uint8Array(bytes)));
	});
}

const PLACED = JSON.stringify({
	world_to_ecef: [
		[1, 0, 0, 0],
		[0, 1, 0, 0],
		[0, 0, 1, 0],
		[0, 0, 0, 1],
	],
	ecef_to_aerial: [
		[0, -0.01, 0, 4],
		[0.01, 0, 0, 4],
		[0, 0, 0, 0],
		[0, 0, 0, 1],
	],
});

describe("the aerial image", () => {
	it("is found beside the data, drawn below the lanes and stored in the link", async () => {
		const link = `${TOWN}&l=aerial,lanes,lights,crosswalks,vehicle,ego`;
		const { page, complaints } = await app.openApp(suite, {
			link,
			reducedMotion: true,
		});
		await app.still(page);
		const [red = 0, green = 0, blue = 0] = await means(page);
		const row = page.getByRole("switch", { name: /^Aerial image/ });
		expect(await row.textContent()).toMatch(/2199 × 2276/);
		await row.click();
		const without = await means(page);
		// Meadows and roofs are brighter than the dark ground, and more green than blue.
		expect(red + green + blue).toBeGreaterThan(
			1.5 * without.reduce((a, b) => a + b, 0),
		);
		expect(green).toBeGreaterThan(blue);
		await row.click();
		// A first picture is painted directly, later ones from the map's bitmap, which
		// samples the image at slightly different positions.
		const again = await means(page);
		for (const [i, mean] of [red, green, blue].entries()) {
			expect(again[i]).toBeCloseTo(mean, 1);
		}
		await page.waitForURL(/&l=.*aerial/);
		expect(complaints).toEqual([]);
	});

	it("matches the map's streets", async () => {
		const link = `${TOWN}&l=aerial&x=0&y=0&z=30`;
		const { page } = await app.openApp(suite, { link, reducedMotion: true });
		await app.drawn(page);
		// The ego is on asphalt, which is grey.
		const [red = 0, green = 0, blue = 0] = await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
			const [x, y] = [(canvas?.width ?? 0) >> 1, (canvas?.height ?? 0) >> 1];
			return [...(canvas?.getContext("2d")?.getImageData(x, y, 1, 1).data ?? [])];
		});
		expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(16);
		expect(red).toBeGreaterThan(30);
	});

	it("can be chosen if none was found, and names a missing file", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		await page.getByRole("switch", { name: /^Aerial image/ }).click();
		const input = page.getByLabel("Choose image and meta.json");
		const buffer = Buffer.from(await chosen(page), "base64");
		const image = { name: "ground.png", mimeType: "image/png", buffer };
		await input.setInputFiles([image]);
		await page.getByText(/choose two files together/).waitFor();
		const meta = {
			name: "meta.json",
			mimeType: "application/json",
			buffer: Buffer.from(PLACED),
		};
		const [redBefore = 0, greenBefore = 0] = await means(page);
		await input.setInputFiles([meta, image]);
		await page.getByText("8 × 8").waitFor();
		const [red = 0, green = 0] = await means(page);
		expect(red).toBeGreaterThan(redBefore + 40);
		expect(green).toBeLessThan(greenBefore + 10);
		expect((await app.stateOf(page)).layers).toContain("aerial");
		expect(complaints).toEqual([]);
	});
});
