import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import * as app from "./viewer-harness.js";

const SOURCE = "/data/long.zarr";
const SHORT = "/data/short.zarr";
const FRAMES = { [SOURCE]: 60, [SHORT]: 20 };

const suite = app.useViewer(() => {
	const objects = new Map<string, Uint8Array>();
	for (const [source, framesPerScene] of Object.entries(FRAMES)) {
		const set = tinyDataset({ scenes: 3, framesPerScene, rowsPerChunk: 60 });
		for (const [key, bytes] of set) objects.set(`${source}/${key}`, bytes);
	}
	return { objects };
});

/** Opens a page with viewers, and waits until they have drawn. */
async function open(markup: string) {
	const { page, complaints } = await app.openApp(suite);
	await page.evaluate(async (html) => {
		const parsed = new DOMParser().parseFromString(html, "text/html");
		document.querySelector("main")?.replaceChildren(...parsed.body.children);
		const viewers = [...document.querySelectorAll("bev-viewer")];
		await Promise.all(viewers.map((viewer) => viewer.settled));
	}, markup);
	return { page, complaints };
}

const positions = (page: Page) =>
	page.evaluate(() =>
		[...document.querySelectorAll<Viewer>("bev-viewer")].map((viewer) => [
			viewer.scene,
			viewer.frame,
		]),
	);

describe("viewers of a group", () => {
	it("show the same scene and time, whoever is moved", async () => {
		const { page, complaints } = await open(`
			<bev-viewer group="a" src="${SOURCE}" frame="12"></bev-viewer>
			<bev-viewer group="a" src="${SHORT}"></bev-viewer>
			<bev-viewer src="${SOURCE}" frame="3"></bev-viewer>`);
		const together = [
			[0, 12],
			[0, 12],
			[0, 3],
		];
		await expect.poll(async () => (await positions(page))[1]?.[1]).not.toBeNull();
		await page.evaluate(() => document.querySelectorAll("bev-viewer")[0]?.goTo(0, 12));
		await expect.poll(() => positions(page)).toEqual(together);
		await page.evaluate(() => document.querySelectorAll("bev-viewer")[1]?.goTo(2, 7));
		const moved = [
			[2, 7],
			[2, 7],
			[0, 3],
		];
		await expect.poll(() => positions(page)).toEqual(moved);
		await page.evaluate(() => {
			const [a, b] = document.querySelectorAll("bev-viewer");
			if (b) b.group = null;
			return a?.goTo(0, 30);
		});
		await expect.poll(async () => (await positions(page))[0]).toEqual([0, 30]);
		expect((await positions(page))[1]).toEqual([2, 7]);
		expect(complaints).toEqual([]);
	});
});

