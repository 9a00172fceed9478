import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FindDialog } from "../../web/src/elements/find/find-dialog.js";
import { GOLDENS } from "../support/goldens.js";
import { type Cell, Comparison, oracle, type Texts } from "./shown/comparison.js";
import { useFiles, withGoldens } from "./tour.js";
import * as app from "./viewer-harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));
const TOWN = at("build/town");
/** Python with pyarrow. */
const ARROW = at("build/python/newest/bin/python");
const CROWD = mkdtempSync(join(tmpdir(), "bev-crowd-"));

/** Scenes and frames to compare, and tracks to select there. */
const PLACES = [
	...["single:0:0", "single:0:80:1:26", "single:0:247", "multi:1:20:3", "multi:4:59:9"],
	...["town:2:100:73", "town:3:84"],
];
const SOURCES: Readonly<Record<string, string>> = {
	single: "/l5/scenes/single_scene.zarr",
	multi: "/l5/scenes/multi_scene.zarr",
	town: "/town/scenes/town.zarr",
	crowd: "/crowd/scenes/town.zarr",
};

/** Displayed texts, by panel. */
type Panels = Readonly<
	Record<"kept" | "tab" | "layers" | "agents" | "lights" | "time" | "scene", Texts>
>;
type Frame = Panels & { readonly ego: Texts; readonly tracks: Record<string, Texts> };
type Search = readonly [table: string, where: string, hits: readonly Texts[]];

/** The output of `oracle.py`. */
interface Computed {
	readonly town: readonly Search[];
	readonly crowd: readonly Search[];
	readonly frames: Readonly<Record<string, Frame>>;
	readonly tables: Readonly<Record<"all" | "26", readonly (readonly Cell[])[]>>;
	/** Values by frame, by quantity. */
	readonly plots: Readonly<Record<"ego" | "26", Record<string, readonly Cell[]>>>;
	readonly lane: Readonly<Record<string, readonly string[]>>;
	readonly models: { readonly files: readonly [string, string] } & Record<
		"list" | "table" | "said",
		Texts
	>;
	readonly rollout: { readonly ego: object; readonly texts: Texts };
}

const suite = app.useViewer(() => withGoldens({ "/town/": TOWN, "/crowd/": CROWD }));
const write = useFiles();
const compared = new Comparison();
let computed: Computed;

beforeAll(() => {
	// Few scenes, in which pedestrians and cyclists come close.
	const crowd =
		"--scenes 8 --frames 4 --seed 3 --agents-min 5 --agents-max 15 --reach 30";
	const options = [...crowd.split(" "), "--no-aerial"];
	execFileSync(at("build/release/bevscope"), ["town", CROWD, ...options]);
	const places = PLACES.join(",");
	computed = oracle("/usr/bin/python3", places, GOLDENS ?? "", TOWN, CROWD);
});

afterAll(() => {
	rmSync(CROWD, { recursive: true });
	console.log(compared.summary);
});

/** Runs `compare`, and expects that all values which it compares are equal. */
async function equal(compare: () => Promise<void>): Promise<void> {
	const [values, before] = [compared.values, compared.differences.length];
	await compare();
	expect(compared.differences.slice(before)).toEqual([]);
	expect(compared.values).toBeGreaterThan(values);
}

async function open(source: string, link = ""): Promise<Page> {
	const { page } = await app.openApp(suite, { link: `v=1&src=${source}${link}` });
	await app.still(page);
	return page;
}

/** Returns the texts of the elements, each joined from those of `parts` in it. */
function joined(page: Page, elements: string, parts: string): Promise<string[]> {
	return page
		.locator(elements)
		.evaluateAll(
			(all, of) =>
				all.map((one) =>
					Array.from(one.querySelectorAll(of), (part) => part.textContent).join(" "),
				),
			parts,
		);
}

/** Compares the panels that describe the displayed frame. */
async function comparePanels(
	page: Page,
	what: string,
	expected: Panels,
): Promise<void> {
	await app.openTab(page, "Agents");
	const layers = await joined(page, "bev-layers .row", ".name, .count");
	const agents = await joined(page, "bev-agent-table tbody tr", "td");
	const lights = await joined(page, "bev-light-list li", ".letter, .id, .faces");
	const id = (light: string) => light.slice(2);
	const shown: Record<keyof Panels, readonly string[]> = {
		kept: await page.locator("bev-layers .kept").allTextContents(),
		tab: await page.locator("bev-agent-table .head div > span").allTextContents(),
		layers: layers.filter((name) => !/^(Ego|Trails|Futures|Aerial)/.test(name)),
		agents: agents.map((row) => row.replace(/^\s*[★☆] /, "")),
		// Sorted by name; the names are another test's.
		lights: lights.sort((a, b) => (id(a) < id(b) ? -1 : 1)),
		time: await page.locator("bev-timeline :is(.time, .frame)").allTextContents(),
		scene: await page.locator("bev-scenes .when").allTextContents(),
	};
	for (const [panel, texts] of Object.entries(shown))
		compared.texts(`${what}, ${panel}`, texts, expected[panel as keyof Panels]);
}

