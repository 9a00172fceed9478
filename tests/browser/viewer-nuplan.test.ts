import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, it } from "vitest";
import { nuplanBytes } from "../../web/test/support/nuplan-files.js";
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

	it("are not found where there is none", async () => {
		const { page } = await app.openApp(suite, { link: "v=1&src=/data/no/a.db" });
		await page.getByRole("heading", { name: "No scenario at this URL" }).waitFor();
	});
});
