import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { CAMERAS, inOneStore, sensorDataset } from "../support/sensor-dataset.js";
import { TINY, tinyDataset } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

/** Both scenes, without frame 3; in frame 2 an image is null, and one is damaged. */
const rows = Array.from({ length: 12 }, (_, frame) => ({
	frame,
	...(frame === 2 && { absent: ["left"], damaged: ["right"] }),
})).filter(({ frame }) => frame !== 3);

const SENSORS = await sensorDataset({ rows, maxObjectSize: 4096 });
const STORE = inOneStore(tinyDataset(), SENSORS);
const BESIDE = "se=/sensors.zarr";

const objects = new Map<string, Uint8Array>();
for (const [key, bytes] of SENSORS) objects.set(`/sensors.zarr/${key}`, bytes);
for (const [key, bytes] of STORE) objects.set(`/one.zarr/${key}`, bytes);

const suite = app.useViewer(() => ({ objects }));

/** Bytes of a field's objects. */
const bytesOf = (field: string): number =>
	[...SENSORS]
		.filter(([key]) => key.startsWith(`${field}/`) || key.startsWith(`${field}_`))
		.reduce((sum, [, bytes]) => sum + bytes.length, 0);

const box = (page: Page, name: string) =>
	page.locator("bev-cameras .box").filter({ hasText: name });

async function seek(page: Page, frame: number): Promise<void> {
	await (await app.controllerOf(page)).evaluate((it, to) => it.seek(to), frame);
}

/** Returns the frame whose sign a camera's canvas shows, of the first 12. */
async function frameIn(page: Page, name: string): Promise<number> {
	const canvas = box(page, name).locator("canvas");
	return canvas.evaluate((it: HTMLCanvasElement) => {
		const context = it.getContext("2d");
		const row = context?.getImageData(0, (it.height * 11.5) / 24, it.width, 1).data;
		const lit = Array.from({ length: 40 }, (_, block) => {
			const at = 4 * Math.floor(((block + 0.5) / 40) * it.width);
			return (row?.[at] ?? 0) > 200 && (row?.[at + 2] ?? 255) < 120;
		});
		const frames = Array.from({ length: 12 }, (_, frame) => (3 * frame) % 40);
		return frames.findIndex((sign) => lit[sign] && lit[sign + 1] && !lit[sign + 2]);
	});
}

/** Returns the displayed words of all boxes. */
const words = (page: Page): Promise<string[]> =>
	page.locator("bev-cameras .box").allInnerTexts();

