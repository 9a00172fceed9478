import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const CYCLES = 50;
/** Cycles after which the page's caches are filled. */
const WARM = 20;
const INTERACTIONS = 1000;
const SEED = 20_261_121;
const PATIENT = 400_000;

/**
 * Adds a viewer to the page, waits for its picture, closes and removes it: every other
 * viewer after its raster is drawn too, the others while it is being made.
 */
function cycle(page: Page, times: number): Promise<void> {
	return page.evaluate(
		async ([src, count]) => {
			const main = document.querySelector("main");
			for (let k = 0; k < count; k += 1) {
				const viewer = document.createElement("bev-viewer");
				viewer.setAttribute("state", `v=1&src=${src}&f=${k % 6}&t=ego`);
				main?.replaceChildren(viewer);
				await viewer.settled;
				const { controller } = viewer;
				if (k % 2 === 0 && controller) {
					viewer.layout.show("raster");
					await new Promise<void>((resolve) => {
						controller.store.subscribe(({ raster }) => {
							if (raster.picture) resolve();
						});
						if (controller.state.raster.picture) resolve();
					});
				}
				controller?.close();
				viewer.remove();
			}
		},
		[app.TINY_SOURCE, times] as const,
	);
}

/** A removed viewer keeps its data set for five seconds, in case it returns. */
const GRACE_MS = 5_000;

/**
 * Returns what the page holds, including workers, after everything releasable was
 * released.
 */
async function held(page: Page) {
	// Measured on the page's clock, so earlier timers run first.
	await page.evaluate(
		(grace) => new Promise((resolve) => setTimeout(resolve, grace)),
		GRACE_MS,
	);
	await expect.poll(() => page.workers()).toHaveLength(0);
	const session = await page.context().newCDPSession(page);
	await session.send("HeapProfiler.collectGarbage");
	await session.send("Performance.enable");
	const { metrics } = await session.send("Performance.getMetrics");
	await session.detach();
	const value = (name: string): number =>
		metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
	return {
		megabytes: value("JSHeapUsedSize") / 2 ** 20,
		nodes: value("Nodes"),
		listeners: value("JSEventListeners"),
	};
}

describe("a viewer's life", () => {
	it(
		"releases workers, memory, nodes and listeners, 50 times",
		async () => {
			const size = { width: 1000, height: 500 };
			const { page, complaints } = await app.openApp(suite, size);
			await cycle(page, WARM);
			const base = await held(page);
			await cycle(page, CYCLES - WARM);
			const after = await held(page);
			expect(after.megabytes).toBeLessThan(base.megabytes + 2);
			expect(after.nodes).toBeLessThan(base.nodes + 100);
			expect(after.listeners).toBeLessThan(base.listeners + 25);
			expect(complaints).toEqual([]);
		},
		PATIENT,
	);

	it(
		"terminates only its own worker, in both orders of closing two",
		async () => {
			const { page, complaints } = await app.openApp(suite);
			await page.evaluate(() => document.querySelector("bev-viewer")?.remove());
			const pairs = (count: number): Promise<void> =>
				page.evaluate(
					async ([src, times]) => {
						const main = document.querySelector("main");
						const added = () => {
							const viewer = document.createElement("bev-viewer");
							viewer.setAttribute("state", `v=1&src=${src}`);
							main?.append(viewer);
							return viewer;
						};
						for (let k = 0; k < times; k += 1) {
							const both = [added(), added()];
							await Promise.all(both.map((viewer) => viewer.settled));
							const [gone, stays] = k % 2 === 0 ? both : both.reverse();
							gone?.controller?.close();
							gone?.remove();
							stays?.controller?.seek(4);
							await stays?.settled;
							const shown = stays?.controller?.state.shown?.frame;
							if (shown !== 4) throw new Error(`the other shows ${shown}`);
							stays?.controller?.close();
							stays?.remove();
						}
					},
					[app.TINY_SOURCE, count] as const,
				);
			await pairs(4);
			const base = await held(page);
			await pairs(8);
			const after = await held(page);
			expect(after.megabytes).toBeLessThan(base.megabytes + 4);
			expect(after.nodes).toBeLessThan(base.nodes + 200);
			expect(after.listeners).toBeLessThan(base.listeners + 50);
			expect(complaints).toEqual([]);
		},
		PATIENT,
	);

	it("terminates its worker some time after its removal", async () => {
		const { page } = await app.openTiny(suite);
		await expect.poll(() => page.workers()).toHaveLength(1);
		const ended = page.workers()[0]?.waitForEvent("close", { timeout: 30_000 });
		await page.evaluate(() => document.querySelector("bev-viewer")?.remove());
		await ended;
		expect(page.workers()).toHaveLength(0);
	});
});

/** Returns a generator of numbers from 0 to 1, determined by the seed. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

const KEYS = [
	...["Space", "ArrowLeft", "ArrowRight", "Shift+ArrowRight", "Home", "End"],
	...["[", "]", ",", ".", "l", "i", "o", "Shift+Escape", "f", "c", "m", "0", "+", "-"],
	...["Alt+ArrowLeft", "Alt+ArrowUp", "n", "p", "Enter", "Escape", "1", "3", "6", "?"],
	...["Tab", "Shift+Tab", "e"],
];

interface Size {
	readonly width: number;
	readonly height: number;
}

/** Performs one random user action; returns its name. */
async function interact(page: Page, next: () => number, size: Size): Promise<string> {
	const [x, y] = [next() * size.width, next() * size.height];
	const kind = next();
	if (kind < 0.5) {
		const key = KEYS[Math.floor(next() * KEYS.length)] ?? "Escape";
		await page.keyboard.press(key);
		return key;
	}
	await page.mouse.move(x, y);
	if (kind < 0.6) {
		await page.mouse.wheel(0, (next() - 0.5) * 600);
		return `wheel at ${x}, ${y}`;
	}
	await page.mouse.down();
	if (kind < 0.7) await page.mouse.move(next() * size.width, next() * size.height);
	await page.mouse.up();
	return `press at ${x}, ${y}`;
}

describe("a monkey", () => {
	it(
		"causes no error in a thousand actions; the viewer still works",
		async () => {
			const size = { width: 1000, height: 640 };
			const { page, complaints } = await app.openTiny(suite, size);
			const next = random(SEED);
			const done: string[] = [];
			for (let k = 0; k < INTERACTIONS && complaints.length === 0; k += 1) {
				done.push(await interact(page, next, size));
			}
			expect(complaints, done.slice(-8).join("; ")).toEqual([]);
			expect(done).toHaveLength(INTERACTIONS);
			for (let k = 0; k < 6; k += 1) await page.keyboard.press("Escape");
			// A cancelled export returns to the previous frame.
			await page.waitForFunction(() => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				return !viewer?.renderRoot.querySelector("bev-export")?.work;
			});
			await page.evaluate(() => {
				const { controller } = document.querySelector<Viewer>("bev-viewer") ?? {};
				controller?.setScene(1, 2);
			});
			await app.settled(page);
			const { phase, scene, shown, span } = await page.evaluate(() => {
				const { state } =
					document.querySelector<Viewer>("bev-viewer")?.controller ?? {};
				const { phase, scene, shown, camera } = state ?? {};
				return { phase, scene, shown: shown?.frame, span: camera?.span };
			});
			expect({ phase, scene, shown }).toEqual({ phase: "ready", scene: 1, shown: 2 });
			expect(span).toBeGreaterThan(0);
		},
		PATIENT,
	);
});
