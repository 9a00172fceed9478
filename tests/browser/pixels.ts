import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { drawn } from "./viewer-harness.js";

/** Returns the painter of the last picture. */
export function drawnBy(page: Page): Promise<string | undefined> {
	return page.evaluate(
		() =>
			document
				.querySelector<Viewer>("bev-viewer")
				?.renderRoot.querySelector("bev-scene-view")?.drawnBy,
	);
}

/** Selects `painter`. */
export async function paintBy(page: Page, painter: string): Promise<void> {
	await page.evaluate((name) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		if (viewer) viewer.painter = name;
	}, painter);
	await expect.poll(() => drawnBy(page)).toBe(painter);
}

/** Stores the picture under a name once it is drawn. */
export async function keep(page: Page, name: string): Promise<void> {
	await drawn(page);
	await page.evaluate((as) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		const ctx = canvas?.getContext("2d");
		if (!canvas || !ctx) throw new Error("no picture");
		const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
		const scope = window as unknown as { kept?: Record<string, Uint8ClampedArray> };
		scope.kept = { ...scope.kept, [as]: data };
	}, name);
}

/**
 * Returns how many pixels per thousand differ by more than `levels` between two stored
 * pictures.
 */
export function differing(
	page: Page,
	a: string,
	b: string,
	levels: number,
): Promise<number> {
	return page.evaluate(
		([one, other, most]) => {
			const { kept } = window as unknown as {
				kept: Record<string, Uint8ClampedArray>;
			};
			const [p, q] = [kept[one], kept[other]];
			if (!p || !q || p.length !== q.length) throw new Error("nothing to compare");
			let count = 0;
			for (let i = 0; i < p.length; i += 4) {
				const far = [0, 1, 2].some(
					(k) => Math.abs((p[i + k] ?? 0) - (q[i + k] ?? 0)) > most,
				);
				if (far) count += 1;
			}
			return (4000 * count) / p.length;
		},
		[a, b, levels] as const,
	);
}
