import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nuplanBytes } from "../../web/test/support/nuplan-files.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer(() => ({
	objects: new Map([
		["/data/with/made-up.db", nuplanBytes("made-up.db")],
		["/data/with/map.gpkg", nuplanBytes("map.gpkg")],
		["/data/without/made-up.db", nuplanBytes("made-up.db")],
	]),
}));

let top = "";
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterEach(() => rmSync(top, { recursive: true }));

async function shown(page: Page, hasMap: boolean): Promise<void> {
	await page.getByText("Scene 0 of 0–1").waitFor();
	await app.settled(page);
	const lanes = page.getByRole("switch", { name: "Lanes 4" });
	await lanes.waitFor({ state: hasMap ? "visible" : "detached" });
}

describe("logs of nuPlan", () => {
	it("open when they are dropped, with the map that is dropped too", async () => {
		const { page } = await app.openApp(suite);
		const paths = ["made-up.db", "map.gpkg"].map((name) => {
			const path = join(top, name);
			writeFileSync(path, nuplanBytes(name));
			return path;
		});
		await app.dropFiles(page, paths);
		await shown(page, true);
	});

	it("open by their URL, with the map that lies beside them", async () => {
		for (const [folder, hasMap] of [
			["with", true],
			["without", false],
		] as const) {
			const link = `v=1&src=/data/${folder}/made-up.db`;
			const { page } = await app.openApp(suite, { link });
			await shown(page, hasMap);
		}
	});

	it("list the tags of their scenes, by which scenes are found", async () => {
		const link = "v=1&src=/data/without/made-up.db";
		const { page, complaints } = await app.openApp(suite, { link });
		await shown(page, false);
		await page.getByRole("button", { name: "Scene 0 of 0–1" }).click();
		const dialog = page.getByRole("dialog", { name: "Scenes" });
		const grid = dialog.getByRole("grid", { name: "List of scenes" });
		await grid.getByText("following_lane_with_lead, on_intersection").first().waitFor();
		await dialog
			.getByText("Tags of scene 0: following_lane_with_lead, on_intersection")
			.waitFor();
		expect(await findings(page)).toEqual([]);
		const find = dialog.getByRole("searchbox", { name: "Find a scenario or tag" });
		await find.fill("on_inter 0001");
		await dialog.getByText("1 of 2 scenes match").waitFor();
		await find.fill("stopping");
		await dialog.getByText("No scene matches").waitFor();
		expect(complaints).toEqual([]);
	});

	it("are not found where there is none", async () => {
		const { page } = await app.openApp(suite, { link: "v=1&src=/data/no/a.db" });
		await page.getByRole("heading", { name: "No scenario at this URL" }).waitFor();
	});
});