describe("cameras beside the picture", () => {
	it("show the frame of the picture, with the policy", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: `f=1&${BESIDE}` });
		expect(await words(page)).toEqual([...CAMERAS]);
		for (const name of CAMERAS) expect(await frameIn(page, name)).toBe(1);
		await seek(page, 4);
		await app.settled(page);
		for (const name of CAMERAS) expect(await frameIn(page, name)).toBe(4);
		await page.getByRole("switch", { name: "Points 400" }).waitFor();
		expect(complaints).toEqual([]);
	});

	it("are absent from data without images", async () => {
		const { page } = await app.openTiny(suite);
		expect(await page.locator("bev-cameras").count()).toBe(0);
		expect(await page.getByRole("switch", { name: /^Points/ }).count()).toBe(0);
	});

	it("are found in the store of the frames", async () => {
		const { page } = await app.openApp(suite, { link: "v=1&src=/one.zarr&s=1&f=2" });
		await app.settled(page);
		expect(await frameIn(page, "front")).toBe(8);
	});

	it("say which frames have no image", async () => {
		const { page } = await app.openTiny(suite, { link: `f=2&${BESIDE}` });
		expect(await words(page)).toEqual([
			"front",
			"No image\nleft",
			"Damaged image\nright",
		]);
		await page.getByRole("button", { name: "Try again" }).click();
		await app.settled(page);
		expect((await words(page))[2]).toBe("Damaged image\nright");
		await seek(page, 3);
		await app.settled(page);
		expect(await words(page)).toEqual(
			CAMERAS.map((name) => `No row for this frame\n${name}`),
		);
	});

	it.each([
		["the first answer comes last", [700, 0]],
		["answers come in order", [200, 400]],
	])("show the last of two scrubs: %s", async (_, delays) => {
		const { page } = await app.openTiny(suite, { link: `f=0&cam=front&${BESIDE}` });
		const { server } = suite;
		const asked = () => server.asked("/sensors.zarr/front_values/").length;
		const [first = 0, second = 0] = delays;
		const slow = (delayMs: number) => {
			server.chaos = ({ path }) =>
				path.includes("/front_values/") ? { delayMs } : undefined;
		};
		const before = asked();
		slow(first);
		await seek(page, 4);
		await expect.poll(asked).toBeGreaterThan(before);
		expect(await words(page)).toEqual(["front\nframe 0"]);
		slow(second);
		await seek(page, 5);
		await app.settled(page);
		expect(await frameIn(page, "front")).toBe(5);
		await page.waitForTimeout(800);
		expect(await frameIn(page, "front")).toBe(5);
		expect(await words(page)).toEqual(["front"]);
	});

	it("are read alone: the bytes of one that is shown, and nothing of others", async () => {
		const link = `f=0&cam=front&l=ego&${BESIDE}`;
		const { page } = await app.openTiny(suite, { link });
		for (const scene of [0, 1])
			for (let frame = 0; frame < TINY.framesPerScene; frame += 1) {
				await page.evaluate(
					([s, f]) => document.querySelector("bev-viewer")?.goTo(s, f),
					[scene, frame] as const,
				);
				await app.settled(page);
			}
		const asked = suite.server.log.filter(({ path }) =>
			path.startsWith("/sensors.zarr/"),
		);
		const sum = (of: RegExp) =>
			asked
				.filter(({ path }) => of.test(path))
				.reduce((all, { bytes }) => all + bytes, 0);
		expect(sum(/\/front/)).toBeGreaterThan(0.9 * bytesOf("front"));
		expect(sum(/\/front/)).toBeLessThanOrEqual(1.1 * bytesOf("front"));
		expect(sum(/\/(left|right|lidar|label)/)).toBe(0);
	});

	it("refuse the address of another site", async () => {
		const { page } = await app.openTiny(suite, {
			link: "se=http://127.0.0.2:9/x.zarr",
		});
		await page.getByText(/Cameras: ignored the address/).waitFor();
	});
});

/** Returns the number of pixels in the colour of points: of the picture, or of a GIF's frames. */
function pointPixels(page: Page, recorded = false): Promise<number[]> {
	return page.evaluate(async (asGif) => {
		const viewer = document.querySelector("bev-viewer");
		const { canvas } = viewer?.renderRoot.querySelector("bev-scene-view") ?? {};
		if (!viewer || !canvas) throw new Error("there is no picture");
		const copy = new OffscreenCanvas(canvas.width, canvas.height);
		const context = copy.getContext("2d", { willReadFrequently: true });
		if (!context) throw new Error("there is no canvas");
		const count = (image: CanvasImageSource): number => {
			context.drawImage(image, 0, 0);
			const { data } = context.getImageData(0, 0, copy.width, copy.height);
			let found = 0;
			for (let i = 0; i < data.length; i += 4) {
				const off = [133, 142, 156].map((c, k) => Math.abs(c - (data[i + k] ?? 0)));
				if (Math.max(...off) < 6) found += 1;
			}
			return found;
		};
		if (!asGif) return [count(canvas)];
		const data = await (await viewer.record({ format: "gif" })).arrayBuffer();
		const decoder = new ImageDecoder({ data, type: "image/gif" });
		await decoder.completed;
		const counts: number[] = [];
		for (let frameIndex = 0; frameIndex < 6; frameIndex += 1)
			counts.push(count((await decoder.decode({ frameIndex })).image));
		return counts;
	}, recorded);
}

