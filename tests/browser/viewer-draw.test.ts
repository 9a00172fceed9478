import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

interface Camera {
	readonly x: number;
	readonly y: number;
	readonly span: number;
}

/**
 * Moves the camera. Returns how many samples per thousand differ by more than 8 of 255
 * from the picture stored with `keep`.
 */
function lookAt(page: Page, camera: Camera, keep = false): Promise<number> {
	return page.evaluate(
		async ([to, kept]) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
			const ctx = canvas?.getContext("2d");
			if (!viewer?.controller || !canvas || !ctx) throw new Error("no picture");
			viewer.controller.setCamera({ ...viewer.controller.state.camera, ...to });
			await new Promise((resolve) => requestAnimationFrame(() => resolve(0)));
			const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
			const scope = window as unknown as { kept?: Uint8ClampedArray };
			if (kept) scope.kept = data;
			const before = scope.kept ?? data;
			const far = data.filter((value, i) => Math.abs(value - (before[i] ?? 0)) > 8);
			return (1000 * far.length) / data.length;
		},
		[camera, keep] as const,
	);
}

/** Results of drawing with heading up. */
interface Turned {
	/** Samples per thousand of the rotating picture that differ from the one at rest. */
	readonly softer: number;
	/** Like `softer`, but by more than 96 of 255. */
	readonly wrong: number;
	/** The same between the picture at rest and one drawn without a bitmap. */
	readonly blunt: number;
}

/**
 * Plays at 8x with heading up, pauses after some rotated pictures, and waits until the
 * picture is at rest.
 */
function turn(page: Page): Promise<Turned> {
	return page.evaluate(async () => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		const ctx = canvas?.getContext("2d");
		const controller = viewer?.controller;
		if (!controller || !canvas || !ctx) throw new Error("no picture");
		const pixels = () => ctx.getImageData(0, 0, canvas.width, canvas.height).data;
		const frames = async (count: number) => {
			for (let k = 0; k < count; k += 1) await new Promise(requestAnimationFrame);
		};
		const apart = (a: Uint8ClampedArray, b: Uint8ClampedArray, most: number) =>
			(1000 * a.filter((v, i) => Math.abs(v - (b[i] ?? 0)) > most).length) / a.length;
		controller.setFollow("heading", { x: 0, y: 0, span: 90, rotation: 0 });
		controller.setSpeed(8);
		controller.play();
		while (controller.state.frame < 40) await frames(1);
		const turned = pixels();
		controller.pause();
		await frames(3);
		const rest = pixels();
		canvas.dispatchEvent(new Event("contextrestored"));
		await frames(3);
		const softer = apart(turned, rest, 8);
		const wrong = apart(turned, rest, 96);
		return { softer, wrong, blunt: apart(rest, pixels(), 8) };
	});
}

/**
 * Lines at the edge differ in a few pixels; a missing layer or another position in tens
 * of thousands.
 */
const SAME = 0.5;
const OTHER = 5;

describe("the picture", () => {
	it("is identical from the cached bitmap and redrawn", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		await app.still(page);
		await lookAt(page, { x: 0, y: 0, span: 90 });
		await lookAt(page, { x: 3, y: -2, span: 120 }, true);
		// The second and third picture of a scale reuse the bitmap made at another
		// position.
		expect(await lookAt(page, { x: 10.3, y: 4.4, span: 120 })).toBeGreaterThan(OTHER);
		expect(await lookAt(page, { x: 3, y: -2, span: 120 })).toBeLessThan(SAME);
		expect(complaints).toEqual([]);
	});

	it("may be softer while rotating fast, and is sharp at rest", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		await app.still(page);
		const { softer, wrong, blunt } = await turn(page);
		expect(softer).toBeGreaterThan(OTHER);
		expect(wrong).toBeLessThan(OTHER);
		expect(blunt).toBeLessThan(SAME);
		expect(complaints).toEqual([]);
	});

	it("redraws the bitmap beyond its margin and after a layer change", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
		await app.still(page);
		const far = { x: 60, y: 30, span: 120 };
		await lookAt(page, { x: 0, y: 0, span: 90 });
		await lookAt(page, far, true);
		await lookAt(page, { x: 0, y: 0, span: 120 });
		await lookAt(page, { x: -20, y: 0, span: 120 });
		expect(await lookAt(page, far)).toBeLessThan(SAME);
		const lanes = page.getByRole("switch", { name: /^Lanes/ });
		await lanes.click();
		expect(await lookAt(page, far)).toBeGreaterThan(OTHER);
		await lanes.click();
		expect(await lookAt(page, far)).toBeLessThan(SAME);
	});
});