describe("steering by methods", () => {
	it("goTo resolves when the frame is displayed, and rejects others", async () => {
		const { page } = await open(`<bev-viewer src="${SOURCE}"></bev-viewer>`);
		const said = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			await viewer?.goTo(1, 42);
			const shown = [viewer?.scene, viewer?.frame];
			const codes: unknown[] = [];
			for (const [scene, frame] of [
				[3, 0],
				[-1, 0],
				[0, 0.5],
			] as const) {
				await viewer?.goTo(scene, frame).catch(({ code }) => codes.push(code));
			}
			viewer?.close();
			await viewer?.goTo(0, 0).catch(({ code }) => codes.push(code));
			return { shown, codes };
		});
		expect(said).toEqual({
			shown: [1, 42],
			codes: ["out_of_range", "out_of_range", "out_of_range", "invalid_argument"],
		});
	});

	it("project and unproject agree with the picture and its clicks", async () => {
		const { page } = await open(`<bev-viewer src="${SOURCE}"></bev-viewer>`);
		const found = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const [x = 0, y = 0] = viewer?.controller?.state.shown?.agents.centroid ?? [];
			const at = viewer?.project(x, y) ?? { x: 0, y: 0 };
			const back = viewer?.unproject(at.x, at.y);
			const box = viewer?.getBoundingClientRect() ?? new DOMRect();
			const page = { x: box.left + at.x, y: box.top + at.y };
			const picked = String(viewer?.pick(page.x, page.y));
			return { world: { x, y }, back, page, picked };
		});
		expect(found.back?.x).toBeCloseTo(found.world.x, 6);
		expect(found.back?.y).toBeCloseTo(found.world.y, 6);
		expect(found.picked).toBe("1");
		await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			viewer?.addEventListener("picture-click", ({ detail }) =>
				Object.assign(globalThis, { clicked: detail.world }),
			);
		});
		await page.mouse.click(found.page.x, found.page.y);
		const clicked = await page.waitForFunction(
			() => (globalThis as { clicked?: { x: number; y: number } }).clicked,
		);
		const { x, y } = (await clicked.jsonValue()) ?? { x: 0, y: 0 };
		expect(Math.hypot(x - found.world.x, y - found.world.y)).toBeLessThan(0.5);
	});

	it("knows no pixel while nothing is displayed", async () => {
		const { page } = await open("<bev-viewer></bev-viewer>");
		const at = await page.evaluate(() => [
			document.querySelector<Viewer>("bev-viewer")?.project(0, 0) ?? null,
			document.querySelector<Viewer>("bev-viewer")?.unproject(0, 0) ?? null,
		]);
		expect(at).toEqual([null, null]);
	});
});

/** Colour of the picture around an agent of the frame. */
function colourAt(page: Page): Promise<number[]> {
	return page.evaluate(async () => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		await new Promise(requestAnimationFrame);
		await new Promise(requestAnimationFrame);
		const blob = await viewer?.toBlob();
		const image = await createImageBitmap(blob ?? new Blob());
		const canvas = new OffscreenCanvas(image.width, image.height);
		const context = canvas.getContext("2d");
		context?.drawImage(image, 0, 0);
		const { data } = context?.getImageData(10, 10, 1, 1) ?? { data: [] };
		return [...data].slice(0, 3);
	});
}

describe("layers of the page", () => {
	it("are drawn over every picture, replaced by name, and removed", async () => {
		const { page, complaints } = await open(
			`<bev-viewer src="${SOURCE}"></bev-viewer>`,
		);
		const before = await colourAt(page);
		const frames = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const seen: (number | undefined)[] = [];
			const fill = (color: string) => {
				return viewer?.addLayer({
					name: "mine",
					draw(context, view, frame) {
						seen.push(frame?.frame);
						context.fillStyle = color;
						context.fillRect(0, 0, view.width, view.height / 2);
					},
				});
			};
			fill("rgb(200, 10, 10)");
			Object.assign(globalThis, { removeLayer: fill("rgb(10, 200, 10)") });
			await viewer?.goTo(0, 9);
			return seen;
		});
		expect(frames).toContain(9);
		expect(await colourAt(page)).toEqual([10, 200, 10]);
		const names = await page.evaluate(() => {
			(globalThis as unknown as { removeLayer(): void }).removeLayer();
			const { state } = document.querySelector<Viewer>("bev-viewer")?.controller ?? {};
			return state?.pageLayers.length;
		});
		expect(names).toBe(0);
		expect(await colourAt(page)).toEqual(before);
		expect(complaints).toEqual([]);
	});

	it("that throw are removed with a notice; the picture stays", async () => {
		const { page } = await open(`<bev-viewer src="${SOURCE}"></bev-viewer>`);
		const state = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			let calls = 0;
			viewer?.addLayer({
				name: "broken",
				draw(context) {
					calls += 1;
					context.translate(50, 50);
					throw new Error("no data");
				},
			});
			await viewer?.goTo(0, 3);
			await viewer?.goTo(0, 4);
			const { notices, pageLayers, shown } = viewer?.controller?.state ?? {};
			return { calls, notices, layers: pageLayers?.length, frame: shown?.frame };
		});
		expect(state).toEqual({
			calls: 1,
			notices: ["Layer broken removed: drawing failed: no data"],
			layers: 0,
			frame: 4,
		});
	});
});
