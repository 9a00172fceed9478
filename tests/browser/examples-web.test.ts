import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { onnxModel } from "../support/onnx-model.js";
import { openPage, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

const suite = useServers({
	server: () =>
		serve(
			{},
			{
				"/bevscope/": at("web/dist"),
				"/examples/web/": at("examples/web"),
				"/town/": at("build/town"),
				"/packages/onnxruntime-web/": at("build/tensors/node_modules/onnxruntime-web"),
				"/packages/": at("build/examples/node_modules"),
			},
		),
});

/** Runs a program of examples/web until it has finished. */
async function run(program: string): Promise<Page> {
	const path = `/examples/web/index.html?program=${program}`;
	const { page, complaints } = await openPage(suite.browser, suite.server, path);
	await page.locator("main:not([aria-busy])").waitFor();
	expect(await page.getByRole("alert").allTextContents()).toEqual([]);
	expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	return page;
}

/** Returns the cells of the page's table. */
function table(page: Page): Promise<string[][]> {
	return page
		.locator("tbody tr")
		.evaluateAll((rows) =>
			rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")),
		);
}

/** Returns `read` of the page's viewer. */
function viewer<T>(page: Page, read: (it: Viewer) => T): Promise<T> {
	return page.locator("bev-viewer").evaluate(read as (it: unknown) => T) as Promise<T>;
}

/** Counts pixels of the picture that are close to a colour. */
function pixels(page: Page, colour: readonly [number, number, number]) {
	return page.locator("bev-viewer").evaluate(async (it, [r, g, b]) => {
		const picture = await (it as Viewer).toBlob("image/png");
		if (!picture) throw new Error("there is no picture");
		const bitmap = await createImageBitmap(picture);
		const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
		const context = canvas.getContext("2d");
		context?.drawImage(bitmap, 0, 0);
		const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
		let count = 0;
		for (let i = 0; i < data.length; i += 4) {
			const [dr, dg, db] = [0, 1, 2].map((c) => data[i + c] ?? 0);
			const gap =
				Math.abs((dr ?? 0) - r) + Math.abs((dg ?? 0) - g) + Math.abs((db ?? 0) - b);
			if (gap < 12) count += 1;
		}
		return count;
	}, colour);
}

describe("examples/web", () => {
	it("scenes.js lists the scenes", async () => {
		const rows = await table(await run("scenes"));
		expect(rows.map(([scene]) => scene)).toEqual(["0", "1", "2", "3"]);
		expect(rows[0]?.slice(1)).toEqual([
			"host-t101",
			"2019-10-16T15:33:20.000Z",
			"248",
			"24.7",
		]);
	});

	it("speed.js plots a line with a point per frame", async () => {
		const page = await run("speed");
		await page.locator(".uplot canvas").waitFor();
		expect(await page.locator(".u-legend").textContent()).toContain("m/s");
	});

	it("near.js lists pedestrians, the nearest first", async () => {
		const distances = (await table(await run("near"))).map((cells) => Number(cells[3]));
		expect(distances).toHaveLength(20);
		expect(distances).toEqual([...distances].sort((a, b) => a - b));
		expect(distances.at(-1)).toBeLessThan(10);
	});

	it("raster.js draws roads and vehicles", async () => {
		const page = await run("raster");
		const colours = await page.locator("canvas").evaluate((it: HTMLCanvasElement) => {
			const image = it.getContext("2d")?.getImageData(0, 0, it.width, it.height);
			return new Set(new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0))).size;
		});
		expect(colours).toBeGreaterThan(8);
	});

	it("model.js runs a model on batches of images", async () => {
		const dims = [undefined, 3 * 2 + 3, 112, 112]; // agents, ego and map of three frames
		const model = onnxModel([{ name: "image", type: "float32", dims }], []);
		suite.server.put("/examples/web/model.onnx", model);
		const rows = await table(await run("model"));
		expect(rows.map((cells) => cells.slice(0, 2))).toEqual([
			["image.same", "4 x 9 x 112 x 112"],
			["image.same", "4 x 9 x 112 x 112"],
		]);
	});

	it("sql.js ranks tracks by speed", async () => {
		const rows = await table(await run("sql"));
		expect(rows).toHaveLength(10);
		const speeds = rows.map((cells) => Number(cells[2]));
		expect(speeds).toEqual([...speeds].sort((a, b) => b - a));
		expect(speeds[0]).toBeGreaterThan(5);
	});

	it("jump.js moves the viewer to a scene and frame", async () => {
		const page = await run("jump");
		await page.getByRole("button", { name: "Scene 1, frame 10" }).click();
		await expect
			.poll(() => viewer(page, ({ scene, frame }) => [scene, frame]))
			.toEqual([1, 10]);
	});

	it("events.js shows frame and selection", async () => {
		const page = await run("events");
		await page.getByText("Scene 0, frame 0", { exact: true }).waitFor();
		await viewer(page, (it) => {
			it.seek(7);
			it.selection = "ego";
		});
		await page.getByText("Scene 0, frame 7", { exact: true }).waitFor();
		await page.getByText("Selected: ego").waitFor();
	});

	it("overlay.js draws a line in the picture", async () => {
		const page = await run("overlay");
		expect(await pixels(page, [0xff, 0x5f, 0xa8])).toBeGreaterThan(50);
	});

	it("find.js lists scenes by facts, and says what a filter lacks", async () => {
		const page = await run("find");
		const count = (await table(page)).length;
		expect(count).toBeGreaterThan(0);
		await page.getByLabel("Scenes where").fill("scene >= 0");
		await page.getByText("4 scenes", { exact: true }).waitFor();
		expect(await table(page)).toHaveLength(4);
		await page.getByLabel("Scenes where").fill("ego_men_speed > 3");
		await page.getByText('unknown field "ego_men_speed"', { exact: false }).waitFor();
	});

	it("predict.js draws lines of constant velocity", async () => {
		const page = await run("predict");
		expect(await pixels(page, [0xff, 0x5f, 0xa8])).toBeGreaterThan(50);
	});

	it("cursor.js moves the viewer by the plot, and the cursor by the viewer", async () => {
		const page = await run("cursor");
		const over = page.locator(".u-over");
		const width = (await over.boundingBox())?.width ?? 0;
		await over.click({ position: { x: width / 2, y: 50 } });
		await expect.poll(() => viewer(page, ({ frame }) => frame)).toBeGreaterThan(100);
		await viewer(page, (it) => it.seek(0));
		const cursor = page.locator(".u-cursor-x");
		await expect
			.poll(() =>
				cursor.evaluate((it) => new DOMMatrix(getComputedStyle(it).transform).e),
			)
			.toBeLessThan(2);
	});

	it("clip.js records a GIF of the section", async () => {
		const page = await run("clip");
		await page.getByRole("button", { name: "Record frames 20 to 30" }).click();
		const image = page.getByAltText("The recorded frames");
		await image.waitFor();
		await expect
			.poll(() => image.evaluate((it: HTMLImageElement) => it.naturalWidth))
			.toBe(320);
	});

	it("scatter.js plots a point per moving vehicle", async () => {
		const page = await run("scatter");
		await page.locator(".uplot canvas").waitFor();
		const points = Number(await page.locator(".uplot").getAttribute("data-points"));
		expect(points).toBeGreaterThan(1000);
	});

	it("worker.js reads the mean speeds of a scene in a worker of the page's own", async () => {
		const rows = await table(await run("worker"));
		expect(rows.map(([kind]) => kind).sort()).toEqual([
			"cyclist",
			"other",
			"pedestrian",
			"vehicle",
		]);
		for (const [, agents, speed] of rows) {
			expect(Number(agents)).toBeGreaterThan(0);
			expect(Number(speed)).toBeLessThan(20);
		}
	});

	for (const theme of ["light", "dark"]) {
		it(`cursor.js has the theme of the page around it (${theme})`, async () => {
			const page = await run(`cursor&theme=${theme}`);
			expect(await viewer(page, (it) => it.theme)).toBe(theme);
			const plot = page.locator(".plot canvas");
			const filter = await plot.evaluate((it) => getComputedStyle(it).filter);
			expect(filter).toMatch(theme === "dark" ? /^invert/ : /^none$/);
			const ground = await page.evaluate(() => {
				const { backgroundColor, color } = getComputedStyle(document.body);
				return { backgroundColor, color };
			});
			const text = theme === "dark" ? "rgb(255, 255, 255)" : "rgb(0, 0, 0)";
			expect(ground).toEqual({ backgroundColor: "rgba(0, 0, 0, 0)", color: text });
		});
	}

	it("theme.js changes theme and ground", async () => {
		const page = await run("theme");
		await page.getByRole("button", { name: "Dark" }).click();
		await expect.poll(() => pixels(page, [0x0b, 0x0e, 0x12])).toBeGreaterThan(5000);
		await page.getByRole("button", { name: "Green ground" }).click();
		await expect.poll(() => pixels(page, [0x1b, 0x4d, 0x2e])).toBeGreaterThan(5000);
	});
});