/** Selects the ego vehicle or a track, and compares its card. */
async function compareCard(
	page: Page,
	selection: string,
	expected: Texts,
): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate(
		(it, who) => it.select(who === "ego" ? who : BigInt(who)),
		selection,
	);
	await app.openTab(page, "Selected");
	const card = page.locator("bev-inspector");
	await card.locator(".speeds").waitFor();
	await app.settled(page);
	const values = await card.locator("dd").allTextContents();
	const names = await card.locator("dt").allTextContents();
	const shown = [
		...names.map((name, i) => `${name} ${values[i]}`),
		...(await joined(page, "bev-inspector .speeds", "span")),
		...(await card.locator(".words").allTextContents()),
		...(await card.locator(".known").allTextContents()),
	];
	compared.texts(selection, shown, expected);
}

/** Searches with a filter, and compares the hits. */
async function compareHits(page: Page, [table, where, hits]: Search): Promise<void> {
	const dialog = page.getByRole("dialog", { name: "Search all scenes" });
	await dialog.getByRole("combobox", { name: "Table" }).selectOption(table);
	const box = dialog.getByRole("combobox", { name: "Filter" });
	await box.fill(where);
	await box.press("Enter");
	const none = `No ${table.slice(0, -1)} passes the filter`;
	const count = `${hits.length} ${hits.length === 1 ? "hit" : "hits"}`;
	const found = page.locator("bev-find");
	await expect
		.poll(() =>
			found.evaluate((it: FindDialog) => [it.found?.filter.where, it.found?.phase]),
		)
		.toEqual([where, "done"]);
	if (hits.length > 1) await dialog.getByLabel("Sort").selectOption("found");
	const said = await dialog.locator(".count").allTextContents();
	compared.texts(where, said, [hits.length > 0 ? count : none]);
	const shown = await dialog
		.locator(".hits li")
		.evaluateAll((all) =>
			all.map((one) =>
				Array.from(
					one.querySelectorAll(".where, .hint"),
					({ textContent }) => `${textContent}`,
				),
			),
		);
	for (const [i, texts] of hits.entries())
		compared.texts(`${where}, hit ${i}`, shown[i] ?? [], texts);
}

/** Opens the export dialog, and returns the cells of a CSV and of a JSON file. */
async function savedCells(page: Page, contents: string): Promise<string[][][]> {
	await app.focusPicture(page);
	await page.keyboard.press("e");
	await page.getByLabel("Table contents").selectOption(contents);
	const [, csv] = await app.saved(page, "Save CSV");
	const [, json] = await app.saved(page, "Save JSON");
	const { rows } = JSON.parse(json.toString()) as { rows: Record<string, Cell>[] };
	const lines = csv.toString().trim().split("\r\n").slice(1);
	return [
		lines.map((line) => line.split(",")),
		rows.map((row) => Object.values(row).map((cell) => String(cell ?? ""))),
	];
}

/** Computed in single precision: speed and sum of known classes; in double: yaw. */
const tableTolerance = (column: number): number =>
	column === 9 || column === 15 ? 2 ** -23 : column === 6 ? 1e-12 : 0;

