import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { differing, drawnBy, keep, paintBy } from "./pixels.js";
import {
	controllerOf,
	drawn,
	openApp,
	openMade,
	openModels,
	openTiny,
	still,
	useViewer,
} from "./viewer-harness.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const suite = useViewer(() => ({
	folders: { "/town/": here("../../build/town"), "/support/": here("../support") },
}));
const TOWN = "v=1&src=/town/scenes/town.zarr";

/** WebGL2 runs in software here, so pictures are small. */
const SMALL = { width: 480, height: 400, reducedMotion: true };

/** Tolerance in levels of 255, and the pixels per thousand that may exceed it. */
const LEVELS = 48;
const FEW = 4;

/** Timeout on busy machines. */
const PATIENT = 180_000;

/** Records every WebGL2 context that the page creates, so that a test can lose them. */
async function keepContexts(page: Page): Promise<void> {
	await page.evaluate(() => {
		const contexts: WebGL2RenderingContext[] = [];
		Object.assign(window, { contexts });
		const make = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (
			this: HTMLCanvasElement,
			...args: Parameters<typeof make>
		) {
			const context = make.apply(this, args);
			if (args[0] === "webgl2") contexts.push(context as WebGL2RenderingContext);
			return context;
		} as typeof make;
	});
}

/** Loses or restores the last context created. */
function context(page: Page, act: "loseContext" | "restoreContext"): Promise<void> {
	return page.evaluate((what) => {
		const { contexts } = window as unknown as { contexts: WebGL2RenderingContext[] };
		const gl = contexts.at(-1);
		const known = window as unknown as { loser?: WEBGL_lose_context | null };
		known.loser ??= gl?.getExtension("WEBGL_lose_context") ?? null;
		known.loser?.[what]();
	}, act);
}

/**
 * Counts the textures of contexts that are created from now on: all, and those not
 * deleted. Larger ones than `longest` pixels are refused.
 */
async function countTextures(page: Page, longest = 8192): Promise<void> {
	await page.evaluate((most) => {
		const textures = { made: 0, live: 0 };
		Object.assign(window, { textures });
		const of = WebGL2RenderingContext.prototype;
		const { createTexture, deleteTexture, getParameter } = of;
		of.createTexture = function () {
			textures.made += 1;
			textures.live += 1;
			return createTexture.call(this);
		};
		of.deleteTexture = function (texture) {
			textures.live -= 1;
			deleteTexture.call(this, texture);
		};
		of.getParameter = function (name: number) {
			return name === this.MAX_TEXTURE_SIZE ? most : getParameter.call(this, name);
		};
	}, longest);
}

/** Returns the numbers of textures created, and of those not deleted. */
async function textures(page: Page): Promise<[made: number, live: number]> {
	await drawn(page);
	return page.evaluate(() => {
		const { made, live } = Reflect.get(window, "textures");
		return [made, live];
	});
}

/** Shows nothing but predicted lines. */
async function showLinesOnly(page: Page): Promise<void> {
	const controller = await controllerOf(page);
	await controller.evaluate((it) => {
		for (const layer of it.state.layers)
			if (layer !== "predicted") it.toggleLayer(layer);
	});
}

/** Plays until `frame` is displayed. */
async function playTo(page: Page, frame: number): Promise<void> {
	const controller = await controllerOf(page);
	await controller.evaluate(async (it, last) => {
		it.play();
		while ((it.state.shown?.frame ?? 0) < last) {
			await new Promise(requestAnimationFrame);
		}
		it.pause();
	}, frame);
}

async function toggleVehicles(page: Page): Promise<void> {
	await page.evaluate(() =>
		document.querySelector<Viewer>("bev-viewer")?.controller?.toggleLayer("vehicle"),
	);
}

const ALL =
	"aerial,lanes,lights,crosswalks,past,future,vehicle,cyclist,pedestrian,other";
const VIEWS = [
	["near, with everything", "dark", `f=80&l=${ALL},dropped,ego&z=60`, FEW],
	["a block, without the aerial image", "light", "f=80", FEW],
	["tilted", "light", `f=80&l=${ALL},dropped,ego&z=80&ti=0.785&t=7`, FEW],
	["tilted and turned", "dark", "f=80&w=heading&z=60&ti=1.047", FEW],
	// Vehicles are small here.
	["turned, far out", "dark", "f=80&w=heading&z=300&t=7", 3],
] as const;

describe("two painters", () => {
	it.each(VIEWS)(
		"give similar pictures: %s",
		{ timeout: PATIENT },
		async (_, theme, look, few) => {
			const options = { ...SMALL, theme, link: `${TOWN}&${look}` };
			const { page, complaints } = await openApp(suite, options);
			await drawn(page);
			expect(await drawnBy(page)).toBe("canvas2d");
			await keep(page, "canvas2d");
			await paintBy(page, "webgl2");
			await keep(page, "webgl2");
			expect(await differing(page, "canvas2d", "webgl2", LEVELS)).toBeLessThan(few);
			await toggleVehicles(page);
			await keep(page, "fewer");
			expect(await differing(page, "webgl2", "fewer", 8)).toBeGreaterThan(few);
			await toggleVehicles(page);
			await paintBy(page, "canvas2d");
			await keep(page, "again");
			// Drawn again or from the bitmap: lines at its edge differ in a few pixels.
			expect(await differing(page, "canvas2d", "again", 8)).toBeLessThan(1);
			expect(complaints).toEqual([]);
		},
	);

	it("select Canvas2D automatically if WebGL2 has no GPU", async () => {
		const { page } = await openApp(suite, { ...SMALL, link: `${TOWN}&f=80` });
		await drawn(page);
		expect(await drawnBy(page)).toBe("canvas2d");
	});
});

