import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/ui/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

interface Camera {
	readonly x: number;
	readonly y: number;
	readonly span: number;
}

/** Moves the picture there; how many of its samples in a thousand differ by more than 8 of
 * 255 from the picture that `keep` kept before. */
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

/** Lines that the edge cuts differ in a few pixels; a layer or a place in tens of thousands. */
const SAME = 0.5;
const OTHER = 5;

describe("the picture", () => {
	it("is the same from the kept bitmap as drawn anew", async () => {
		const { page, complaints } = await app.openMade(suite, { reducedMotion: true });
		await lookAt(page, { x: 0, y: 0, span: 90 });
		await lookAt(page, { x: 3, y: -2, span: 120 }, true);
		// The second and third of a scale come from the bitmap made at another place.
		expect(await lookAt(page, { x: 10.3, y: 4.4, span: 120 })).toBeGreaterThan(OTHER);
		expect(await lookAt(page, { x: 3, y: -2, span: 120 })).toBeLessThan(SAME);
		expect(complaints).toEqual([]);
	});

	it("makes the bitmap anew beyond its margin, and where a layer changes", async () => {
		const { page } = await app.openMade(suite, { reducedMotion: true });
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
