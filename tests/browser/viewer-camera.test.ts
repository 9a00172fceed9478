import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Returns the picture's centre on the page, and half of its size. */
async function middle(page: Page): Promise<{ x: number; y: number; half: number }> {
	const box = await page.locator("bev-scene-view").boundingBox();
	if (!box) throw new Error("there is no picture");
	const half = Math.min(box.width, box.height) / 2;
	return { x: box.x + box.width / 2, y: box.y + box.height / 2, half };
}

const placeOf = (page: Page) => page.locator(".place").textContent();

/**
 * Returns the selected agent's position as a share of the picture's size; undefined
 * without one.
 */
const selectedAt = (page: Page) =>
	page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const picture = viewer?.renderRoot.querySelector("bev-scene-view");
		const { shown, selection } = viewer?.controller?.state ?? {};
		if (!picture || !shown || typeof selection !== "bigint") return undefined;
		const i = shown.agents.track_id.indexOf(selection);
		const [x = 0, y = 0] = shown.agents.centroid.subarray(2 * i, 2 * i + 2);
		const { target: view } = picture;
		const [cos, sin] = [Math.cos(view.rotation), Math.sin(view.rotation)];
		const [dx, dy] = [x - view.x, y - view.y];
		const right = (cos * dx - sin * dy) * view.pixelsPerMetre;
		const up = (sin * dx + cos * dy) * view.pixelsPerMetre;
		return { x: 0.5 + right / view.width, y: 0.5 - up / view.height };
	});

const select = (page: Page, track: bigint) =>
	page.evaluate((id) => {
		document.querySelector<Viewer>("bev-viewer")?.controller?.select(BigInt(id));
	}, String(track));

describe("the pointer's position", () => {
	it("is updated by seek, zoom and rotation while the pointer rests", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		await app.buffered(page, 248);
		const { x, y } = await middle(page);
		await page.mouse.move(x + 90, y - 60);
		await expect.poll(() => placeOf(page)).toMatch(/^x /);
		let before = await placeOf(page);
		for (const key of ["End", "+", "f", "Home"]) {
			await page.keyboard.press(key);
			await app.drawn(page);
			await expect.poll(() => placeOf(page)).not.toBe(before);
			before = await placeOf(page);
			// Moves away and back by one pixel: the same position is reported again.
			await page.mouse.move(x + 91, y - 60);
			await page.mouse.move(x + 90, y - 60);
			await expect.poll(() => placeOf(page)).toBe(before);
		}
		expect(complaints).toEqual([]);
	});

	it("includes latitude and longitude of the same point", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		await app.buffered(page, 248);
		const { x, y } = await middle(page);
		await page.mouse.move(x + 90, y - 60);
		await page.keyboard.press("End");
		await app.drawn(page);
		const told = async () => {
			const place = (await placeOf(page))?.replaceAll("−", "-") ?? "";
			const [, px, py] = /x (\S+) y (\S+)/.exec(place) ?? [];
			const earth = (await page.locator(".earth").textContent()) ?? "";
			const [, north, ns, east, ew] = /(\S+)° ([NS]) (\S+)° ([EW])/.exec(earth) ?? [];
			const lat = Number(north) * (ns === "S" ? -1 : 1);
			const lon = Number(east) * (ew === "W" ? -1 : 1);
			// The synthetic map has 1e-5 degrees per metre.
			return [Math.abs(Number(px) - lon * 1e5), Math.abs(Number(py) - lat * 1e5)];
		};
		await expect.poll(async () => Math.max(...(await told()))).toBeLessThan(0.06);
	});

	it("shows the coordinates of a tap, in the axes chosen in the readout", async () => {
		const { page } = await app.openMade(suite, { touch: true, reducedMotion: true });
		const { x, y } = await middle(page);
		await page.touchscreen.tap(x + 40, y + 30);
		await expect.poll(() => placeOf(page)).toMatch(/^x −?\d/);
		const world = await placeOf(page);
		await page.getByLabel("Axes of coordinates").selectOption("Ego");
		await expect.poll(() => placeOf(page)).not.toBe(world);
	});
});

describe("the selection", () => {
	it("is moved into the picture; a visible one does not move the camera", async () => {
		const { page } = await app.openMade(suite, { link: "", reducedMotion: true });
		await page.evaluate(() => {
			const { controller } = document.querySelector<Viewer>("bev-viewer") ?? {};
			controller?.setCamera({ x: 0, y: 0, span: 30, rotation: 0 });
		});
		await select(page, 25n);
		await expect
			.poll(async () => {
				const { x = -1, y = -1 } = (await selectedAt(page)) ?? {};
				return x > 0.05 && x < 0.95 && y > 0.05 && y < 0.95;
			})
			.toBe(true);
		const { camera } = await app.stateOf(page);
		await select(page, 25n);
		expect((await app.stateOf(page)).camera).toEqual(camera);
	});

	it("can be followed, and a link restores that", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		await app.buffered(page, 248);
		const follow = page
			.getByRole("group", { name: "Camera" })
			.getByRole("button", { name: "Selected" });
		await app.openCameras(page);
		expect(await follow.isDisabled()).toBe(true);
		await select(page, 7n);
		await follow.click();
		for (const key of ["End", "Home"]) {
			await page.keyboard.press(key);
			await app.settled(page);
			const { x, y } = (await selectedAt(page)) ?? { x: 0, y: 0 };
			expect([x, y].map((v) => Math.round(v * 1000))).toEqual([500, 500]);
		}
		const saved = await page.evaluate(
			() => document.querySelector<Viewer>("bev-viewer")?.save() ?? "",
		);
		expect(saved).toContain("&w=selected");
		await page.keyboard.press("Escape");
		await expect.poll(async () => (await app.stateOf(page)).follow).toBe("free");
		expect(complaints).toEqual([]);
	});

	it("is followed from a link; a frame without it says so", async () => {
		const { page } = await app.openTiny(suite, { link: "t=3&w=selected" });
		expect((await app.stateOf(page)).follow).toBe("selected");
		const url = await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.save(),
		);
		expect(url).toContain("t=3&w=selected");
		await select(page, 999n);
		await page.getByText("Track 999 is not in frame 0").waitFor();
	});
});

