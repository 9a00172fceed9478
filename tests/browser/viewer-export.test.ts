import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { SceneView } from "../../web/src/elements/scene-view/scene-view.js";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { launchWhole } from "../support/engines.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer(undefined, launchWhole);

/**
 * Returns duration, size, and first and last picture of `video` as played by the
 * browser.
 */
function watched(page: Page, video: Buffer, ending: string) {
	return page.evaluate(
		async ([base64, kind]) => {
			const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
			const video = document.createElement("video");
			const happens = (name: string) =>
				new Promise((resolve, reject) => {
					video.addEventListener(name, resolve, { once: true });
					video.onerror = () => reject(new Error(video.error?.message));
				});
			const loaded = happens("loadeddata");
			video.src = URL.createObjectURL(new Blob([bytes], { type: `video/${kind}` }));
			await loaded;
			const canvas = document.createElement("canvas");
			canvas.width = video.videoWidth;
			canvas.height = video.videoHeight;
			const ends: string[] = [];
			for (const at of [0.01, video.duration - 0.01]) {
				const there = happens("seeked");
				// After a seek, the frame is not displayed yet.
				const shown = new Promise((resolve) =>
					video.requestVideoFrameCallback(resolve),
				);
				video.currentTime = at;
				await Promise.all([there, shown]);
				canvas.getContext("2d")?.drawImage(video, 0, 0);
				ends.push(canvas.toDataURL());
			}
			const { duration, videoWidth: width, videoHeight: height } = video;
			return { duration, width, height, ends };
		},
		[video.toString("base64"), ending] as const,
	);
}

/**
 * Returns the time in seconds of each frame of `video`, the number of key frames, and
 * the size.
 */
async function pictures(video: Buffer) {
	const input = new Input({ source: new BufferSource(video), formats: ALL_FORMATS });
	const track = await input.getPrimaryVideoTrack();
	if (!track) throw new Error("there is no video");
	const times: number[] = [];
	let keys = 0;
	for await (const packet of new EncodedPacketSink(track).packets()) {
		times.push(packet.timestamp);
		if (packet.type === "key") keys += 1;
	}
	const size = [await track.getCodedWidth(), await track.getCodedHeight()];
	input.dispose();
	return { times, keys, size };
}

/** Marks the first frames of the scene as the section to record. */
function markFrames(page: Page, end: number): Promise<void> {
	return page.evaluate((last) => {
		const { controller } = document.querySelector<Viewer>("bev-viewer") ?? {};
		controller?.setSection({ begin: 0, end: last });
	}, end);
}

/** Rounds down to an even size, as encoders require. */
const even = (size = 0): number => size - (size % 2);

/** Returns the canvas size in canvas pixels, and the size of its box. */
function sizes(page: Page): Promise<{ canvas: number[]; room: number[] }> {
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const view = viewer?.renderRoot.querySelector<SceneView>("bev-scene-view");
		if (!view?.canvas) throw new Error("there is no picture");
		const { width, height } = view.canvas;
		return { canvas: [width, height], room: [view.clientWidth, view.clientHeight] };
	});
}

async function openExport(page: Page): Promise<void> {
	await app.focusPicture(page);
	await page.keyboard.press("e");
	await page.getByRole("heading", { name: "Export" }).waitFor();
}

