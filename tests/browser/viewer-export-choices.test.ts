import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

async function openExport(page: Page): Promise<void> {
	await app.focusPicture(page);
	await page.keyboard.press("e");
	await page.getByRole("heading", { name: "Export" }).waitFor();
}

/** Marks frames `begin` to `end - 1`, to export few frames. */
async function mark(page: Page, begin: number, end: number): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate((it, section) => it.setSection(section), { begin, end });
}

const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

/**
 * Returns the shares of differing pixels of two pictures, in the upper half and in the
 * lower left corner.
 */
function differences(page: Page, pictures: readonly Buffer[]) {
	return page.evaluate(
		async (all) => {
			const [a, b] = await Promise.all(
				all.map(async (base64) => {
					const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
					const image = await createImageBitmap(new Blob([bytes]));
					const canvas = new OffscreenCanvas(image.width, image.height);
					const ctx = canvas.getContext("2d");
					ctx?.drawImage(image, 0, 0);
					return ctx?.getImageData(0, 0, image.width, image.height);
				}),
			);
			if (!a || !b) throw new Error("no picture");
			const share = (x1: number, y0: number, y1: number) => {
				let [other, count] = [0, 0];
				for (let y = y0; y < y1; y += 1)
					for (let x = 0; x < x1; x += 1, count += 1)
						for (let c = 0; c < 3; c += 1) {
							const at = 4 * (y * a.width + x) + c;
							if (a.data[at] === b.data[at]) continue;
							other += 1;
							break;
						}
				return other / count;
			};
			const { width, height } = a;
			return {
				upper: share(width, 0, height / 2),
				corner: share(width / 4, Math.round(height * 0.9), height),
			};
		},
		pictures.map((png) => png.toString("base64")),
	);
}

async function trackOf(video: Buffer) {
	const input = new Input({ source: new BufferSource(video), formats: ALL_FORMATS });
	const track = await input.getPrimaryVideoTrack();
	if (!track) throw new Error("there is no video");
	const times: number[] = [];
	for await (const packet of new EncodedPacketSink(track).packets())
		times.push(packet.timestamp);
	const size = [await track.getCodedWidth(), await track.getCodedHeight()];
	input.dispose();
	return { times, size };
}

describe("the saved image", () => {
	it("names the sizes of the picture as the window is resized", async () => {
		const { page } = await app.openTiny(suite);
		await openExport(page);
		const shown = page
			.getByRole("combobox", { name: "Size" })
			.locator("option")
			.first();
		const before = await shown.textContent();
		await page.setViewportSize({ width: 900, height: 600 });
		await expect.poll(() => shown.textContent()).not.toBe(before);
		const size = await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const view = viewer?.renderRoot.querySelector("bev-scene-view");
			const { width, height } = view?.canvas ?? {};
			return `${width} × ${height}`;
		});
		await expect.poll(() => shown.textContent()).toContain(size);
	});

	it("has the chosen size; the picture keeps its own", async () => {
		const { page, complaints } = await app.openMade(suite);
		await openExport(page);
		const box = await page.locator("bev-scene-view").boundingBox();
		const shown = [box?.width ?? 0, box?.height ?? 0];
		const sizes = page.getByLabel("Size", { exact: true });
		for (const [name, expected] of [
			[
				`2 × (${2 * (shown[0] ?? 0)} × ${2 * (shown[1] ?? 0)})`,
				shown.map((s) => 2 * s),
			],
			["Full HD (1920 × 1080)", [1920, 1080]],
			["Square (1080 × 1080)", [1080, 1080]],
			[`Displayed (${shown.join(" × ")})`, shown],
		] as const) {
			await sizes.selectOption({ label: name });
			const [, png] = await app.saved(page, "Save PNG");
			expect(sizeOf(png)).toEqual(expected);
		}
		const canvas = await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const picture = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
			return [picture?.width, picture?.height];
		});
		expect(canvas).toEqual(shown);
		expect(complaints).toEqual([]);
	});

	it("contains time, scale and legend in a corner if chosen", async () => {
		const { page } = await app.openMade(suite);
		await app.still(page);
		await openExport(page);
		const [, plain] = await app.saved(page, "Save PNG");
		await page.getByLabel("Time, scale and legend").check();
		const [, told] = await app.saved(page, "Save PNG");
		expect(sizeOf(told)).toEqual(sizeOf(plain));
		const { upper, corner } = await differences(page, [plain, told]);
		expect(upper).toBe(0);
		expect(corner).toBeGreaterThan(0.3);
		await page.getByLabel("Time, scale and legend").uncheck();
		const [, again] = await app.saved(page, "Save PNG");
		expect(await differences(page, [plain, again])).toEqual({ upper: 0, corner: 0 });
	});

	it("can be copied in the chosen size", async () => {
		const { page } = await app.openMade(suite);
		const { origin } = suite.server;
		const rights = ["clipboard-read", "clipboard-write"];
		await page.context().grantPermissions(rights, { origin });
		await openExport(page);
		await page.getByLabel("Size", { exact: true }).selectOption("square");
		await page.getByRole("button", { name: "Copy image" }).click();
		await page.getByText("Image copied").waitFor();
		const size = await page.evaluate(async () => {
			const [item] = await navigator.clipboard.read();
			const image = await createImageBitmap(
				(await item?.getType("image/png")) ?? new Blob(),
			);
			return [image.width, image.height];
		});
		expect(size).toEqual([1080, 1080]);
	});

	it("is not copied if the browser forbids it, with a message", async () => {
		const { page } = await app.openMade(suite);
		await page.evaluate(() => {
			navigator.clipboard.write = () =>
				Promise.reject(new DOMException("Write permission denied.", "NotAllowedError"));
		});
		await openExport(page);
		await page.getByRole("button", { name: "Copy image" }).click();
		await page.getByText("Not copied: Write permission denied.").waitFor();
	});
});

