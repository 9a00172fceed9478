import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import { zipOf } from "../support/zip.js";
import * as app from "./viewer-harness.js";

const TOWN = ["town-example", "town"]
	.map((name) => fileURLToPath(new URL(`../../build/${name}`, import.meta.url)))
	.find((folder) => statSync(`${folder}/scenes`, { throwIfNoEntry: false }));

const suite = app.useViewer();
let top = "";

beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterEach(() => rmSync(top, { recursive: true }));

/** Writes a file below the test's folder; returns its path. */
function put(name: string, bytes: Uint8Array | string): string {
	const path = join(top, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, bytes);
	return path;
}

function putTiny(folder: string): string {
	for (const [key, bytes] of tinyDataset()) put(join(folder, key), bytes);
	return join(top, folder);
}

/** Returns the files below `folder` by path, as entries of a zip. */
function filesBelow(folder: string, prefix = ""): [string, Uint8Array][] {
	return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
		const path = `${prefix}${entry.name}`;
		return entry.isDirectory()
			? filesBelow(folder, `${path}/`)
			: [[path, readFileSync(join(folder, path))] as [string, Uint8Array]];
	});
}

const mapFiles = (): string[] => {
	if (!TOWN) throw new Error("no build/town");
	return [`${TOWN}/semantic_map/semantic_map.pb`, `${TOWN}/meta.json`];
};

async function mapShown(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	await page.waitForFunction(({ state }) => state.mapState === "present", controller);
}

/** Checks that the tiny data set is still displayed. */
async function expectTiny(page: Page): Promise<void> {
	expect(await app.stateOf(page)).toMatchObject({ phase: "ready", shown: 0 });
	expect(await page.locator(".crumbs").textContent()).toContain("tiny.zarr");
}

describe("dropping on open data", () => {
	it("shows the effect before the files are dropped", async () => {
		const { page } = await app.openTiny(suite);
		const cases: [string, string][] = [
			[put("p.csv", "timestamp\n"), "Add predictions"],
			[put("a.zip", "PK"), "Open this zip"],
			[put("a.png", "png"), "Unsupported file type"],
		];
		for (const [file, text] of cases) {
			const drag = await app.dragFiles(page, [file]);
			await page.locator(".over").getByText(text).waitFor();
			await drag.cancel();
		}
		await app.dragFiles(page, mapFiles());
		await page.locator(".over").getByText("Open or add these files").waitFor();
	});

	it("uses a .pb and its meta.json as the map", async () => {
		const { page } = await app.openTiny(suite);
		await app.dropFiles(page, mapFiles());
		await mapShown(page);
		await expectTiny(page);
	});

	it("reads each of two CSV files as a model", async () => {
		const { page } = await app.openTiny(suite);
		const row = "timestamp,track_id,conf_0,coord_x00,coord_y00\n1,1,1.0,0.0,0.0\n";
		await app.dropFiles(page, [put("a.csv", row), put("b.csv", row)]);
		const controller = await app.controllerOf(page);
		await page.waitForFunction(
			({ state: { review } }) =>
				review.models.map(({ name }) => name).join() === "a.csv,b.csv",
			controller,
		);
		await expectTiny(page);
	});

	it("reports an unsupported image", async () => {
		const { page } = await app.openTiny(suite);
		await app.dropFiles(page, [put("photo.png", "png")]);
		await page.getByText("photo.png is no data", { exact: false }).waitFor();
		await expectTiny(page);
	});

	it("applies a config to the raster", async () => {
		const { page } = await app.openTiny(suite);
		await app.dropFiles(page, [put("config.yaml", "raster_params: {}\n")]);
		await page.getByText("config.yaml: raster config loaded").waitFor();
		await expectTiny(page);
	});

	it("keeps the open data if a folder has no data set, and lists its files", async () => {
		const { page } = await app.openTiny(suite);
		put("holiday/one.jpg", "x");
		await app.dropFiles(page, [join(top, "holiday")]);
		await page.getByText("No data set in these files").waitFor();
		await page.getByText("found one.jpg", { exact: false }).waitFor();
		await page.getByRole("button", { name: "Back to tiny.zarr" }).click();
		await page.getByText("frame 0 of 0–5").waitFor();
		await expectTiny(page);
	});

	it("replaces the open data by a folder", async () => {
		const { page } = await app.openTiny(suite);
		await app.dropFiles(page, [putTiny("other.zarr")]);
		await page.locator(".crumbs").getByText("other.zarr").waitFor();
		await app.settled(page);
	});
});