describe("export", () => {
	it("saves the image and the selected track's positions", async () => {
		const { page, complaints } = await app.openMade(suite);
		await app.buffered(page, 248);
		await page.getByRole("button", { name: "L3" }).first().click();
		const { selection } = await app.stateOf(page);
		await openExport(page);
		const [name, png] = await app.saved(page, "Save PNG");
		expect(name).toBe("scene-0-frame-0.png");
		expect(png.subarray(1, 4).toString()).toBe("PNG");
		const box = await page.locator("bev-scene-view").boundingBox();
		expect(png.readUInt32BE(16)).toBe(box?.width);
		const [csvName, csv] = await app.saved(page, "Save CSV");
		expect(csvName).toBe(`scene-0-track-${selection}.csv`);
		expect(csv.toString().trim().split("\r\n").length).toBe(249);
		const [, json] = await app.saved(page, "Save JSON");
		expect(JSON.parse(json.toString()).rows.length).toBe(248);
		expect(complaints).toEqual([]);
	});

	it("records each frame of the section once, timed as recorded", async () => {
		suite.server.csp = `${app.APP_CSP}; media-src blob:`;
		const { page, complaints } = await app.openMade(suite);
		await page.evaluate(() => {
			const { controller } = document.querySelector<Viewer>("bev-viewer") ?? {};
			controller?.setSection({ begin: 20, end: 32 });
			controller?.seek(5);
		});
		await openExport(page);
		const box = await page.locator("bev-scene-view").boundingBox();
		const size = [even(box?.width), even(box?.height)];
		for (const [kind, ending] of [
			["WebM", "webm"],
			["MP4", "mp4"],
		]) {
			const [name, video] = await app.saved(page, `Save ${kind}`);
			expect(name).toBe(`scene-0-frames-20-31.${ending}`);
			const { times, keys } = await pictures(video);
			// In order of decoding, which differs from that of display in Firefox's MP4.
			expect(times.sort((a, b) => a - b).map((time) => time.toFixed(2))).toEqual(
				Array.from({ length: 12 }, (_, k) => (k / 10).toFixed(2)),
			);
			expect(keys).toBeGreaterThan(0);
			const { duration, width, height, ends } = await watched(page, video, `${ending}`);
			expect(duration).toBeCloseTo(1.2, 2);
			expect([width, height]).toEqual(size);
			// First and last frame are both present and different.
			expect(ends[0]).not.toBe(ends[1]);
			await page.getByRole("button", { name: `Save ${kind}` }).waitFor();
		}
		expect((await app.stateOf(page)).frame).toBe(5);
		expect(complaints).toEqual([]);
	}, 120_000);

	it("keeps the video's size if the picture is resized while recording", async () => {
		const { page, complaints } = await app.openMade(suite);
		await app.still(page);
		const { canvas: before } = await sizes(page);
		await markFrames(page, 40);
		await openExport(page);
		const saving = app.saved(page, "Save WebM");
		await page.getByText(/^[1-9]\d* of 40$/).waitFor();
		await page.setViewportSize({ width: 1100, height: 700 });
		const [, video] = await saving;
		const { times, size } = await pictures(video);
		expect(times.length).toBe(40);
		expect(size).toEqual(before.map(even));
		await app.drawn(page);
		const { canvas, room } = await sizes(page);
		expect(canvas).toEqual(room);
		expect(canvas).not.toEqual(before);
		expect(complaints).toEqual([]);
	});

	it("records without animation frames, as in a hidden tab", async () => {
		const { page, complaints } = await app.openMade(suite);
		await markFrames(page, 40);
		await openExport(page);
		await page.evaluate(() => {
			window.requestAnimationFrame = () => 0;
		});
		const [, video] = await app.saved(page, "Save WebM");
		expect((await pictures(video)).times.length).toBe(40);
		expect(complaints).toEqual([]);
	});

	it("rejects a second recording of a viewer", async () => {
		const { page } = await app.openMade(suite);
		const said = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			viewer?.controller?.setSection({ begin: 20, end: 32 });
			const videos = [viewer?.record(), viewer?.record()];
			return (await Promise.allSettled(videos)).map((video) =>
				video.status === "fulfilled" ? video.value?.type : video.reason.message,
			);
		});
		// In either order, after the export code is loaded.
		expect(said.sort()).toEqual([
			"video/webm",
			"video: this viewer is already recording",
		]);
	});

	it("rejects the recording if the user seeks", async () => {
		const { page } = await app.openMade(suite);
		const said = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			viewer?.controller?.setSection({ begin: 20, end: 60 });
			const video = viewer?.record({
				onProgress: ({ done }) => {
					// Seeks while the next frame is being drawn, as a key or the page's code
					// would.
					if (done === 5) queueMicrotask(() => viewer.seek(7));
				},
			});
			return video?.then(
				({ size }) => `${size} bytes`,
				({ code, message }) => `${code}: ${message}`,
			);
		});
		expect(said).toMatch(/^invalid_argument: video: unexpected frame displayed/);
	});

	it("can be cancelled while a frame is pending", async () => {
		suite.server.fault({ match: /tiny\.zarr\/agents\/[3-9]$/, delayMs: 600_000 });
		const { page } = await app.openPictured(suite);
		const said = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const control = new AbortController();
			const video = viewer?.record({ signal: control.signal });
			setTimeout(() => control.abort(new Error("enough")), 50);
			return video?.then(
				() => "made",
				({ message }) => message,
			);
		});
		expect(said).toBe("enough");
	});

	it("disables formats that the browser cannot encode", async () => {
		const { page } = await app.openMade(suite);
		await page.evaluate(() => {
			const { isConfigSupported } = VideoEncoder;
			VideoEncoder.isConfigSupported = async (config) => {
				const answer = await isConfigSupported.call(VideoEncoder, config);
				return config.codec.startsWith("avc1")
					? { ...answer, supported: false }
					: answer;
			};
		});
		await openExport(page);
		await expect
			.poll(() => page.getByRole("button", { name: "Save WebM" }).isEnabled())
			.toBe(true);
		expect(await page.getByRole("button", { name: "Save MP4" }).isDisabled()).toBe(
			true,
		);
	});

	it("restores the frame after a cancelled recording", async () => {
		const { page } = await app.openMade(suite);
		await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.controller?.seek(7),
		);
		await openExport(page);
		await page.getByRole("button", { name: "Save WebM" }).click();
		await page.getByText(/^[1-9]\d* of 248$/).waitFor();
		await page.getByRole("button", { name: "Cancel" }).click();
		await page.getByRole("button", { name: "Save WebM" }).waitFor();
		expect((await app.stateOf(page)).frame).toBe(7);
	});
});
