import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parquetColumns } from "../../web/src/converting/parquet.js";
import {
	argoverse2Files,
	argoverse2Forecasts,
	type ForecastRow,
} from "../support/argoverse2.js";
import { GOLDENS } from "../support/goldens.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const ID = "01234567-89ab-4cde-8f01-23456789abcd";

const suite = app.useViewer(() => ({
	objects: new Map<string, Uint8Array>([
		...[...argoverse2Files(ID)].map(
			([name, bytes]) => [`/data/av2/${ID}/${name}`, bytes] as const,
		),
		["/data/av2/made.parquet", argoverse2Forecasts(forecasts(ID, 1000))],
	]),
}));

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

/** Writes a scenario that begins `seconds` after the usual time. */
function putScenario(id: string, x: number, seconds = 0): void {
	const start = 315_986_559_459_579_000 + seconds * 1e9;
	const all = (value: number) =>
		({ data: new Array<number>(218).fill(value), type: "DOUBLE" }) as const;
	const columns = { start_timestamp: all(start), end_timestamp: all(start + 51e8) };
	for (const [name, bytes] of argoverse2Files(id, { x, columns }))
		put(`all/${id}/${name}`, bytes);
}

/**
 * Two modes of track 7, which are 1 and 3 m off, the less probable one first, and one of
 * track 8, 2 m off, for the two frames after the anchor.
 */
function forecasts(scenario: string, x: number): ForecastRow[] {
	const row = (track: string, probability: number, at: number, y: number) => ({
		...{ scenario, track, probability },
		path: Array.from({ length: 2 }, (_, k): [number, number] => [
			x + at + (50 + k) / 2,
			500 + y,
		]),
	});
	return [row("7", 0.25, 12, 3), row("7", 0.75, 12, 1), row("8", 1, 9, 7)];
}

const table = (page: Page, name: string) => page.getByRole("table", { name });

const agentRows = (page: Page) =>
	table(page, "Predictions by agent").locator("tbody tr").allInnerTexts();