describe("dropping data with its map", () => {
	it("finds the map in a .zip of the whole folder", async () => {
		if (!TOWN) throw new Error("no build/town");
		const parts = filesBelow(TOWN).filter(([name]) => !name.startsWith("aerial"));
		const zip = put(
			"town.zip",
			zipOf(parts, () => false),
		);
		const { page, complaints } = await app.openApp(suite);
		await app.dropFiles(page, [zip]);
		await mapShown(page);
		await app.settled(page);
		expect(complaints).toEqual([]);
	});

	it("finds the map in a .zip at a URL", async () => {
		if (!TOWN) throw new Error("no build/town");
		const parts = filesBelow(TOWN).filter(([name]) => !name.startsWith("aerial"));
		suite.server.put(
			"/data/town.zip",
			zipOf(
				parts.map(([name, bytes]) => [`town/${name}`, bytes] as const),
				() => false,
			),
		);
		const { page } = await app.openApp(suite, { link: "v=1&src=/data/town.zip" });
		await mapShown(page);
	});

	it("opens a .zarr with a .pb and meta.json dropped together", async () => {
		if (!TOWN) throw new Error("no build/town");
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [`${TOWN}/scenes/town.zarr`, ...mapFiles()]);
		await mapShown(page);
	});

	const severalZip = (): Uint8Array =>
		zipOf(
			["sample", "train"].flatMap((name) =>
				[...tinyDataset()].map(
					([key, bytes]) => [`lyft/scenes/${name}.zarr/${key}`, bytes] as const,
				),
			),
		);

	it("offers a choice of several data sets in a .zip", async () => {
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [put("lyft.zip", severalZip())]);
		await page.getByText("Choose a data set").waitFor();
		await page.getByRole("button", { name: "lyft/scenes/train.zarr" }).click();
		await page.getByText("frame 0 of 0–5").waitFor();
		expect(await page.locator(".crumbs").textContent()).toContain("train.zarr");
	});

	it("stores the chosen data set of a .zip in the link", async () => {
		suite.server.put("/data/lyft.zip", severalZip());
		const { page } = await app.openApp(suite, { link: "v=1&src=/data/lyft.zip" });
		await page.getByText("Choose a data set").waitFor();
		await page.getByRole("button", { name: "lyft/scenes/train.zarr" }).click();
		await page.getByText("frame 0 of 0–5").waitFor();
		await page.waitForFunction(() =>
			decodeURIComponent(location.hash).includes("lyft.zip#lyft/scenes/train.zarr"),
		);
		await page.reload();
		await page.getByText("frame 0 of 0–5").waitFor();
		expect(await page.locator(".crumbs").textContent()).toContain("train.zarr");
		expect(await page.getByText("Choose a data set").count()).toBe(0);
	});

	it("offers a choice of several data sets", async () => {
		putTiny("lyft/scenes/sample.zarr");
		putTiny("lyft/scenes/train.zarr");
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [join(top, "lyft")]);
		await page.getByText("Choose a data set").waitFor();
		await page.getByText("lyft contains 2 of them. Which one?").waitFor();
		expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
		await page.getByRole("button", { name: "scenes/train.zarr" }).click();
		await page.getByText("frame 0 of 0–5").waitFor();
		expect(await page.locator(".crumbs").textContent()).toContain("train.zarr");
	});
});
