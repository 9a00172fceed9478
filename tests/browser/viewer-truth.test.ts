import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { TINY, tinyDataset } from "../support/tiny-dataset.js";
import * as app from "./viewer-harness.js";

const FRAMES = 248;
const SOURCE = "/data/long.zarr";
/** Four frames of agents per chunk. */
const SIZE = { scenes: 2, framesPerScene: FRAMES, rowsPerChunk: 12 };
/** More frames than the viewer keeps in memory. */
const LONGER = "/data/longer.zarr";
const LARGE = { scenes: 1, framesPerScene: 600, rowsPerChunk: 60 };
/**
 * Contains frames 100 to 103; speeds in frame 99 and the trails of the next 25 frames
 * need it too.
 */
const DAMAGED = "agents/25";

const suite = app.useViewer(() => {
	const objects = new Map<string, Uint8Array>();
	for (const [key, bytes] of tinyDataset(SIZE)) objects.set(`${SOURCE}/${key}`, bytes);
	for (const [key, bytes] of tinyDataset(LARGE)) objects.set(`${LONGER}/${key}`, bytes);
	return { objects };
});

const open = async (link = ""): Promise<Page> => {
	const { page } = await app.openApp(suite, { link: `v=1&src=${SOURCE}${link}` });
	return page;
};

const alertOf = (page: Page, words: string) =>
	page.getByRole("alert").getByText(words, { exact: true });
const table = (page: Page) => page.getByRole("region", { name: "Agents" });
const lights = (page: Page) => page.getByRole("region", { name: "Layers and lights" });

/** Largest difference of the grid's colour from the ground's, in one channel. */
const GRID = 32;

/** Returns whether the picture shows anything but ground and grid: ego, agents, roads. */
function isPainted(page: Page): Promise<boolean> {
	return page.evaluate((grid) => {
		const canvas = document
			.querySelector<Viewer>("bev-viewer")
			?.renderRoot.querySelector("bev-scene-view")?.canvas;
		const bytes = canvas
			?.getContext("2d")
			?.getImageData(0, 0, canvas.width, canvas.height).data;
		return (
			bytes?.some((value, i) => Math.abs(value - (bytes[i % 4] ?? 0)) > grid) ?? false
		);
	}, GRID);
}

/** Checks that nothing of a frame is on screen: no picture, rows, counts or lights. */
async function expectNothing(page: Page): Promise<void> {
	await page.evaluate(() => new Promise(requestAnimationFrame));
	expect(await isPainted(page)).toBe(false);
	expect(await table(page).locator("tbody tr").count()).toBe(0);
	expect(await page.getByText(/No agents pass|in this frame|\d+ faces?$/).count()).toBe(
		0,
	);
}

/** Returns where the picture has the ego vehicle, in whole pixels, at a frame. */
async function egoInView(page: Page, frame?: number): Promise<readonly number[]> {
	const controller = await app.controllerOf(page);
	if (frame !== undefined) {
		await controller.evaluate((it, to) => it.seek(to), frame);
		await app.settled(page);
	}
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const { shown, partial } = viewer?.controller?.state ?? {};
		const view = viewer?.renderRoot.querySelector("bev-scene-view")?.target;
		const [x = Number.NaN, y = Number.NaN] = (shown ?? partial)?.ego.centroid ?? [];
		if (!view) return [];
		const { pixelsPerMetre } = view;
		return [x - view.x, y - view.y].map((metres) =>
			Math.round(metres * pixelsPerMetre),
		);
	});
}

/** Checks that no agent is on screen: no rows and no counts; the ego is drawn. */
async function expectNoAgents(page: Page): Promise<void> {
	await page.evaluate(() => new Promise(requestAnimationFrame));
	expect(await isPainted(page)).toBe(true);
	expect(await table(page).locator("tbody tr").count()).toBe(0);
	expect(await page.getByText(/No agents pass|in this frame/).count()).toBe(0);
	const picture = page.getByRole("img", { name: "Picture: Agents of frame" });
	expect(await picture.count()).toBe(1);
	expect(await picture.getAttribute("class")).not.toContain("stale");
}

