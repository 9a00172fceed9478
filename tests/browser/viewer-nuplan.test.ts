import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** What simulations are made of: the log's name, times and places of the first scene. */
async function recorded(page: Page) {
	const controller = await app.controllerOf(page);
	return controller.evaluate(async ({ state }) => {
		const { dataset } = state;
		if (!dataset) throw new Error("no data set");
		const rows = await dataset.frames.rows(0, 2);
		const { scenes } = (dataset.attrs as { bevscope: { scenes: unknown[] } }).bevscope;
		const { log, moved_by } = scenes[0] as { log: string; moved_by: number[] };
		return {
			...{ log, movedBy: moved_by },
			times: Array.from(rows.column("timestamp").data, Number),
			places: Array.from(rows.column("ego_translation").data, Number),
		};
	});
}

describe("simulations of nuPlan beside a log", () => {
	it("are drawn as a rollout of its scene, moved as the log is", async () => {
		const link = "v=1&src=/data/with/made-up.db";
		const { page, complaints } = await app.openApp(suite, { link });
		await shown(page, true);
		const { log, movedBy, times, places } = await recorded(page);
		// Two metres beside the recording; the plan goes on from there.
		const place = (k: number): number[] => [
			(places[3 * k] ?? 0) - (movedBy[0] ?? 0),
			(places[3 * k + 1] ?? 0) - (movedBy[1] ?? 0) + 2,
			0,
		];
		const folder = join(top, "net/stopping", log, "0123456789abcdef");
		mkdirSync(folder, { recursive: true });
		times.forEach((time, k) => {
			const states = [{ pose: place(k) }, { pose: place(times.length - 1) }];
			const box = { pose: place(0), size: [2, 4] };
			const scene = {
				...{ timestamp_us: Math.round(time / 1000), ego: { pose: place(k) } },
				world: { vehicles: [{ id: "0a", speed: 3, box }] },
				trajectories: {
					ego_predicted_trajectory: { states },
					ego_expert_trajectory: { states },
				},
			};
			writeFileSync(join(folder, `${k}.json`), JSON.stringify(scene));
		});
		await app.dropFiles(page, [join(top, "net")]);
		await page.getByText("net: opened as a rollout; see Rollout").waitFor();
		await page.getByRole("tab", { name: "Rollout" }).click();
		const section = page.getByRole("region", { name: "Rollout" });
		await section.getByText("Plan in this frame").waitFor();
		const controller = await app.controllerOf(page);
		const displacement = () =>
			controller.evaluate(({ state }) => [
				...(state.rollout?.report?.displacement ?? []),
			]);
		await expect.poll(displacement).toHaveLength(times.length);
		for (const metres of await displacement()) expect(metres).toBeCloseTo(2, 3);
		expect(await section.getByRole("alert").count()).toBe(0);
		expect(await findings(page)).toEqual([]);
		// The recording stays, with its map.
		await page.getByText("Scene 0 of 0–1").waitFor();
		await page.getByRole("switch", { name: "Lanes 4" }).waitFor();
		expect(complaints).toEqual([]);
	});

	it("of another log open by themselves, and say why", async () => {
		const link = "v=1&src=/data/without/made-up.db";
		const { page } = await app.openApp(suite, { link });
		await shown(page, false);
		const folder = join(top, "net/stopping/other-log/ab");
		mkdirSync(folder, { recursive: true });
		const scene = { timestamp_us: 1e15, ego: { pose: [664000, 3999000, 0] } };
		writeFileSync(join(folder, "0.json"), JSON.stringify(scene));
		await app.dropFiles(page, [join(top, "net")]);
		await page
			.getByText(
				/of log other-log: no open scene has its log and time; opened by itself/,
			)
			.waitFor();
	});
});
