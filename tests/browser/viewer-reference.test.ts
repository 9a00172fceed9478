import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { drawn, openApp, still, useViewer } from "./viewer-harness.js";

// Compares only the scene's canvas, without text, which is rendered differently
// everywhere. BEV_WRITE_REFERENCES=1 writes new references; inspect each before
// committing.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const REFERENCES = here("reference");
const WRITE = process.env.BEV_WRITE_REFERENCES === "1";

const suite = useViewer(() => ({ folders: { "/town/": here("../../build/town") } }));

/** Tolerance in levels of 255, and the pixels per thousand that may exceed it. */
const LEVELS = 24;
const FEW = 4;

const LAYERS = "lanes,lights,crosswalks,past,vehicle,cyclist,pedestrian,other,ego";
const PICTURES = [
	["crossing-dark", "dark", "f=80"],
	["heading-light", "light", "f=120&w=heading&z=70&l=future,dropped,".concat(LAYERS)],
	["far-dark", "dark", "s=1&f=40&z=400"],
	["aerial-light", "light", `f=80&z=25&l=aerial,${LAYERS}`],
] as const;

async function open(theme: "dark" | "light", link: string): Promise<Page> {
	const { page } = await openApp(suite, {
		...{ width: 400, height: 480, reducedMotion: true, theme },
		link: `v=1&src=/town/scenes/town.zarr&${link}`,
	});
	await drawn(page);
	return page;
}

/** Returns the picture as a base64 PNG. */
function png(page: Page): Promise<string> {
	return page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
		return canvas?.toDataURL("image/png").replace(/^.*,/, "") ?? "";
	});
}

/**
 * Returns how many pixels per thousand differ by more than `levels`; all if sizes
 * differ.
 */
function differing(page: Page, a: string, b: string, levels: number): Promise<number> {
	return page.evaluate(
		async ([one, other, most]) => {
			const pixels = async (base64: string) => {
				const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
				const image = await createImageBitmap(new Blob([bytes]));
				const canvas = new OffscreenCanvas(image.width, image.height);
				const ctx = canvas.getContext("2d");
				ctx?.drawImage(image, 0, 0);
				return ctx?.getImageData(0, 0, image.width, image.height);
			};
			const [p, q] = [await pixels(one), await pixels(other)];
			if (!p || !q || p.width !== q.width || p.height !== q.height) return 1000;
			const far = new Set<number>();
			p.data.forEach((value, i) => {
				if (Math.abs(value - (q.data[i] ?? 0)) > most) far.add(i >> 2);
			});
			return (4000 * far.size) / p.data.length;
		},
		[a, b, levels] as const,
	);
}

async function toggleLanes(page: Page): Promise<void> {
	await page.evaluate(() => {
		const { controller } = document.querySelector<Viewer>("bev-viewer") ?? {};
		controller?.toggleLayer("lanes");
	});
	await drawn(page);
}

describe("pictures of the town", () => {
	it.each(PICTURES)("match the reference: %s", async (name, theme, link) => {
		const page = await open(theme, link);
		const picture = await png(page);
		const file = `${REFERENCES}/${name}.png`;
		if (WRITE) {
			mkdirSync(REFERENCES, { recursive: true });
			writeFileSync(file, Buffer.from(picture, "base64"));
		}
		expect(existsSync(file), `${file} is not there`).toBe(true);
		const reference = readFileSync(file).toString("base64");
		expect(await differing(page, picture, reference, LEVELS)).toBeLessThan(FEW);
		// The comparison must detect a missing layer.
		await toggleLanes(page);
		const other = await png(page);
		expect(await differing(page, other, reference, 8)).toBeGreaterThan(2 * FEW);
	});

	it("are identical in every run of one browser", async () => {
		const [name, theme, link] = PICTURES[0];
		// Redraws first, since the map's bitmap may be from another size.
		const pictureOf = async (page: Page): Promise<string> => {
			await still(page);
			await toggleLanes(page);
			await toggleLanes(page);
			return png(page);
		};
		const page = await open(theme, link);
		const first = await pictureOf(page);
		const second = await pictureOf(await open(theme, link));
		expect(await differing(page, first, second, 0), name).toBe(0);
	});
});