describe("the saved video", () => {
	it("has the chosen size and speed", async () => {
		const { page, complaints } = await app.openMade(suite);
		await mark(page, 20, 32);
		await openExport(page);
		await page.getByLabel("Size", { exact: true }).selectOption("720p");
		await page.getByLabel("Video speed").selectOption("2");
		await page.getByLabel("Time, scale and legend").check();
		const [, video] = await app.saved(page, "Save WebM");
		const { times, size } = await trackOf(video);
		expect(size).toEqual([1280, 720]);
		expect(times.map((time) => time.toFixed(2))).toEqual(
			Array.from({ length: 12 }, (_, k) => (k / 20).toFixed(2)),
		);
		expect(complaints).toEqual([]);
	});

	it("takes size, speed and caption from a page; rejects invalid ones", async () => {
		const { page } = await app.openMade(suite);
		await mark(page, 0, 4);
		const said = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const size = { width: 320, height: 180 };
			const video = await viewer?.record({ size, speed: 4, caption: true });
			const bad = [{ speed: 0 }, { size: { width: -4, height: 180 } }].map((options) =>
				viewer?.record(options).then(String, ({ message }) => message),
			);
			const told: number[] = [];
			const gif = await viewer?.record({
				...{ size, format: "gif", speed: 0.5 },
				onProgress: ({ done, of }) => told.push(done / of),
			});
			return [video?.type, ...(await Promise.all(bad)), gif?.type, told.at(-1)];
		});
		expect(said).toEqual([
			"video/webm",
			"video: speed must be above 0 (found 0)",
			"image: unsupported size (found -4 × 180, expected sides from 1 to 8192)",
			"image/gif",
			1,
		]);
	});

	it("Escape stops the recording only after confirmation; nothing is saved", async () => {
		suite.server.fault({ match: /tiny\.zarr\/agents\/[3-9]$/, delayMs: 600_000 });
		const { page } = await app.openPictured(suite);
		const files: string[] = [];
		page.on("download", (file) => files.push(file.suggestedFilename()));
		await openExport(page);
		await page.getByRole("button", { name: "Save WebM" }).click();
		const question = page.getByRole("alertdialog", { name: /^Stop the video\?/ });
		await page.getByRole("progressbar", { name: "Frames recorded" }).waitFor();
		await page.keyboard.press("Escape");
		await question.waitFor();
		// A second press dismisses the question; the export continues.
		await page.keyboard.press("Escape");
		await question.waitFor({ state: "detached" });
		await page.getByRole("progressbar", { name: "Frames recorded" }).waitFor();
		await page.getByRole("button", { name: "Close" }).click();
		await question.waitFor();
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("progressbar", { name: "Frames recorded" }).waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Stop", exact: true }).click();
		await page.getByRole("button", { name: "Save WebM" }).waitFor();
		expect(await page.getByRole("heading", { name: "Export" }).isVisible()).toBe(true);
		await page.keyboard.press("Escape");
		await page.getByRole("heading", { name: "Export" }).waitFor({ state: "hidden" });
		expect(files).toEqual([]);
	});
});

describe("the table of all agents", () => {
	it("contains the displayed frame, or every frame of the scene", async () => {
		const { page, complaints } = await app.openMade(suite);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(84));
		await app.settled(page);
		const shown = await controller.evaluate(({ state }) => [
			state.shown?.frame,
			state.shown?.agents.length,
		]);
		await openExport(page);
		const [name, csv] = await app.saved(page, "Save CSV");
		expect(name).toBe("scene-0-frame-84-agents.csv");
		const [heading, ...rows] = csv.toString().trim().split("\r\n");
		expect(heading).toMatch(
			/^scene,frame,timestamp,track,x,y,yaw,velocity_x,velocity_y,/,
		);
		expect([84, rows.length - 1]).toEqual(shown);
		await page.getByLabel("Table contents").selectOption("scene");
		const [all, json] = await app.saved(page, "Save JSON");
		expect(all).toBe("scene-0-agents.json");
		const read = JSON.parse(json.toString());
		expect(read).toMatchObject({ scene: 0, frames: [0, 247], track: "all" });
		const frames = new Set(read.rows.map(({ frame }: { frame: number }) => frame));
		expect(frames.size).toBe(248);
		const tracks = read.rows.filter(({ frame }: { frame: number }) => frame === 84);
		expect(tracks.length).toBe(rows.length);
		expect(complaints).toEqual([]);
	});
});