describe("gestures", () => {
	it("zoom about the pointer while following the ego", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		const { x, y } = await middle(page);
		await page.mouse.move(x + 120, y - 80);
		await expect.poll(() => placeOf(page)).toMatch(/^x /);
		const before = await placeOf(page);
		await page.mouse.wheel(0, -300);
		await expect
			.poll(async () => (await app.stateOf(page)).camera.span)
			.toBeLessThan(90);
		await app.drawn(page);
		const numbers = (text: string | null) =>
			(text ?? "")
				.replaceAll("−", "-")
				.match(/-?\d+\.\d+/g)
				?.map(Number) ?? [];
		const [ax = 0, ay = 0] = numbers(before);
		const [bx = 9, by = 9] = numbers(await placeOf(page));
		// The picture is snapped to whole pixels: a fifth of a metre at this scale.
		expect(Math.hypot(ax - bx, ay - by)).toBeLessThan(0.3);
		expect((await app.stateOf(page)).follow).toBe("position");
	});

	it("zoom in by double click, rotate by right drag, stop following by drag", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		const { x, y } = await middle(page);
		await page.mouse.dblclick(x + 150, y + 100);
		await expect
			.poll(async () => (await app.stateOf(page)).camera.span)
			.toBeCloseTo(55, 5);
		await page.mouse.move(x, y);
		await page.mouse.down({ button: "right" });
		await page.mouse.move(x + 75, y, { steps: 3 });
		await page.mouse.up({ button: "right" });
		const turned = await app.stateOf(page);
		expect(turned.camera.rotation).toBeCloseTo(-Math.PI / 4, 1);
		expect(turned.follow).toBe("position");
		await page.mouse.down({ button: "middle" });
		await page.mouse.move(x, y, { steps: 3 });
		await page.mouse.up({ button: "middle" });
		expect((await app.stateOf(page)).follow).toBe("free");
		const { camera } = await app.stateOf(page);
		await page.keyboard.press("End");
		await app.settled(page);
		expect((await app.stateOf(page)).camera).toEqual(camera);
	});

	it("show the whole map by a key; zooming out is limited", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		await page.keyboard.press("a");
		const { camera, follow } = await app.stateOf(page);
		expect(follow).toBe("free");
		expect([camera.x, camera.y].map(Math.round)).toEqual([0, 0]);
		expect(camera.span).toBeGreaterThan(220);
		for (let k = 0; k < 20; k += 1) await page.keyboard.press("-");
		expect((await app.stateOf(page)).camera.span).toBeLessThan(1000);
	});
});

describe("an embedded viewer", () => {
	/** Places the viewer in a page that scrolls. */
	const embed = (page: Page, gestures: string | null) =>
		page.evaluate((value) => {
			const main = document.querySelector("main");
			const viewer = document.querySelector<Viewer>("bev-viewer");
			if (!main || !viewer) throw new Error("there is no viewer");
			if (value) viewer.setAttribute("gestures", value);
			viewer.style.height = "500px";
			for (const element of [document.documentElement, document.body, main]) {
				element.style.height = "auto";
				element.style.overflow = "visible";
			}
			const tail = document.createElement("div");
			tail.style.height = "3000px";
			main.append(tail);
		}, gestures);

	it("leaves the wheel to a scrolling page, and shows how to zoom", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		await embed(page, null);
		await app.drawn(page);
		const { x, y } = await middle(page);
		await page.mouse.move(x, y);
		await page.mouse.wheel(0, 200);
		await page.getByText("Use Ctrl + wheel to zoom").waitFor();
		await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
		expect((await app.stateOf(page)).camera.span).toBe(110);
		await page.evaluate(() => scrollTo(0, 0));
		await page.keyboard.down("Control");
		await page.mouse.wheel(0, -200);
		await page.keyboard.up("Control");
		await expect
			.poll(async () => (await app.stateOf(page)).camera.span)
			.toBeLessThan(110);
		expect(await page.evaluate(() => scrollY)).toBe(0);
	});

	it("handles the wheel if the page sets gestures", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		await embed(page, "greedy");
		await app.drawn(page);
		const { x, y } = await middle(page);
		await page.mouse.move(x, y);
		await page.mouse.wheel(0, -200);
		await expect
			.poll(async () => (await app.stateOf(page)).camera.span)
			.toBeLessThan(110);
		expect(await page.evaluate(() => scrollY)).toBe(0);
	});
});