describe("a corrupt chunk", () => {
	it("of agents leaves the ego, the lights and the plots", async () => {
		suite.server.fault({ match: new RegExp(`${DAMAGED}$`), truncateTo: 10 });
		const page = await open("&f=100");
		await alertOf(page, "Agents of frame 100 cannot be read").waitFor();
		await page.getByText(`${DAMAGED}`, { exact: false }).first().waitFor();
		await expectNoAgents(page);
		await table(page).getByText("Agents of frame 100 cannot be read").waitFor();
		await lights(page).getByText("light-0").waitFor();
		// The whole scene, whose other chunks are intact, has the ego's motion and lights.
		await page.locator("[data-light=light-0]").waitFor();
		await page.locator("bev-timeline").getByText("agents unknown").waitFor();
		expect(await page.locator("bev-plots path").count()).toBeGreaterThan(0);
		const [there, elsewhere] = [await egoInView(page), await egoInView(page, 160)];
		expect(there).toEqual(elsewhere);
		// Frames that do not need the chunk are complete.
		const slider = page.getByRole("slider", { name: "Frame" });
		for (const frame of [98, 160]) {
			const controller = await app.controllerOf(page);
			await controller.evaluate((it, to) => it.seek(to), frame);
			await app.settled(page);
			expect(await app.stateOf(page)).toMatchObject({ frame, shown: frame });
		}
		await slider.press("Home");
		await app.drawn(page);
		expect(await isPainted(page)).toBe(true);
		expect(await table(page).locator("tbody tr").count()).toBeGreaterThan(0);
		expect(await page.locator("rect.unread").count()).toBe(1);
	});

	it.each([
		["damaged", { truncateTo: 10 }],
		["refused by the server", { status: 403 }],
	] as const)(
		"is requested once if it is %s, during playing and seeking",
		async (_, how) => {
			suite.server.fault({ match: new RegExp(`${DAMAGED}$`), ...how });
			const page = await open("&f=100");
			await alertOf(page, "Agents of frame 100 cannot be read").waitFor();
			const controller = await app.controllerOf(page);
			// Everything is read except the frames that need the chunk.
			await page.waitForFunction(
				({ state: { buffered, unreadable } }) =>
					buffered.length === 2 && buffered[1]?.end === 248 && unreadable.length === 1,
				controller,
			);
			await controller.evaluate(async (it) => {
				for (let frame = 90; frame < 140; frame += 1) it.seek(frame);
				for (let k = 0; k < 20; k += 1) it.step(-1);
				it.setSpeed(8);
				for (let k = 0; k < 5; k += 1) {
					it.seek(95);
					it.play();
					while (it.state.playing) await new Promise((done) => setTimeout(done, 20));
					it.play();
					while (it.state.playing) await new Promise((done) => setTimeout(done, 20));
				}
			});
			const asked = () => suite.server.log.filter(({ path }) => path.endsWith(DAMAGED));
			expect(asked().length).toBeLessThanOrEqual(2);
			await controller.evaluate((it) => it.seek(100));
			await page.getByRole("button", { name: "Try again" }).click();
			await alertOf(page, "Agents of frame 100 cannot be read").waitFor();
			expect(asked().length).toBeLessThanOrEqual(4);
		},
	);

	it("is read again on request", async () => {
		suite.server.fault({ match: new RegExp(`${DAMAGED}$`), status: 403 });
		const page = await open("&f=100");
		await alertOf(page, "Agents of frame 100 cannot be read").waitFor();
		suite.server.reset();
		await page.getByRole("button", { name: "Try again" }).click();
		await app.drawn(page);
		expect(await app.stateOf(page)).toMatchObject({ frame: 100, shown: 100 });
		expect(await isPainted(page)).toBe(true);
		await expect.poll(() => page.locator("rect.unread").count()).toBe(0);
	});

	it("stops playback with a notice; playing again skips it", async () => {
		suite.server.fault({ match: new RegExp(`${DAMAGED}$`), truncateTo: 10 });
		const page = await open("&f=95");
		await app.settled(page);
		const controller = await app.controllerOf(page);
		await page.waitForFunction((it) => it.state.unreadable.length === 1, controller);
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await alertOf(page, "Agents of frame 99 cannot be read").waitFor();
		await expectNoAgents(page);
		expect(await app.stateOf(page)).toMatchObject({ playing: false, frame: 99 });
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await page.getByText(/Frames 99 to \d+ skipped: read failed/).waitFor();
		await page.waitForFunction((it) => (it.state.shown?.frame ?? 0) > 103, controller);
	});
});

describe("a data set that is replaced on the server", () => {
	it("offers Open again", async () => {
		const page = await open("&f=7");
		await app.settled(page);
		const key = "agents/.zarray";
		const before = tinyDataset(SIZE).get(key) ?? new Uint8Array();
		suite.server.put(`${SOURCE}/${key}`, `${new TextDecoder().decode(before)} `);
		const later = new Date(Date.now() + 3_600_000).toUTCString();
		const headers = { "Last-Modified": later };
		suite.server.fault({ match: /long\.zarr\/(frames|agents)\/\d/, headers });
		await page.getByRole("button", { name: "Next scene" }).click();
		await page.getByText("The data changed", { exact: false }).first().waitFor();
		expect(await page.getByText("Access-Control").count()).toBe(0);
		expect(await app.stateOf(page)).toMatchObject({ scene: 1, shown: undefined });
		await page.getByRole("button", { name: "Open again" }).click();
		await expect.poll(async () => (await app.stateOf(page)).shown).toBe(0);
		expect(await app.stateOf(page)).toMatchObject({ scene: 1, frame: 0 });
		suite.server.put(`${SOURCE}/${key}`, before);
	});
});