describe("forecasts of Argoverse 2", () => {
	it("are dropped, scored as by the challenge, and drawn", async () => {
		putScenario("a", 1000);
		const { page, complaints } = await app.openApp(suite);
		await app.dropFiles(page, [join(top, "all/a")]);
		await page.getByText("Scene 0, the only one").waitFor();
		await app.settled(page);
		const file = argoverse2Forecasts([
			...forecasts("other", 0),
			...forecasts("a", 1000),
		]);
		await app.dropFiles(page, [put("model.parquet", file)]);
		await table(page, "Predictions by agent").waitFor();
		expect(await agentRows(page)).toEqual([
			expect.stringMatching(/^8\s+49\s+2\.00\s+2\.00\s+\S+\s+2\/2$/),
			expect.stringMatching(/^7\s+49\s+1\.00\s+1\.00\s+\S+\s+2\/2$/),
		]);
		await page.getByRole("button", { name: "Worst" }).click();
		expect(await app.stateOf(page)).toMatchObject({ frame: 49, selection: "8" });
		await page.getByText("Predictions of this frame: 2 agents").waitFor();
		const controller = await app.controllerOf(page);
		const lines = await controller.evaluate(({ state: { review } }) => {
			const { modes, confidences, tracks } = review.lines ?? {};
			return [
				Array.from(tracks ?? [], String),
				Array.from(confidences ?? []),
				Array.from(modes?.points.subarray(0, 4) ?? []),
			];
		});
		// Track 8 has one mode only.
		expect(lines[0]).toEqual(["7", "7", "8"]);
		expect(lines[1]).toEqual([0.75, 0.25, 1]);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("of several scenarios and models are compared in all scenes", async () => {
		putScenario("a", 1000);
		putScenario("b", 2000, 100);
		const { page, complaints } = await app.openApp(suite);
		await app.dropFiles(page, [join(top, "all")]);
		await page.getByText("Scene 0 of 0–1").waitFor();
		await app.settled(page);
		const good = [...forecasts("b", 2000), ...forecasts("a", 1000)];
		const bad = [...forecasts("a", 1000), ...forecasts("b", 2040)];
		await app.dropFiles(page, [
			put("good.parquet", argoverse2Forecasts(good)),
			put("bad.parquet", argoverse2Forecasts(bad, "UNCOMPRESSED")),
		]);
		await table(page, "B worse than A, by agent").waitFor();
		await page.getByLabel("Listed predictions").selectOption("B − A, all scenes");
		const rows = table(page, "B worse than A, by agent").locator("tbody tr");
		await expect.poll(() => rows.count()).toBe(4);
		const [worst = ""] = await rows.allInnerTexts();
		// A is the first in the list of files, whatever is read first.
		expect(worst).toMatch(/^[01]\s+[78]\s+49\s/);
		const values = (await rows.allInnerTexts()).map((text) => text.split(/\s+/));
		const far = values
			.filter(([scene]) => scene === "1")
			.map((cells) => cells.slice(3));
		for (const cells of far)
			expect(Math.max(...cells.slice(0, 2).map(Number))).toBeGreaterThan(38);
		const near = values.filter(([scene]) => scene === "0").map((cells) => cells[5]);
		expect(near).toEqual(["0.00", "0.00"]);
		expect(complaints).toEqual([]);
	});

	it("are read from a URL, and are in the link", async () => {
		const link = `v=1&src=/data/av2/${ID}&pr=/data/av2/made.parquet`;
		const { page, complaints } = await app.openApp(suite, { link });
		await app.settled(page);
		await app.openTab(page, "Predictions");
		await expect.poll(async () => (await agentRows(page)).length).toBe(2);
		const saved = await page.evaluate(() =>
			document.querySelector("bev-viewer")?.save(),
		);
		expect(saved).toContain("pr=/data/av2/made.parquet");
		expect(complaints).toEqual([]);
	});

	it("of scenarios of one time are refused", async () => {
		putScenario("a", 1000);
		putScenario("b", 2000);
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [join(top, "all")]);
		await page.getByText("Scene 0 of 0–1").waitFor();
		await app.settled(page);
		const both = [...forecasts("a", 1000), ...forecasts("b", 2000)];
		await app.dropFiles(page, [put("both.parquet", argoverse2Forecasts(both))]);
		await app.openTab(page, "Predictions");
		const alert = page.getByRole("alert");
		await alert
			.filter({ hasText: "scenarios a and b: equal timestamps of track 7" })
			.waitFor();
	});

	it("of other scenarios, or other files, are refused by name", async () => {
		putScenario("a", 1000);
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [join(top, "all/a")]);
		await page.getByText("Scene 0, the only one").waitFor();
		await app.settled(page);
		const others = argoverse2Forecasts(forecasts("none", 0));
		await app.dropFiles(page, [put("others.parquet", others)]);
		await app.openTab(page, "Predictions");
		const alert = page.getByRole("alert");
		await alert
			.filter({ hasText: "none of 3 rows is of a scenario that is open" })
			.waitFor();
		await app.dropFiles(page, [put("text.parquet", "PAR1 no Parquet")]);
		await alert
			.filter({ hasText: "text.parquet: not a readable Parquet file" })
			.waitFor();
		expect((await app.stateOf(page)).phase).toBe("ready");
	});

	it.skipIf(!GOLDENS)("of the published scenario have its errors", async () => {
		const folder = join(GOLDENS ?? "", "argoverse2");
		const id = "0a1e6f0a-1817-4a98-b02e-db8c9327d151";
		const tracks = readFileSync(join(folder, `scenario_${id}.parquet`));
		const names = ["track_id", "timestep", "position_x", "position_y"];
		const columns = await parquetColumns(Uint8Array.from(tracks).buffer, names, []);
		const of = (name: string) => columns.find((column) => column.name === name);
		const numbers = (name: string) => of(name)?.numbers ?? [];
		const integers = of("timestep")?.integers ?? [];
		const { text, integers: ends } = of("track_id") ?? {};
		if (!text || !ends) throw new Error("track_id is no text");
		const offsets = Array.from(ends, Number);
		const path: [number, number][] = [];
		for (let row = 0; row < integers.length; row += 1) {
			const name = new TextDecoder().decode(text.slice(offsets[row], offsets[row + 1]));
			const step = Number(integers[row]) - 49;
			if (name === "138951" && step >= 0)
				path[step] = [
					numbers("position_x")[row] ?? Number.NaN,
					numbers("position_y")[row] ?? Number.NaN,
				];
		}
		expect(path).toHaveLength(61);
		const [first = [0, 0], ...recorded] = path;
		const still = recorded.map((): [number, number] => first);
		const shifted = recorded.map(([x, y]): [number, number] => [x + 3, y + 4]);
		const error = (modes: readonly (readonly [number, number])[][]) => {
			const far = modes.map((mode) =>
				mode.map(([x, y], k) =>
					Math.hypot(
						x - (recorded[k]?.[0] ?? Number.NaN),
						y - (recorded[k]?.[1] ?? Number.NaN),
					),
				),
			);
			const mean = far.map((all) => all.reduce((a, b) => a + b) / all.length);
			return [Math.min(...mean), Math.min(...far.map((all) => all.at(-1) ?? 0))];
		};
		const row = (probability: number, mode: [number, number][]): ForecastRow => ({
			...{ scenario: id, track: "138951", probability, path: mode },
		});
		const file = argoverse2Forecasts([row(0.5, still), row(0.5, shifted)]);
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [folder]);
		await page.getByText("Scene 0, the only one").waitFor();
		await app.settled(page);
		await app.dropFiles(page, [put("model.parquet", file)]);
		await table(page, "Predictions by agent").waitFor();
		const controller = await app.controllerOf(page);
		const mean = await controller.evaluate(
			({ state: { review } }) =>
				review.report && [review.report.mean.ade, review.report.mean.fde],
		);
		const [ade = Number.NaN, fde = Number.NaN] = error([still, shifted]);
		expect(mean?.[0]).toBeCloseTo(ade, 5);
		expect(mean?.[1]).toBeCloseTo(fde, 5);
		expect(fde).toBeGreaterThan(1);
	});
});