describe("points", () => {
	it("are drawn in the picture of their frame, and while their layer is on", async () => {
		const { page } = await app.openTiny(suite, { link: `f=1&l=points&${BESIDE}` });
		await app.drawn(page);
		expect((await pointPixels(page))[0]).toBeGreaterThan(500);
		await seek(page, 3);
		await app.drawn(page);
		expect(await pointPixels(page)).toEqual([0]);
		await seek(page, 4);
		await app.drawn(page);
		expect((await pointPixels(page))[0]).toBeGreaterThan(500);
		await page.getByRole("switch", { name: /^Points/ }).click();
		await app.drawn(page);
		expect(await pointPixels(page)).toEqual([0]);
	});

	it("are in every frame of a recording, also if they arrive late", async () => {
		const link = `f=1&l=points&cam=:&${BESIDE}`;
		const { page } = await app.openTiny(suite, { link });
		suite.server.fault({ match: /lidar_values/, delayMs: 300 });
		const counts = await pointPixels(page, true);
		expect(counts[3]).toBe(0);
		for (const k of [0, 1, 2, 4, 5]) expect(counts[k]).toBeGreaterThan(500);
	});
});

describe("the strip", () => {
	beforeEach(() => {
		suite.server.reset();
		suite.server.csp = app.APP_CSP;
	});

	it("is used with the keyboard, and kept in the link", async () => {
		const { page } = await app.openTiny(suite, { link: `f=1&${BESIDE}` });
		await box(page, "left").focus();
		await page.keyboard.press("Enter");
		await page.waitForURL(/&cam=\*,:left/);
		await app.settled(page);
		const large = await box(page, "left").boundingBox();
		const small = await box(page, "front").boundingBox();
		expect(large?.height).toBeGreaterThan(1.5 * (small?.height ?? 0));
		expect(await frameIn(page, "left")).toBe(1);
		await page.keyboard.press("Escape");
		await expect
			.poll(() => box(page, "left").getAttribute("aria-pressed"))
			.toBe("false");
		const edge = page.getByRole("separator", { name: "Height of the cameras" });
		await edge.press("ArrowUp");
		expect(await edge.getAttribute("aria-valuenow")).toBe("148");
		await page.getByRole("button", { name: "right", exact: true }).first().click();
		await page.waitForURL(/&cam=front,left/);
		await page.getByRole("button", { name: "Cameras", exact: true }).press("Enter");
		await page.waitForURL(/&cam=:,front,left/);
		expect(await words(page)).toEqual([]);
		await page.reload();
		await app.settled(page);
		const title = page.getByRole("button", { name: "Cameras", exact: true });
		expect(await title.getAttribute("aria-expanded")).toBe("false");
	});

	it("leaves the picture half of the height, and gives way to panels", async () => {
		const { page } = await app.openTiny(suite, {
			...{ width: 360, height: 740, link: `f=1&${BESIDE}` },
		});
		const strip = page.locator("bev-cameras");
		const height = async (of: string) =>
			(await page.locator(of).first().boundingBox())?.height ?? 0;
		expect(await height("bev-scene-view")).toBeGreaterThan(300);
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Layers" }).click();
		await expect.poll(() => strip.isVisible()).toBe(false);
		await page.setViewportSize({ width: 400, height: 300 });
		await expect.poll(() => strip.isVisible()).toBe(false);
	});

	it("can be left out, and then reads no images", async () => {
		const { page } = await app.openTiny(suite, { link: BESIDE });
		await page.evaluate(() =>
			document.querySelector("bev-viewer")?.setAttribute("panels", "timeline"),
		);
		await expect.poll(() => page.locator("bev-cameras").count()).toBe(0);
		suite.server.log.length = 0;
		await seek(page, 4);
		await app.settled(page);
		expect(suite.server.asked("/sensors.zarr/front")).toEqual([]);
	});
});
