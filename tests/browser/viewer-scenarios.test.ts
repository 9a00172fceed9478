import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { argoverse2Files } from "../support/argoverse2.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const ID = "01234567-89ab-4cde-8f01-23456789abcd";
const AT = `/data/av2/val/${ID}`;
const BARE = "/data/bare/scenario_b.parquet";

const suite = app.useViewer(() => {
	const objects = new Map<string, Uint8Array>();
	for (const [name, bytes] of argoverse2Files(ID)) objects.set(`${AT}/${name}`, bytes);
	const [tracks] = [...argoverse2Files("b").values()];
	if (tracks) objects.set(BARE, tracks);
	return { objects };
});

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

type Scenario = Parameters<typeof argoverse2Files>[1];

/** Writes a scenario's folder. */
function putScenario(folder: string, id: string, options?: Scenario): string {
	for (const [name, bytes] of argoverse2Files(id, options)) {
		put(join(folder, name), bytes);
	}
	return join(top, folder);
}

/** Waits until the scenario is displayed with its tracks to predict. */
async function shown(page: Page, scenes: string): Promise<void> {
	await page.getByText(scenes).waitFor();
	await app.settled(page);
	await page.getByRole("button", { name: "Car 7, focal," }).waitFor();
	await page.getByRole("img", { name: "Predictions begin after frame 49" }).waitFor();
}

const lanes = (page: Page, count: number): Promise<void> =>
	page.getByRole("switch", { name: `Lanes ${count}`, exact: true }).waitFor();

/** Returns a position of the ego vehicle on display. */
async function egoX(page: Page): Promise<number | undefined> {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => state.shown?.ego.centroid[0]);
}

describe("an Argoverse 2 scenario", () => {
	it("opens when its folder is dropped, under the strict policy", async () => {
		const { page, complaints } = await app.openApp(suite);
		const before = suite.server.log.length;
		await app.dropFiles(page, [putScenario("0a1e", "0a1e")]);
		await shown(page, "Scene 0, the only one");
		await lanes(page, 2);
		await page.getByText("austin").first().waitFor();
		const asked = suite.server.log.slice(before).map(({ path }) => path);
		expect(
			asked.filter((path) => /\/bev_convert-[^/]+\.wasm$/.test(path)),
		).toHaveLength(1);
		expect(complaints).toEqual([]);
	});

	it("opens when its two files are dropped", async () => {
		const { page } = await app.openApp(suite);
		const folder = putScenario("here", "a", { lanes: 3 });
		const names = ["scenario_a.parquet", "log_map_archive_a.json"];
		await app.dropFiles(
			page,
			names.map((name) => join(folder, name)),
		);
		await shown(page, "Scene 0, the only one");
		await lanes(page, 3);
	});

	it("opens without a map, which the list of layers says", async () => {
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [join(putScenario("here", "a"), "scenario_a.parquet")]);
		await shown(page, "Scene 0, the only one");
		const controller = await app.controllerOf(page);
		expect(await controller.evaluate(({ state }) => state.mapState)).toBe("absent");
	});

	it("opens by the URL of its tracks, or of its folder", async () => {
		for (const address of [`${AT}/scenario_${ID}.parquet`, AT, `${AT}/`]) {
			const { page } = await app.openApp(suite, { link: `v=1&src=${address}` });
			await shown(page, "Scene 0, the only one");
			await lanes(page, 2);
		}
	});

	it("opens by a URL without a map beside it", async () => {
		const { page } = await app.openApp(suite, { link: `v=1&src=${BARE}` });
		await shown(page, "Scene 0, the only one");
		const asked = suite.server.log.map(({ path }) => path);
		expect(asked).toContain("/data/bare/log_map_archive_b.json");
	});

	it("is refused with file, column and row", async () => {
		const { page } = await app.openApp(suite);
		const data = Array.from({ length: 218 }, (_, row) => (row === 5 ? null : 0));
		const columns = { heading: { data, type: "DOUBLE" } } as const;
		await app.dropFiles(page, [putScenario("broken", "a", { columns })]);
		await page
			.getByRole("heading", { name: "This scenario cannot be opened" })
			.waitFor();
		await page
			.getByText("scenario_a.parquet: column heading: null value in row 5")
			.first()
			.waitFor();
	});

	it("is not any Parquet file, or a map alone", async () => {
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [put("submission.parquet", "PAR1")]);
		await page.getByText("found submission.parquet").first().waitFor();
		await page.reload();
		await app.dropFiles(page, [put("log_map_archive_a.json", "{}")]);
		await page.getByText("drop it together with scenario_a.parquet").waitFor();
		await app
			.openApp(suite, { link: "v=1&src=/data/x.parquet" })
			.then((other) =>
				other.page.getByText("x.parquet: not a scenario").first().waitFor(),
			);
	});
});

