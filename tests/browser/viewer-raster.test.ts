import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { STUB_CONFIG } from "../../web/test/support/configs.js";
import { readNpz } from "../support/npz.js";
import * as app from "./viewer-harness.js";

/** Wider than high, two history frames: six channels. */
const CONFIG = {
	...STUB_CONFIG,
	raster_params: {
		...STUB_CONFIG.raster_params,
		raster_size: [120, 60],
		map_type: "box_debug",
	},
};

const suite = app.useViewer(() => ({
	objects: new Map([["/data/config.json", JSON.stringify(CONFIG)]]),
}));

/**
 * Returns the displayed raster's agent and frame, and its number of non-black pixels.
 */
function drawn(page: Page) {
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const raster = viewer?.controller?.state.raster;
		const canvas = viewer?.renderRoot
			.querySelector("bev-raster")
			?.renderRoot.querySelector("canvas");
		const { width = 0, height = 0 } = canvas ?? {};
		const { data } = canvas?.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
		const lit = [0, 1, 2].map(
			(c) => data?.filter((value, i) => i % 4 === c && value > 0).length ?? 0,
		);
		const bright = data?.filter((value, i) => i % 4 === 0 && value > 160).length ?? 0;
		const { frame, track, channel } = raster?.picture ?? {};
		return {
			size: [width, height],
			lit,
			bright,
			of: { frame, track: track?.toString(), channel },
		};
	});
}

/** Waits until the raster of the frame and channel is displayed. */
const shows = (page: Page, frame: number, channel?: number) =>
	page.waitForFunction(
		([wanted, alone]) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const picture = viewer?.controller?.state.raster.picture;
			return picture?.frame === wanted && (picture?.channel ?? -1) === alone;
		},
		[frame, channel ?? -1] as const,
	);

async function selected(options: app.OpenOptions = {}) {
	const opened = await app.openTiny(suite, { link: "f=3&t=ego", ...options });
	await app.openTab(opened.page, "Raster");
	await opened.page.getByText("Raster of the ego").waitFor();
	await shows(opened.page, 3);
	return opened;
}

