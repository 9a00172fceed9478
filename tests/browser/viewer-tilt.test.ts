import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { differing, keep } from "./pixels.js";
import * as app from "./viewer-harness.js";

const town = fileURLToPath(new URL("../../build/town", import.meta.url));
const suite = app.useViewer(() => ({ folders: { "/town/": town } }));
const TOWN = "v=1&src=/town/scenes/town.zarr&f=80";
const STILL = { reducedMotion: true } as const;

const openTown = (options: app.OpenOptions = {}, link = "") =>
	app.openApp(suite, { ...STILL, ...options, link: `${TOWN}${link}` });

/** The camera's tilt in degrees. */
const tiltOf = async (page: Page) =>
	Math.round((((await app.stateOf(page)).camera.tilt ?? 0) * 180) / Math.PI);

async function middle(page: Page): Promise<{ x: number; y: number }> {
	await app.still(page);
	const box = await page.locator("bev-scene-view").boundingBox();
	if (!box) throw new Error("there is no picture");
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags with the mouse by (dx, dy), in steps. */
async function drag(page: Page, dx: number, dy: number, button: "left" | "right") {
	const { x, y } = await middle(page);
	await page.mouse.move(x, y);
	await page.mouse.down({ button });
	await page.mouse.move(x + dx, y + dy, { steps: 10 });
	await page.mouse.up({ button });
}

/** Fingers move from places beside the picture's centre by `by`, and release. */
async function fingers(page: Page, by: readonly (readonly [number, number])[]) {
	const { x, y } = await middle(page);
	const session = await page.context().newCDPSession(page);
	const at = (share: number) =>
		by.map(([dx, dy], id) => ({
			...{ id, x: x + 60 * (id - 0.5) + dx * share, y: y + dy * share },
		}));
	const send = (
		type: "touchStart" | "touchMove" | "touchEnd",
		touchPoints: ReturnType<typeof at>,
	) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
	await send("touchStart", at(0));
	for (let k = 1; k <= 10; k += 1) await send("touchMove", at(k / 10));
	await send("touchEnd", []);
	await session.detach();
}

describe("the tilt", () => {
	it("is set by button, keys and list of commands, and announced", async () => {
		const { page, complaints } = await openTown();
		await app.still(page);
		await keep(page, "flat");
		const button = page.getByRole("button", { name: "Tilt", exact: true });
		await button.click();
		await app.drawn(page);
		expect(await tiltOf(page)).toBe(45);
		expect(await button.getAttribute("aria-pressed")).toBe("true");
		await keep(page, "tilted");
		expect(await differing(page, "flat", "tilted", 8)).toBeGreaterThan(50);
		await app.focusPicture(page);
		await page.keyboard.press("v");
		await app.drawn(page);
		expect(await tiltOf(page)).toBe(0);
		await keep(page, "again");
		// Drawn again or from a bitmap: lines at its edge differ in a few pixels.
		expect(await differing(page, "flat", "again", 8)).toBeLessThan(1);
		for (const angle of [10, 20, 30, 40, 50, 60, 60]) {
			await page.keyboard.press("Alt+Shift+ArrowUp");
			expect(await tiltOf(page)).toBe(angle);
		}
		expect((await app.stateOf(page)).announcement).toBe("Tilted by 60 degrees");
		await page.keyboard.press("Alt+Shift+ArrowDown");
		expect(await tiltOf(page)).toBe(50);
		await page.keyboard.press("Alt+Shift+ArrowLeft");
		const { rotation } = (await app.stateOf(page)).camera;
		expect(rotation).toBeCloseTo(Math.PI / 18, 6);
		await page.keyboard.press("0");
		expect(await tiltOf(page)).toBe(0);
		await page.keyboard.press("Control+k");
		await page.getByRole("dialog").waitFor();
		await page.keyboard.type("tilt the picture");
		await page.keyboard.press("Enter");
		await expect.poll(() => tiltOf(page)).toBe(45);
		expect(complaints).toEqual([]);
	});

	it.each([
		["in 120 ms", false],
		["at once with reduced motion", true],
	])("changes %s", async (_, reducedMotion) => {
		const { page } = await openTown({ reducedMotion });
		await app.drawn(page);
		await app.focusPicture(page);
		const seen = page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const picture = viewer?.renderRoot.querySelector("bev-scene-view");
			const tilts: number[] = [];
			for (let tilt = 0; tilt < 0.785; ) {
				await new Promise(requestAnimationFrame);
				tilt = picture?.view.tilt ?? 0;
				tilts.push(tilt);
			}
			return tilts.filter((tilt) => tilt > 0 && tilt < 0.785).length;
		});
		await page.keyboard.press("v");
		if (reducedMotion) expect(await seen).toBe(0);
		else expect(await seen).toBeGreaterThan(0);
	});

	it("is dragged with the right button or Ctrl; sideways rotates only", async () => {
		const { page, complaints } = await openTown();
		await app.drawn(page);
		await drag(page, 20, -100, "right");
		expect(await tiltOf(page)).toBe(30);
		expect((await app.stateOf(page)).camera.rotation).toBe(0);
		await drag(page, 60, 20, "right");
		expect(await tiltOf(page)).toBe(30);
		expect((await app.stateOf(page)).camera.rotation).not.toBe(0);
		await page.keyboard.down("Control");
		await drag(page, 0, 40, "left");
		expect(await tiltOf(page)).toBe(18);
		await page.keyboard.up("Control");
		expect(complaints).toEqual([]);
	});

	it("is reset by a double click with Ctrl, which zooms without it", async () => {
		const { page } = await openTown({}, "&ti=0.5");
		await app.drawn(page);
		const { x, y } = await middle(page);
		const { span } = (await app.stateOf(page)).camera;
		await page.keyboard.down("Control");
		await page.mouse.dblclick(x + 200, y - 150);
		await page.keyboard.up("Control");
		expect(await tiltOf(page)).toBe(0);
		expect((await app.stateOf(page)).camera.span).toBe(span);
	});

	it("follows two fingers up and down, which pan where one scrolls the page", async () => {
		const { page } = await openTown({ touch: true });
		await app.drawn(page);
		const up = [
			[0, -100],
			[0, -100],
		] as const;
		await fingers(page, up);
		await expect.poll(() => tiltOf(page)).toBeGreaterThan(20);
		expect((await app.stateOf(page)).follow).toBe("position");
		const tilt = await tiltOf(page);
		await page.evaluate(() => {
			const view = document
				.querySelector<Viewer>("bev-viewer")
				?.renderRoot.querySelector("bev-scene-view");
			if (view) view.gestures = "cooperative";
		});
		await fingers(page, up);
		await expect.poll(async () => (await app.stateOf(page)).follow).toBe("free");
		expect(await tiltOf(page)).toBe(tilt);
	});

	it("is in the link, which restores it; flat pictures load none of its code", async () => {
		const { page } = await openTown({}, "&ti=0.524");
		await app.drawn(page);
		expect(await tiltOf(page)).toBe(30);
		await expect.poll(() => page.evaluate(() => location.hash)).toContain("&ti=0.524");
		const loaded = (of: Page) =>
			of.evaluate(() =>
				performance.getEntriesByType("resource").map(({ name }) => name),
			);
		const tilted = new Set(await loaded(page));
		const { page: other } = await openTown();
		await app.drawn(other);
		await expect.poll(async () => (await loaded(other)).length).toBeGreaterThan(5);
		const flat = await loaded(other);
		expect([...tilted].some((name) => /tilt/.test(name))).toBe(true);
		expect(flat.some((name) => /tilt/.test(name))).toBe(false);
	});

	it("stays when the camera follows something else, and shows the whole map", async () => {
		const { page } = await openTown({}, "&ti=0.785");
		await app.drawn(page);
		await app.focusPicture(page);
		for (const key of ["f", "a", "f"]) {
			await page.keyboard.press(key);
			await app.drawn(page);
			expect(await tiltOf(page)).toBe(45);
		}
	});
});