describe("on the screen", () => {
	for (const place of PLACES) {
		const [set = "", scene, frame] = place.split(":");
		it.skipIf(set !== "town" && !GOLDENS)(
			`panels and cards show frame ${frame} of scene ${scene} of ${set}`,
			() =>
				equal(async () => {
					const { ego, tracks, ...panels } = computed.frames[place] as Frame;
					const page = await open(SOURCES[set] ?? "", `&s=${scene}&f=${frame}`);
					await comparePanels(page, place, panels);
					await compareCard(page, "ego", ego);
					for (const [track, card] of Object.entries(tracks))
						await compareCard(page, track, card);
					if (set !== "town") compared.covers(1, 39);
				}),
		);
	}

	it("searches find the facts and frames of the town", () =>
		equal(async () => {
			const page = await open(SOURCES.town ?? "");
			await page.keyboard.press("g");
			for (const search of computed.town) await compareHits(page, search);
			compared.covers(58, 71);
			compared.covers(96);
		}));

	it("a hit of either of two facts names the road user that is close", () =>
		equal(async () => {
			const page = await open(SOURCES.crowd ?? "");
			await page.keyboard.press("g");
			for (const search of computed.crowd) await compareHits(page, search);
			compared.covers(95);
		}));

	it.skipIf(!GOLDENS)(
		"saved tables contain the records of a scene and of a track",
		() =>
			equal(async () => {
				for (const [source, link, contents, table] of [
					[SOURCES.multi, "&s=1", "scene", "all"],
					[SOURCES.single, "&t=26", "selected", "26"],
				] as const) {
					const page = await open(source ?? "", link);
					for (const [i, cells] of (await savedCells(page, contents)).entries()) {
						const what = `${i === 0 ? "CSV" : "JSON"} of ${table}`;
						compared.cells(what, cells, computed.tables[table], tableTolerance);
					}
				}
				compared.covers(40, 42);
			}),
	);

	it.skipIf(!GOLDENS)(
		"plots contain the quantities of the ego vehicle and a track",
		() =>
			equal(async () => {
				const { ego, 26: track } = computed.plots;
				const names = [...new Set([...Object.keys(ego), ...Object.keys(track)])];
				for (let k = 0; k < names.length; k += 8) {
					const charts = names.slice(k, k + 8);
					const page = await open(SOURCES.single ?? "", `&q=${charts}&qt=ego,26`);
					const csv = page.getByRole("button", { name: "CSV" });
					await expect.poll(() => csv.isEnabled()).toBe(true);
					const [, bytes] = await app.downloaded(page, () => csv.click());
					const lines = bytes.toString().trim().split("\r\n").slice(1);
					const shown = lines.map((line) => line.split(",").slice(2));
					const columns = charts.flatMap((name) => [ego[name], track[name]]);
					const rows = Array.from({ length: ego.speed?.length ?? 0 }, (_, frame) =>
						columns.map((of) => of?.[frame] ?? null),
					);
					compared.cells("plots", shown, rows, () => 1e-11);
				}
				compared.covers(43, 57);
			}),
	);

	it.skipIf(!GOLDENS)("a lane's record lists its connections, lights and agents", () =>
		equal(async () => {
			const page = await open(SOURCES.single ?? "", "&f=80");
			await app.openTab(page, "Selected");
			await page.getByLabel("Find a lane, crosswalk or light by id").fill("6169");
			await page.keyboard.press("Enter");
			const record = page.locator("bev-map-record dl");
			await record
				.getByText(/^track \d+$/)
				.first()
				.waitFor();
			const shown = await record.evaluate((list) =>
				Array.from(list.querySelectorAll("dt"), (name) => {
					const value = name.nextElementSibling;
					const all = Array.from(
						value?.querySelectorAll("div") ?? [],
						(one) => `${one.textContent}`,
					);
					return [
						name.textContent ?? "",
						all.length > 0 ? all : [`${value?.textContent}`],
					] as const;
				}),
			);
			for (const [name, texts] of shown.filter(([name]) => name in computed.lane))
				compared.texts(name, texts, computed.lane[name] ?? []);
			expect(shown.map(([name]) => name)).toEqual(
				expect.arrayContaining(Object.keys(computed.lane)),
			);
			compared.covers(92, 94);
		}),
	);

	it.skipIf(!GOLDENS)("lists and means of two models are L5Kit's metrics", () =>
		equal(async () => {
			const { files, list, table, said } = computed.models;
			const page = await open(SOURCES.single ?? "");
			const [a, b] = [write("a.csv", files[0]), write("b.csv", files[1])];
			await app.dropFiles(page, [a, b]);
			const listed = page.getByRole("table", { name: "B worse than A, by agent" });
			const rows = listed.locator("tbody tr");
			await expect.poll(() => rows.count()).toBe(list.length);
			const cells = (scope: Locator) =>
				scope.evaluateAll((all) =>
					all.map((row) =>
						Array.from(row.children, (cell) => cell.textContent?.trim()).join(" "),
					),
				);
			compared.texts("B − A", await cells(rows), list);
			const pairs = page.getByText("pairs end inside the scene");
			compared.texts("pairs", await pairs.allTextContents(), said);
			await page.getByText("Metrics by model").click();
			const means = page.getByRole("table", { name: "Metrics by model, this scene" });
			const shown = await cells(means.locator("tbody").first().locator("tr"));
			compared.texts("means", shown.slice(1), table);
			compared.covers(72, 78);
		}),
	);

	it.skipIf(!GOLDENS)("the measures of a rollout are its drift of 2 cm a frame", () =>
		equal(async () => {
			const { ego, texts } = computed.rollout;
			const scenes = [{ scene: 0, first_frame: 0, ego }];
			const rollout = { format: "bevscope-rollout", version: 1, name: "drift", scenes };
			const page = await open(SOURCES.single ?? "");
			await app.dropFiles(page, [write("drift.json", JSON.stringify(rollout))]);
			const section = page.getByRole("region", { name: "Rollout" });
			await section.getByText("Driven").waitFor();
			const rows = await joined(page, "section.rollout tbody tr", "td");
			const named = rows.filter((row) => /^\s*(Displacement|Yaw)/.test(row));
			const driven = await section.locator(".beside").first().textContent();
			compared.texts("rollout", [...named, `${driven}`], texts);
			compared.covers(79, 80);
		}),
	);

	it.skipIf(!GOLDENS || !existsSync(ARROW))(
		"panels show the tracks of an Argoverse 2 scenario",
		() =>
			equal(async () => {
				const folder = `${GOLDENS}/argoverse2`;
				const frames = oracle<Record<string, Frame>>(ARROW, "--argoverse2", folder);
				const { page } = await app.openApp(suite);
				await app.dropFiles(page, [folder]);
				await app.still(page);
				const controller = await app.controllerOf(page);
				for (const [place, { ego, tracks: _, ...panels }] of Object.entries(frames)) {
					await controller.evaluate(
						(it, frame) => it.seek(frame),
						Number(place.split(":")[2]),
					);
					await app.still(page);
					await comparePanels(page, place, panels);
					await compareCard(page, "ego", ego);
				}
				compared.covers(81, 85);
			}),
	);
});