describe("a lost connection", () => {
	it("never displays one scene's data under another's number, and resumes when online", async () => {
		const page = await open();
		await app.settled(page);
		expect(await isPainted(page)).toBe(true);
		// All scene records are read with the first one; only the next scene's frames fail.
		suite.server.fault({ match: /long\.zarr\/(frames|agents)\//, status: 503 });
		await page.context().setOffline(true);
		await page.getByRole("button", { name: "Next scene" }).click();
		await page
			.getByText(/(Scene 1|Frame 0) cannot be read/)
			.first()
			.waitFor();
		expect(await app.stateOf(page)).toMatchObject({ scene: 1, shown: undefined });
		await expectNothing(page);
		suite.server.reset();
		await page.context().setOffline(false);
		// Until the page hears that it is online, the failure is what it settled on.
		await expect.poll(async () => (await app.stateOf(page)).shown).toBe(0);
		await app.drawn(page);
		expect(await app.stateOf(page)).toMatchObject({ scene: 1, frame: 0, shown: 0 });
		expect(await isPainted(page)).toBe(true);
	});
});

describe("light rows of a scene longer than the frame cache", () => {
	it("show all frames at constant height for any playhead", async () => {
		const { page } = await app.openApp(suite, { link: `v=1&src=${LONGER}` });
		await app.settled(page);
		const row = page.locator("[data-light=light-0]");
		await row.waitFor();
		const controller = await app.controllerOf(page);
		const heights = new Set<number | undefined>();
		for (const frame of [0, 300, 599]) {
			await controller.evaluate((it, to) => it.seek(to), frame);
			await app.settled(page);
			// Each frame is a run: lit in even frames, unknown in odd ones.
			expect(await row.locator("rect.run.lit").count()).toBe(300);
			expect(await row.locator("rect.run.unknown").count()).toBe(300);
			const words = frame % 2 === 0 ? "active, colour unknown" : "state unknown";
			await page
				.getByRole("img", {
					name: new RegExp(`^Light light-0: ${words}.* at this frame$`),
				})
				.waitFor();
			heights.add((await page.locator("bev-timeline").boundingBox())?.height);
		}
		expect(heights.size).toBe(1);
		expect(await app.stateOf(page)).toMatchObject({ shown: 599 });
	});
});

/** Holds reads of frames from `begin` on until the returned function is called. */
async function holdFrames(page: Page, begin: number): Promise<() => Promise<void>> {
	const controller = await app.controllerOf(page);
	const gate = await controller.evaluateHandle(({ state: { dataset } }, from) => {
		let open = (): void => {};
		const opened = new Promise<void>((done) => {
			open = done;
		});
		const read = dataset?.frame.bind(dataset);
		if (dataset && read)
			dataset.frame = async (scene, frame, options) => {
				if (frame >= from) await opened;
				return read(scene, frame, options);
			};
		return { open };
	}, begin);
	return () => gate.evaluate(({ open }) => open());
}

describe("a table of a track", () => {
	const LAST = "agents/29";
	const openLong = async (damaged = false): Promise<Page> => {
		if (damaged)
			suite.server.fault({ match: new RegExp(`longer.zarr/${LAST}$`), truncateTo: 10 });
		suite.server.fault({ match: /longer\.zarr\/agents/, bytesPerSecond: 60_000 });
		const { page } = await app.openApp(suite, { link: `v=1&src=${LONGER}&t=2` });
		await app.settled(page);
		await app.focusPicture(page);
		await page.keyboard.press("e");
		await page.getByRole("heading", { name: "Export" }).waitFor();
		return page;
	};

	it("contains every frame of the scene, also over a slow connection", async () => {
		const page = await openLong();
		const [name, csv] = await app.saved(page, "Save CSV");
		expect(name).toBe("scene-0-track-2.csv");
		const [, ...lines] = csv.toString().trim().split("\r\n");
		const [, json] = await app.saved(page, "Save JSON");
		const read = JSON.parse(json.toString());
		const rows = lines.map((line) => line.split(","));
		for (const table of [rows, read.rows.map(Object.values)]) {
			expect(table.map(([, frame]: unknown[]) => Number(frame))).toEqual(
				Array.from({ length: 600 }, (_, k) => k),
			);
			for (const [scene, frame, timestamp, track, x, y] of table) {
				expect([scene, track].map(String)).toEqual(["0", "2"]);
				expect(String(timestamp)).toBe(String(TINY.start + BigInt(frame) * TINY.step));
				// East at 10 m/s, 20 m north of the ego.
				expect(Number(x) - Number(table[0][4])).toBeCloseTo(Number(frame), 6);
				expect(Number(y)).toBe(Number(table[0][5]));
			}
		}
	});

	it("is not saved if cancelled or if a frame cannot be read", async () => {
		const page = await openLong(true);
		const files: string[] = [];
		page.on("download", (file) => files.push(file.suggestedFilename()));
		const cancel = page.getByRole("button", { name: "Cancel" });
		const csv = page.getByRole("button", { name: "Save CSV" });
		const open = await holdFrames(page, 400);
		await csv.click();
		await page.getByText(/^[1-9]\d* of 600 frames read$/).waitFor();
		await cancel.click();
		await open();
		await csv.waitFor();
		expect(await page.evaluate(() => document.activeElement?.localName)).toBe(
			"bev-viewer",
		);
		await csv.click();
		await page.getByText(/^Not saved: scene 0, frame 5\d\d: agents\/29/).waitFor();
		await csv.waitFor();
		expect(files).toEqual([]);
	});
});