describe("predicted lines of two models", () => {
	it("are the same pixels after playing, in their frame and later", {
		timeout: PATIENT,
	}, async () => {
		const { page, complaints } = await openModels(suite, SMALL);
		await paintBy(page, "webgl2");
		await showLinesOnly(page);
		await keep(page, "webgl2 0");
		// Later lines are those of frame 10, drawn in the worker, moved and faint.
		await playTo(page, 14);
		await keep(page, "webgl2");
		await paintBy(page, "canvas2d");
		await keep(page, "canvas2d");
		expect(await differing(page, "canvas2d", "webgl2", 2)).toBe(0);
		const controller = await controllerOf(page);
		await controller.evaluate((it) => it.seek(0));
		await keep(page, "canvas2d 0");
		expect(await differing(page, "canvas2d 0", "webgl2 0", 2)).toBe(0);
		expect(await differing(page, "canvas2d 0", "canvas2d", 2)).toBeGreaterThan(50);
		expect(complaints).toEqual([]);
	});

	it("are uploaded once for all frames that show them, and freed", {
		timeout: PATIENT,
	}, async () => {
		const { page, complaints } = await openModels(suite, SMALL);
		await countTextures(page);
		await paintBy(page, "webgl2");
		const controller = await controllerOf(page);
		const seen: unknown[] = [await textures(page)];
		for (const frame of [3, 9, 10, 14]) {
			await controller.evaluate((it, at) => it.seek(at), frame);
			seen.push(await textures(page));
		}
		await controller.evaluate((it) => it.toggleLayer("predicted"));
		seen.push(await textures(page));
		expect(seen).toEqual([
			...[
				[1, 1],
				[1, 1],
				[1, 1],
			],
			...[
				[2, 1],
				[2, 1],
				[2, 0],
			],
		]);
		expect(complaints).toEqual([]);
	});

	it("are drawn as lines if the bitmap is too large for a texture", {
		timeout: PATIENT,
	}, async () => {
		const { page, complaints } = await openModels(suite, SMALL);
		await showLinesOnly(page);
		await keep(page, "canvas2d");
		await countTextures(page, 512);
		await paintBy(page, "webgl2");
		await keep(page, "webgl2");
		expect(await textures(page)).toEqual([0, 0]);
		expect(await differing(page, "canvas2d", "webgl2", LEVELS)).toBeLessThan(FEW);
		expect(complaints).toEqual([]);
	});

	it("are the same after a context was lost and restored", async () => {
		const { page, complaints } = await openModels(suite, SMALL);
		await keepContexts(page);
		await paintBy(page, "webgl2");
		await showLinesOnly(page);
		await keep(page, "before");
		await context(page, "loseContext");
		await expect.poll(() => drawnBy(page)).toBe("canvas2d");
		await keep(page, "meanwhile");
		expect(await differing(page, "before", "meanwhile", 2)).toBe(0);
		await context(page, "restoreContext");
		await expect.poll(() => drawnBy(page)).toBe("webgl2");
		await keep(page, "after");
		expect(await differing(page, "before", "after", 0)).toBe(0);
		expect(complaints).toEqual([]);
	});
});

describe("a lost context", () => {
	it("of WebGL2 is replaced by Canvas2D; the picture is the same afterwards", async () => {
		const { page, complaints } = await openMade(suite, SMALL);
		await keepContexts(page);
		await paintBy(page, "webgl2");
		await keep(page, "before");
		await context(page, "loseContext");
		await expect.poll(() => drawnBy(page)).toBe("canvas2d");
		await keep(page, "meanwhile");
		expect(await differing(page, "before", "meanwhile", LEVELS)).toBeLessThan(FEW);
		await context(page, "restoreContext");
		await expect.poll(() => drawnBy(page)).toBe("webgl2");
		await keep(page, "after");
		expect(await differing(page, "before", "after", 0)).toBe(0);
		expect(complaints).toEqual([]);
	});

	it("of the canvas is redrawn", async () => {
		const { page, complaints } = await openMade(suite, SMALL);
		/** Sends what the browser sends; "lost" also loses pixels and state, as it does. */
		const send = (event: "contextlost" | "contextrestored") =>
			page.evaluate((name) => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
				canvas?.dispatchEvent(new Event(name, { cancelable: true }));
				if (name === "contextlost") canvas?.getContext("2d")?.reset();
			}, event);
		await still(page);
		// Both pictures are of a map drawn anew: a kept one is a fraction of a pixel apart.
		await send("contextlost");
		await send("contextrestored");
		await keep(page, "before");
		await send("contextlost");
		await keep(page, "lost");
		expect(await differing(page, "before", "lost", 8)).toBeGreaterThan(20);
		await send("contextrestored");
		await keep(page, "after");
		expect(await differing(page, "before", "after", 0)).toBe(0);
		expect(complaints).toEqual([]);
	});

	it("is released with the viewer, twenty times", {
		timeout: PATIENT,
	}, async () => {
		const { page, complaints } = await openTiny(suite, SMALL);
		await keepContexts(page);
		await paintBy(page, "webgl2");
		const lost = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const place = viewer?.parentElement;
			const picture = () => viewer?.renderRoot.querySelector("bev-scene-view");
			for (let k = 0; k < 20; k += 1) {
				viewer?.remove();
				await new Promise(requestAnimationFrame);
				if (viewer) place?.append(viewer);
				while (picture()?.drawnBy !== "webgl2") {
					await new Promise(requestAnimationFrame);
				}
			}
			const { contexts } = window as unknown as {
				contexts: WebGL2RenderingContext[];
			};
			return contexts.map((gl) => gl.isContextLost());
		});
		expect(lost.length).toBeGreaterThan(1);
		expect(lost.slice(0, -1)).not.toContain(false);
		expect(complaints).toEqual([]);
	});
});