describe("a folder of scenarios", () => {
	it("is a list of scenes, each with its own frame and map", async () => {
		for (const [i, city] of ["austin", "miami", "pittsburgh"].entries()) {
			putScenario(`many/s${i}`, `s${i}`, { city, x: 1000 * (i + 1), lanes: i + 2 });
		}
		const { page, complaints } = await app.openApp(suite);
		await app.dropFiles(page, [join(top, "many")]);
		await shown(page, "Scene 0 of 0–2");
		await lanes(page, 2);
		expect(await egoX(page)).toBe(1000);
		await page.getByRole("button", { name: "Scene 0 of 0–2" }).click();
		const dialog = page.getByRole("dialog", { name: "Scenes" });
		const rows = dialog.locator("tbody tr");
		expect(await rows.allTextContents()).toHaveLength(3);
		expect(await rows.nth(2).locator("td").allTextContents()).toEqual([
			"Scene 2",
			"s2",
		]);
		expect(await findings(page)).toEqual([]);
		await dialog.getByRole("searchbox", { name: "Find a scenario" }).fill("s2");
		await page.keyboard.press("Enter");
		await shown(page, "Scene 2 of 0–2");
		await lanes(page, 4);
		expect(await egoX(page)).toBe(3000);
		await page.getByText("pittsburgh").first().waitFor();
		await page.getByRole("button", { name: "Previous scene" }).click();
		await shown(page, "Scene 1 of 0–2");
		await lanes(page, 3);
		expect(await egoX(page)).toBe(2000);
		expect(complaints).toEqual([]);
	});

	it("of 1,000 converts one before the first picture", async () => {
		const [[, tracks], [, map]] = [...argoverse2Files("x")] as [
			[string, Uint8Array],
			[string, Uint8Array],
		];
		for (let i = 1000; i < 2000; i += 1) {
			put(`all/${i}/scenario_${i}.parquet`, tracks);
			put(`all/${i}/log_map_archive_${i}.json`, map);
		}
		const { page } = await app.openApp(suite);
		await page.evaluate(() => {
			const counts = { workers: 0, requests: 0 };
			Object.assign(globalThis, { counts });
			globalThis.Worker = class extends Worker {
				readonly #converts: boolean;

				constructor(url: string | URL, options?: WorkerOptions) {
					super(url, options);
					this.#converts = /convert-worker/.test(String(url));
					if (this.#converts) counts.workers += 1;
				}

				override postMessage(message: { type?: string }): void {
					if (this.#converts && message.type === "call") counts.requests += 1;
					super.postMessage(message);
				}
			};
		});
		page.setDefaultTimeout(100_000); // 2,000 files are passed to the browser
		await app.dropFiles(page, [join(top, "all")]);
		await shown(page, "Scene 0 of 0–999");
		const counts = await page.evaluate(
			() => (globalThis as unknown as { counts: unknown }).counts,
		);
		expect(counts).toEqual({ workers: 1, requests: 1 });
	});

	it("shows a scenario that cannot be read as such, and the others", async () => {
		putScenario("many/a", "a");
		put("many/b/scenario_b.parquet", "no Parquet");
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [join(top, "many")]);
		await shown(page, "Scene 0 of 0–1");
		await page.getByRole("button", { name: "Next scene" }).click();
		await page
			.getByText("scenario_b.parquet: not a readable Parquet file", { exact: false })
			.first()
			.waitFor();
		await page.getByRole("button", { name: "Previous scene" }).click();
		await shown(page, "Scene 0 of 0–1");
	});
});

describe("the example scenarios", () => {
	it("open from the start page, with map, lights and tracks to predict", async () => {
		const { page, complaints } = await app.openApp(suite);
		await page.getByRole("button", { name: "Argoverse 2 example" }).click();
		await page.getByText("Scene 0, the only one").waitFor();
		await app.settled(page);
		await lanes(page, 20);
		await page.getByRole("button", { name: "Car 2, focal," }).waitFor();
		const other = await app.openApp(suite);
		await other.page.getByRole("button", { name: "Waymo example" }).click();
		await other.page.getByText("Scene 0 of 0–1").waitFor();
		await app.settled(other.page);
		await lanes(other.page, 20);
		await other.page.getByRole("switch", { name: "Traffic lights 4" }).waitFor();
		const third = await app.openApp(suite);
		await third.page.getByRole("button", { name: "ScenarioNet example" }).click();
		await third.page.getByText("Scene 0, the only one").waitFor();
		await app.settled(third.page);
		await lanes(third.page, 20);
		await third.page.getByRole("button", { name: "Car 2, focal," }).waitFor();
		const last = await app.openApp(suite);
		await last.page.getByRole("button", { name: "nuScenes example" }).click();
		await last.page.getByText("Scene 0 of 0–1").waitFor();
		await app.settled(last.page);
		await lanes(last.page, 20);
		await last.page.getByRole("button", { name: "Car 1, scored," }).waitFor();
		const log = await app.openApp(suite);
		await log.page.getByRole("button", { name: "nuPlan example" }).click();
		await log.page.getByText("Scene 0 of 0–1").waitFor();
		await app.settled(log.page);
		await lanes(log.page, 20);
		await log.page.getByRole("switch", { name: "Traffic lights 12" }).waitFor();
		for (const one of [other, third, last, log]) complaints.push(...one.complaints);
		expect(complaints).toEqual([]);
	});
});