describe("the raster panel", () => {
	it("draws the ego's raster with the config beside the data, synchronized with time", async () => {
		const { page, complaints } = await selected();
		const { size, lit, of } = await drawn(page);
		expect(size).toEqual([120, 60]);
		expect(of).toEqual({ frame: 3, track: undefined, channel: undefined });
		const [red, green = 0, blue = 0] = lit;
		expect(red).toBe(0);
		expect(green).toBeGreaterThan(30); // the ego's box
		expect(blue).toBeGreaterThan(30); // agents
		await page.getByRole("button", { name: "Next frame" }).click();
		await shows(page, 4);
		expect(complaints).toEqual([]);
	});

	it("draws the clicked agent's raster, and reports its absence", async () => {
		const { page } = await selected();
		await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.controller?.select(2n),
		);
		await page.getByText("Raster of this agent").waitFor();
		await page.waitForFunction(
			() =>
				document.querySelector<Viewer>("bev-viewer")?.controller?.state.raster.picture
					?.track === 2n,
		);
		await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.controller?.select(77n),
		);
		await page.getByText("Not in this frame", { exact: true }).waitFor();
	});

	it("shows every channel alone, in grey", async () => {
		const { page } = await selected();
		const channels = page.getByRole("combobox", { name: "Channel" });
		expect(await channels.locator("option").allTextContents()).toEqual([
			"RGB of 6 channels",
			"0 · agents, now",
			"1 · agents, 1 step ago",
			"2 · agents, 2 steps ago",
			"3 · self, now",
			"4 · self, 1 step ago",
			"5 · self, 2 steps ago",
		]);
		await page.getByRole("button", { name: "Previous channel" }).click();
		await shows(page, 3, 5);
		await channels.selectOption({ label: "3 · self, now" });
		await shows(page, 3, 3);
		const { lit } = await drawn(page);
		expect(lit[0]).toBeGreaterThan(30);
		expect(lit[1]).toBe(lit[0]);
		expect(lit[2]).toBe(lit[0]);
	});

	it("shows the difference from vectors, small for boxes of the current frame", async () => {
		const { page, complaints } = await selected();
		const channels = page.getByRole("combobox", { name: "Channel" });
		const difference = page.getByRole("button", { name: "Difference" });
		for (const [name, channel] of [
			["0 · agents, now", 0],
			["3 · self, now", 3],
		] as const) {
			await channels.selectOption({ label: name });
			await shows(page, 3, channel);
			const image = await drawn(page);
			expect(image.lit[0]).toBeGreaterThan(30);
			await difference.click();
			await page.getByText("black where equal to vectors").waitFor();
			// Antialiased edges differ slightly; a displaced box would be bright twice.
			const { bright } = await drawn(page);
			expect(image.bright).toBeGreaterThan(30);
			expect(bright, name).toBeLessThan(image.bright / 8);
			await difference.click();
			await page.getByText("black where equal to vectors").waitFor({ state: "hidden" });
			expect((await drawn(page)).lit).toEqual(image.lit);
		}
		// The history is not among the current vectors.
		await channels.selectOption({ label: "1 · agents, 1 step ago" });
		await shows(page, 3, 1);
		expect(await difference.isDisabled()).toBe(true);
		expect(complaints).toEqual([]);
	});

	it("reveals a box that differs from the vectors", async () => {
		const { page } = await selected();
		await page
			.getByRole("combobox", { name: "Channel" })
			.selectOption({ label: "3 · self, now" });
		await shows(page, 3, 3);
		const image = await drawn(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate(({ heldFrames }) => {
			const { corners } = heldFrames.get(3)?.ego ?? {};
			for (let k = 0; corners && k < corners.length; k += 2)
				corners[k] = (corners[k] ?? 0) + 8;
		});
		await page.getByRole("button", { name: "Difference" }).click();
		await page.getByText("black where equal to vectors").waitFor();
		expect((await drawn(page)).bright).toBeGreaterThan(image.bright * 1.3);
	});

	it("shows pixel and world coordinates under the pointer, and pixels in the picture", async () => {
		const { page } = await selected();
		const image = page.locator("bev-raster canvas");
		const box = await image.boundingBox();
		if (!box) throw new Error("there is no image");
		await image.hover({ position: { x: box.width / 4, y: box.height / 2 } });
		await page.getByText(/^px 29\.\d, 29\.\d · world /).waitFor();
		await page.getByLabel("Axes of coordinates").selectOption("raster");
		await app.still(page);
		await page.locator("bev-scene-view").hover(); // the picture's centre
		await page
			.locator(".place", { hasText: /^x (29|30)\.\d+ y (29|30)\.\d+$/ })
			.waitFor();
	});

	it("is enlarged in a dialog synchronized with time", async () => {
		const { page, complaints } = await selected();
		await page.getByRole("button", { name: "Enlarge" }).click();
		const dialog = page.getByRole("dialog");
		const large = dialog.getByRole("img", { name: "Raster: " });
		const box = await large.boundingBox();
		expect(box?.width).toBeGreaterThan(800);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(4));
		await shows(page, 4);
		await dialog.getByText(/^frame 4 /).waitFor();
		const same = await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const root = viewer?.renderRoot.querySelector("bev-raster")?.renderRoot;
			const [small, big] = [...(root?.querySelectorAll("canvas") ?? [])];
			return small?.toDataURL() === big?.toDataURL() && small?.width === big?.width;
		});
		expect(same).toBe(true);
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "detached" });
		expect((await app.stateOf(page)).selection).toBe("ego");
		expect(complaints).toEqual([]);
	});

	it("draws its footprint in the picture on request", async () => {
		const { page } = await selected();
		const pixels = () =>
			page.evaluate(() => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				return viewer?.renderRoot.querySelector("bev-scene-view")?.canvas?.toDataURL();
			});
		await app.still(page);
		const plain = await pixels();
		const footprint = page.getByRole("button", { name: "Footprint" });
		await footprint.click();
		await expect.poll(pixels).not.toBe(plain);
		await footprint.click();
		await expect.poll(pixels).toBe(plain);
	});

	it("lists history, targets, availabilities and matrices of the sample", async () => {
		const { page } = await selected();
		await page.getByText("Targets", { exact: true }).click();
		const targets = page.getByRole("table", { name: "Targets" });
		const head = await targets.getByRole("columnheader").allInnerTexts();
		expect(head).toEqual(["Step", "positions", "yaws", "availabilities"]);
		// The ego moves 2 m per frame; two of six frames follow frame 3.
		const rows = await targets.getByRole("row").allInnerTexts();
		const available = rows.slice(1).map((row) => row.trim().split(/\s+/).at(-1));
		expect(available.filter((value) => value === "1")).toHaveLength(2);
		await page.getByText("Matrices", { exact: true }).click();
		const matrix = page.getByRole("table", { name: "raster_from_agent" });
		expect(await matrix.getByRole("row").count()).toBe(3);
		await page.getByText("History", { exact: true }).click();
		await page.getByRole("table", { name: "History" }).waitFor();
	});

	it("loads another config, reports an invalid one, and continues", async () => {
		const { page, complaints } = await selected();
		const choose = (name: string, text: string) =>
			page.getByLabel("Open a config").setInputFiles({
				name,
				mimeType: "text/plain",
				buffer: Buffer.from(text),
			});
		await choose("broken.json", JSON.stringify({ ...CONFIG, raster_params: {} }));
		await page.getByText(/config: .*map_type/).waitFor();
		// An invalid config has no channels, and the previous ones are removed.
		expect(await page.getByRole("combobox", { name: "Channel" }).count()).toBe(0);
		await choose("mine.yaml", yamlOf(CONFIG));
		await page.waitForFunction(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			return viewer?.controller?.state.raster.picture?.pixels.width === 64;
		});
		await page.getByRole("combobox", { name: "Config" }).selectOption("boxes");
		await page.getByText("RGB of 22 channels").waitFor({ state: "attached" });
		expect(complaints).toEqual([]);
	});

	it("saves the model's input", async () => {
		const { page } = await selected();
		const folder = mkdtempSync(join(tmpdir(), "sample-"));
		try {
			const saving = page.waitForEvent("download");
			await page.getByRole("button", { name: "Save sample as .npz" }).click();
			const download = await saving;
			expect(download.suggestedFilename()).toBe("scene-0-frame-3-ego.npz");
			await download.saveAs(join(folder, "sample.npz"));
			const arrays = readNpz(join(folder, "sample.npz"));
			expect(arrays.get("image")?.dtype).toBe("<f4");
			expect(arrays.get("image")?.shape).toEqual([6, 60, 120]);
			expect(arrays.get("target_positions")?.shape).toEqual([3, 2]);
			// East at 10 m/s; the scene ends after two more frames.
			const x = Array.from(arrays.get("target_positions")?.data ?? [], Number);
			expect(x[0]).toBeCloseTo(1, 4);
			expect(x[2]).toBeCloseTo(2, 4);
			const there = arrays.get("target_availabilities")?.data ?? [];
			expect(Array.from(there, Number)).toEqual([1, 1, 0]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it("works alone on a shared controller", async () => {
		const { page } = await selected();
		const alone = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const raster = document.createElement("bev-raster");
			raster.controller = viewer?.controller;
			document.querySelector("main")?.append(raster);
			viewer?.renderRoot.querySelector("bev-raster")?.remove();
			await raster.updateComplete;
			viewer?.controller?.step(1);
			return raster.renderRoot.querySelector("canvas") !== null;
		});
		expect(alone).toBe(true);
		await shows(page, 4);
		expect((await app.stateOf(page)).frame).toBe(4);
	});
});

/** Returns the config as YAML, with rasters of 64 by 32 pixels. */
function yamlOf(config: typeof CONFIG): string {
	const sized = { ...config.raster_params, raster_size: [64, 32] };
	const section = (of: object) =>
		Object.entries(of).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`);
	return `model_params:\n${section(config.model_params).join("")}raster_params:\n${section(sized).join("")}`;
}
