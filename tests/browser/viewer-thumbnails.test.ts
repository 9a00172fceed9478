import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const PROGRAM = fileURLToPath(new URL("../../build/release/bevscope", import.meta.url));
const TOWN = "/data/town.zarr";
const PICTURES = `${TOWN}/.bevscope/thumbnails-0.zip`;

function objectsOf(folder: string, below = ""): [string, Uint8Array][] {
	return readdirSync(join(folder, below)).flatMap((name) => {
		const key = `${below}/${name}`;
		const path = join(folder, key);
		return statSync(path).isDirectory()
			? objectsOf(folder, key)
			: ([[TOWN + key, readFileSync(path)]] as [string, Uint8Array][]);
	});
}

/** A town of 6 scenes with facts and pictures beside it. */
function town(): ReadonlyMap<string, Uint8Array> {
	const folder = mkdtempSync(join(tmpdir(), "thumbnails-"));
	try {
		execFileSync(PROGRAM, ["town", folder, "--scenes", "6", "--frames", "40"]);
		const data = join(folder, "scenes/town.zarr");
		const map = join(folder, "semantic_map/semantic_map.pb");
		execFileSync(PROGRAM, ["index", data, "--map", map, "--thumbnails", "--quiet"]);
		return new Map(objectsOf(data));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

let made: ReadonlyMap<string, Uint8Array> | undefined;
const data = () => {
	made ??= town();
	return made;
};
const suite = app.useViewer(() => ({ objects: data() }));

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search all scenes" });

/** Searches all scenes; returns the widths of the hits' pictures and the notices. */
async function visit(theme: "dark" | "light" = "dark") {
	suite.server.log.length = 0;
	const link = `src=${TOWN}`;
	const { page, complaints } = await app.openApp(suite, { link, theme });
	await app.still(page);
	await page.keyboard.press("g");
	await dialog(page).waitFor();
	await page.getByRole("combobox", { name: "Table" }).selectOption("scenes");
	const box = page.getByRole("combobox", { name: "Filter" });
	await box.fill("scene < 4");
	await box.press("Enter");
	const canvases = dialog(page).locator("canvas.thumbnail[data-state=drawn]");
	await expect.poll(() => canvases.count()).toBe(4);
	const unchecked = dialog(page).locator(".unchecked");
	await expect.poll(() => unchecked.count()).toBe(0);
	const widths = await canvases.evaluateAll((all) =>
		all.map((one) => (one as HTMLCanvasElement).width),
	);
	const colour = await canvases.first().evaluate((one) => {
		const ctx = (one as HTMLCanvasElement).getContext("2d");
		return [...(ctx?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
	});
	const notices = await dialog(page).locator(".notice").allTextContents();
	const said = await dialog(page).locator(".count").textContent();
	const read = suite.server.log.filter(({ path }) => path === PICTURES);
	return { page, complaints, widths, colour, notices, said, read: read.length };
}

describe("Stored pictures of scenes", () => {
	it("are shown for hits that are scenes, in the colours of the theme", async () => {
		const dark = await visit();
		expect(dark.widths).toEqual([160, 160, 160, 160]);
		expect(dark.said).toBe("4 hits");
		expect(dark.notices).toEqual([]);
		expect(dark.read).toBeGreaterThan(1);
		expect(dark.complaints).toEqual([]);
		const light = await visit("light");
		expect(light.widths).toEqual([160, 160, 160, 160]);
		expect(Math.min(...light.colour)).toBeGreaterThan(Math.max(...dark.colour));
	});

	it("that are damaged or absent are drawn, with a notice for damage", async () => {
		const whole = data().get(PICTURES) as Uint8Array;
		const damaged = Uint8Array.from(whole);
		const at = Buffer.from(whole).indexOf("IDAT") + 8;
		damaged[at] = (damaged[at] as number) ^ 4;
		suite.server.put(PICTURES, damaged);
		const flipped = await visit();
		expect(flipped.widths).toContain(320);
		expect(flipped.notices[0]).toMatch(/thumbnails-0\.zip.*\(pictures are drawn\)/);
		suite.server.put(PICTURES, whole);
		suite.server.fault({ match: /thumbnails-0\.zip$/, status: 404 });
		const absent = await visit();
		expect(absent.widths).toEqual([320, 320, 320, 320]);
		expect(absent.notices).toEqual([]);
	});
});