/** Returns the position on the page of a box's top in the tilted picture. */
function topOf(page: Page, track: bigint): Promise<{ x: number; y: number }> {
	return page.evaluate((id) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const picture = viewer?.renderRoot.querySelector("bev-scene-view");
		const { shown } = viewer?.controller?.state ?? {};
		if (!picture || !shown || !viewer) throw new Error("no picture");
		const i = shown.agents.track_id.indexOf(BigInt(id));
		const [x = 0, y = 0] = shown.agents.centroid.subarray(2 * i, 2 * i + 2);
		const height = shown.agents.extent[3 * i + 2] ?? 0;
		const { view } = picture;
		const up = height * view.pixelsPerMetre * Math.sin(view.tilt ?? 0);
		const at = viewer.project(x, y);
		const outer = viewer.getBoundingClientRect();
		if (!at) throw new Error("not projected");
		return { x: outer.left + at.x, y: outer.top + at.y - up };
	}, String(track));
}

describe("a box in a tilted picture", () => {
	it("is hovered and selected at its top by mouse", async () => {
		const { page, complaints } = await openTown({}, "&ti=1.047&z=40");
		await app.drawn(page);
		const at = await topOf(page, 7n);
		await page.mouse.move(at.x, at.y);
		await expect.poll(async () => (await app.stateOf(page)).hover).toBe("7");
		await page.mouse.click(at.x, at.y);
		await expect.poll(async () => (await app.stateOf(page)).selection).toBe("7");
		expect(complaints).toEqual([]);
	});

	it("is selected at its top by touch", async () => {
		const { page: touched } = await openTown({ touch: true }, "&ti=1.047&z=40");
		await app.drawn(touched);
		const there = await topOf(touched, 7n);
		await touched.touchscreen.tap(there.x, there.y);
		await expect.poll(async () => (await app.stateOf(touched)).selection).toBe("7");
	});

	it("of a traffic light is selected by a click", async () => {
		const { page } = await openTown({}, "&ti=0.785&z=60");
		await app.drawn(page);
		const at = await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const picture = viewer?.renderRoot.querySelector("bev-scene-view");
			const { shown, map } = viewer?.controller?.state ?? {};
			if (!viewer || !picture || !shown || !map) throw new Error("no picture");
			const { left, top } = viewer.getBoundingClientRect();
			const { view } = picture;
			const rise = 4.3 * view.pixelsPerMetre * Math.sin(view.tilt ?? 0);
			const seen = new Set(shown.lights.traffic_light_id);
			for (const [row, id] of map.lights.id.entries()) {
				if (!seen.has(id)) continue;
				const [x = 0, y = 0] = map.lights.position.subarray(2 * row, 2 * row + 2);
				const p = viewer.project(x, y);
				const inside = picture.getBoundingClientRect();
				if (!p) continue;
				const [px, py] = [left + p.x, top + p.y - rise];
				const isFree =
					px > inside.left + 150 && px < inside.right - 60 && py > inside.top + 80;
				if (isFree && py < inside.bottom - 60) return { id, x: px, y: py };
			}
			throw new Error("no light in the picture");
		});
		await page.mouse.click(at.x, at.y);
		await expect
			.poll(async () => {
				const controller = await app.controllerOf(page);
				return controller.evaluate(({ state }) => state.mapChoice?.object);
			})
			.toEqual({ kind: "light", id: at.id });
	});
});

