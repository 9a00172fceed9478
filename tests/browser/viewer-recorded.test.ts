import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { GOLDENS } from "../support/goldens.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const SOURCE = "v=1&src=/l5/scenes/single_scene.zarr&f=90";
const STEPS = 10;

const suite = app.useViewer(() => {
	if (!GOLDENS) return {};
	const read = (name: string) => readFileSync(`${GOLDENS}/inputs/${name}`);
	return {
		folders: { "/l5/scenes/": `${GOLDENS}/inputs` },
		objects: new Map([
			["/l5/semantic_map/semantic_map.pb", read("town_map.pb")],
			["/l5/meta.json", read("meta.json")],
		]),
	};
});

const folder = mkdtempSync(join(tmpdir(), "bev-recorded-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The displayed frame's timestamp and tracks, the nearest to the ego vehicle first. */
async function shownTracks(page: Page): Promise<readonly [string, readonly string[]]> {
	const controller = await app.controllerOf(page);
	return controller.evaluate(async ({ state: { dataset, shown } }) => {
		if (!dataset || !shown) throw new Error("no frame is displayed");
		const at = shown.frame;
		const rows = await dataset.frames.rows(at, at + 1, { fields: ["timestamp"] });
		const { track_id, centroid } = shown.agents;
		const [x = 0, y = 0] = shown.ego.centroid;
		const far = (i: number) =>
			Math.hypot((centroid[2 * i] ?? 0) - x, (centroid[2 * i + 1] ?? 0) - y);
		const order = [...track_id.keys()].sort((a, b) => far(a) - far(b));
		const tracks = order.map((i) => String(track_id[i]));
		return [String(rows.column("timestamp").data[0]), tracks] as const;
	});
}

/** Writes predictions of standing agents, one of them `metres` off; returns the path. */
function predictions(
	name: string,
	[time, tracks]: readonly [string, readonly string[]],
	[off, metres]: readonly [string, number],
): string {
	const steps = [...Array(STEPS).keys()].map((k) => `0${k}`);
	const head = ["timestamp", "track_id", "conf_0"];
	const lines = [[...head, ...steps.flatMap((k) => [`coord_x${k}`, `coord_y${k}`])]];
	for (const track of tracks) {
		const x = track === off ? String(metres) : "0";
		lines.push([time, track, "1", ...steps.flatMap(() => [x, "0"])]);
	}
	const path = join(folder, name);
	writeFileSync(path, lines.map((cells) => `${cells.join(",")}\r\n`).join(""));
	return path;
}

async function open(link = SOURCE): Promise<app.Opened> {
	const opened = await app.openApp(suite, { link });
	await app.settled(opened.page);
	return opened;
}

describe.skipIf(!GOLDENS)("a recorded scene", () => {
	it("is compared by two dropped files, up to gallery and link", async () => {
		const { page, complaints } = await open();
		const shown = await shownTracks(page);
		const [worst = "", second = ""] = shown[1];
		await app.dropFiles(page, [
			predictions("a.csv", shown, [second, 20]),
			predictions("b.csv", shown, [worst, 40]),
		]);
		const table = page.getByRole("table", { name: "B worse than A, by agent" });
		await table.waitFor();
		await page.getByRole("button", { name: "Worst" }).click();
		await expect
			.poll(() => app.stateOf(page))
			.toMatchObject({ frame: 90, selection: worst });
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Copy link" }).click();
		await page.getByText("The link lacks local predictions: a.csv, b.csv").waitFor();
		const link = await page.evaluate(
			() => document.querySelector<Viewer>("bev-viewer")?.save() ?? "",
		);
		await page.getByRole("button", { name: "Gallery" }).click();
		const gallery = page.getByRole("dialog", { name: "Gallery" });
		const list = gallery.getByRole("listbox", { name: "Pictures" });
		const items = list.getByRole("option");
		await expect.poll(() => items.count()).toBeGreaterThan(1);
		expect(await items.first().textContent()).toContain(`frame 90 · track ${worst}`);
		const [name, html] = await app.downloaded(page, () =>
			gallery.getByRole("button", { name: "Save HTML" }).click(),
		);
		expect(name).toBe("gallery.html");
		expect(html.toString()).toContain(`track ${worst}`);
		expect(complaints).toEqual([]);
		const { page: other } = await open(link);
		expect(await app.stateOf(other)).toMatchObject({ shown: 90, selection: worst });
	});

	it("has the camera on a track, plots, notes and a picture as SVG", async () => {
		const { page, complaints } = await open(`${SOURCE}&q=ttc,lead_gap,jerk&qt=ego`);
		const [, [track = ""]] = await shownTracks(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it, id) => it.select(BigInt(id)), track);
		await app.openCameras(page);
		const camera = page.getByRole("group", { name: "Camera" });
		await camera.getByRole("button", { name: "Selected" }).click();
		expect(await app.stateOf(page)).toMatchObject({ follow: "selected" });
		await app.openTab(page, "Plots");
		const plot = page.locator('bev-series .chart[data-chart="jerk"] .area');
		await expect.poll(() => plot.getAttribute("aria-label")).toContain("Ego ");
		expect(await findings(page)).toEqual([]);
		await app.openTab(page, "Notes");
		await page.getByLabel("Note", { exact: true }).fill("brakes late");
		await page.getByRole("button", { name: "Add note" }).click();
		await page.getByText("brakes late").first().waitFor();
		await app.focusPicture(page);
		await page.keyboard.press("e");
		const [name, svg] = await app.saved(page, "Save SVG");
		expect(name).toBe("scene-0-frame-90.svg");
		expect(svg.toString()).toMatch(/^<svg/);
		expect(complaints).toEqual([]);
	});

	it("has a map whose elements are found by id, and a list of commands", async () => {
		const { page, complaints } = await open();
		await page.locator("bev-light-list button").first().click();
		const record = page.locator("bev-map-record");
		await record.getByRole("heading", { name: "Traffic light", exact: true }).waitFor();
		await record.getByRole("button").first().waitFor();
		expect(await findings(page)).toEqual([]);
		await app.focusPicture(page);
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Command" }).waitFor();
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});
});
