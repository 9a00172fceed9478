import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { controllerOf, openModels, settled, useViewer } from "./viewer-harness.js";

const suite = useViewer();

const SIZE = { width: 1000, height: 600, reducedMotion: true };

interface Redrawn {
	/** Pixels that differ, and by how many levels at most. */
	readonly differing: number;
	readonly most: number;
	/** Pixels of another colour than the first. */
	readonly painted: number;
}

/**
 * Compares the settled picture with the same picture drawn without bitmaps of earlier
 * pictures.
 */
async function redrawn(page: Page): Promise<Redrawn> {
	await settled(page);
	return page.evaluate(async () => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		const context = canvas?.getContext("2d");
		if (!viewer || !canvas || !context) throw new Error("no picture");
		const pixels = () => {
			const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
			return data;
		};
		const before = pixels();
		context.reset();
		canvas.dispatchEvent(new Event("contextrestored"));
		await new Promise(requestAnimationFrame);
		await new Promise(requestAnimationFrame);
		await viewer.settled;
		const after = pixels();
		const apart = (at: number, other: Uint8ClampedArray, of: number) =>
			Math.max(
				...[0, 1, 2].map((k) => Math.abs((after[at + k] ?? 0) - (other[of + k] ?? 0))),
			);
		let [differing, most, painted] = [0, 0, 0];
		for (let at = 0; at < after.length; at += 4) {
			const levels = apart(at, before, at);
			differing += Number(levels > 0);
			most = Math.max(most, levels);
			painted += Number(apart(at, after, 0) > 0);
		}
		return { differing, most, painted };
	});
}

/** Waits until changes are drawn, in the next animation frame. */
function nextPicture(page: Page): Promise<number> {
	return page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				requestAnimationFrame(() => requestAnimationFrame(resolve));
			}),
	);
}

async function act(page: Page, name: "move" | "zoom" | "select" | "turn") {
	const controller = await controllerOf(page);
	await controller.evaluate((it, what) => {
		const { camera } = it.state;
		if (what === "move") it.setCamera({ ...camera, x: camera.x + 3.7 });
		else if (what === "zoom") it.setCamera({ ...camera, span: camera.span * 0.83 });
		else if (what === "select") it.select(7n);
		else it.setCamera({ ...camera, rotation: camera.rotation + 0.3 });
	}, name);
	await nextPicture(page);
}

/** Positions are rounded: single pixels may differ by two levels. */
function expectSame({ differing, most, painted }: Redrawn, what: string): void {
	expect(painted, what).toBeGreaterThan(20_000);
	expect(differing, what).toBeLessThan(200);
	expect(most, what).toBeLessThan(3);
}

describe("predicted lines", () => {
	it("are the same pixels as newly drawn ones after every move", async () => {
		const { page, complaints } = await openModels(suite, SIZE);
		const controller = await controllerOf(page);
		expectSame(await redrawn(page), "first");
		for (const frame of [3, 9, 10, 14]) {
			await controller.evaluate((it, at) => it.seek(at), frame);
			expectSame(await redrawn(page), `frame ${frame}`);
		}
		for (const name of ["move", "zoom", "select", "turn"] as const) {
			await act(page, name);
			expectSame(await redrawn(page), name);
		}
		expect(complaints).toEqual([]);
	});
});

describe("a list of many predictions", () => {
	it("renders rows as they come into view", async () => {
		const { page, complaints } = await openModels(suite, SIZE);
		const list = page.getByLabel("Listed predictions");
		await list.selectOption("agents");
		const table = page.getByRole("table", { name: "Predictions by agent" });
		const rows = table.locator("tbody tr");
		await expect.poll(() => rows.count()).toBe(50);
		expect(await table.getAttribute("aria-rowcount")).toBe("201");
		await page.getByText("The 200 worst of 2500.").waitFor();
		for (const count of [100, 150, 200, 200]) {
			await rows.last().scrollIntoViewIfNeeded();
			await expect.poll(() => rows.count()).toBe(count);
		}
		expect(complaints).toEqual([]);
	});
});