/** Draws an image, 300 pixels wide; returns their colours. */
function colours(page: Page, type: string, bytes: Buffer): Promise<number[]> {
	return page.evaluate(
		async ([kind, text]) => {
			const image = new Image();
			const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
			image.src = URL.createObjectURL(new Blob([data], { type: kind }));
			await image.decode();
			// Not stretched: Firefox keeps the sides' ratio of an SVG.
			const height = Math.round((300 * image.naturalHeight) / image.naturalWidth);
			const ctx = new OffscreenCanvas(300, height).getContext("2d");
			ctx?.drawImage(image, 0, 0, 300, height);
			return Array.from(ctx?.getImageData(0, 0, 300, height).data ?? []);
		},
		[type, bytes.toString("base64")] as const,
	);
}

describe("exports of a tilted picture", () => {
	it("show its boxes: PNG, SVG and GIF", async () => {
		const { page, complaints } = await openTown({}, "&ti=1.047&z=60&p=80-82");
		await app.still(page);
		await app.focusPicture(page);
		await page.keyboard.press("e");
		const [, png] = await app.saved(page, "Save PNG");
		const [, svg] = await app.saved(page, "Save SVG");
		const [, gif] = await app.saved(page, "Save GIF");
		// A page without the viewer's policy, which allows no images from blobs.
		const other = await suite.browser.newPage();
		const shown = await Promise.all([
			colours(other, "image/png", png),
			colours(other, "image/svg+xml", svg),
			colours(other, "image/gif", gif),
		]);
		await other.close();
		const [first = [], ...rest] = shown;
		for (const one of rest) {
			const far = one.filter((value, i) => Math.abs(value - (first[i] ?? 0)) > 64);
			expect(far.length / one.length).toBeLessThan(0.01);
		}
		// Sides are black over the colour of their class.
		expect(svg.toString()).toMatch(/fill="#000" fill-opacity/);
		expect(complaints).toEqual([]);
	});
});

describe("a failure to load the code", () => {
	it("is reported, and the picture is flat again", async () => {
		const { page } = await openTown();
		await app.drawn(page);
		await page.route(/tilt/, (route) => route.abort());
		await app.focusPicture(page);
		await page.keyboard.press("v");
		await expect.poll(() => tiltOf(page)).toBe(0);
		await page.getByText(/loading tilted pictures failed/).waitFor();
		await page.unroute(/tilt/);
	});
});
