import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../support/goldens.js";
import { findings } from "./axe.js";
import { withGoldens } from "./tour.js";
import * as app from "./viewer-harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PROGRAM = at("build/release/bevscope");
const TOWN = at("build/town");

type Row = Readonly<Record<string, unknown>>;

/** A data set: where it is served, and its files for the program. */
interface Set {
	readonly name: string;
	readonly src: string;
	readonly files: readonly [dataset: string, map: string];
	readonly there: boolean;
}

const SETS: readonly Set[] = [
	{
		name: "the town",
		src: "/town/scenes/town.zarr",
		files: [`${TOWN}/scenes/town.zarr`, `${TOWN}/semantic_map/semantic_map.pb`],
		there: true,
	},
	{
		name: "a recorded scene",
		src: "/l5/scenes/single_scene.zarr",
		files: [`${GOLDENS}/inputs/single_scene.zarr`, `${GOLDENS}/inputs/semantic_map.pb`],
		there: GOLDENS !== undefined,
	},
];

const suite = app.useViewer(() => withGoldens({ "/town/": TOWN }, "semantic_map.pb"));

/** Returns the rows that `bevscope facts` writes. */
function written({ files: [dataset, map] }: Set, table: string): readonly Row[] {
	const options = ["--map", map, "--format", "json", "--quiet"];
	if (table === "tracks") options.push("--tracks");
	const bytes = execFileSync(PROGRAM, ["facts", dataset, ...options], {
		maxBuffer: 2 ** 28,
	});
	return JSON.parse(bytes.toString()) as readonly Row[];
}

/** Returns the rows of `dataset.facts()` with the viewer's map, as the program writes them. */
function computed(page: Page, table: string): Promise<readonly Row[]> {
	return page.evaluate(async (name) => {
		const { dataset, map } =
			document.querySelector("bev-viewer")?.controller?.state ?? {};
		const facts = dataset?.facts?.({ table: name as "scenes", map });
		if (!facts) throw new Error("no facts");
		const rows: Record<string, unknown>[] = [];
		for await (const { table: found } of facts.parts({})) {
			for (let row = 0; row < found.rows; row += 1) {
				const entries = found.names.map((column) => {
					const { data, dtype, names } = found.column(column);
					const value = Number(data[row]);
					if (dtype === "|b1") return [column, value === 1];
					if (names) return [column, names[value]];
					return [column, Number.isNaN(value) ? "NaN" : value];
				});
				rows.push(Object.fromEntries(entries));
			}
		}
		return rows;
	}, table);
}

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search all scenes" });
const box = (page: Page) => page.getByRole("combobox", { name: "Filter" });
const hits = (page: Page) =>
	page.getByRole("listbox", { name: "Hits" }).getByRole("option");
const said = (page: Page) => dialog(page).locator(".count");

async function openSearch(page: Page, table: string): Promise<void> {
	await page.keyboard.press("g");
	await dialog(page).waitFor();
	await page.getByRole("combobox", { name: "Table" }).selectOption(table);
}

async function openTown(options: app.OpenOptions = {}): Promise<app.Opened> {
	const link = "v=1&src=/town/scenes/town.zarr&f=80";
	const opened = await app.openApp(suite, { ...options, link });
	await app.settled(opened.page);
	return opened;
}

describe("facts", () => {
	for (const set of SETS) {
		it.skipIf(!set.there)(`of ${set.name} are those of the program`, async () => {
			const link = `v=1&src=${set.src}`;
			const { page, complaints } = await app.openApp(suite, { link });
			await app.settled(page);
			for (const table of ["scenes", "tracks"]) {
				const expected = written(set, table);
				expect(expected.length).toBeGreaterThan(0);
				expect(await computed(page, table)).toEqual(expected);
			}
			expect(complaints).toEqual([]);
		});
	}

	it("are kept: after a reload the data set is not read again", async () => {
		suite.server.etags = true;
		const { page } = await openTown();
		const first = await computed(page, "tracks");
		const kept = async () =>
			page.evaluate(async () => {
				const cache = await caches.open("bevscope-facts-1");
				return (await cache.keys()).length;
			});
		await expect.poll(kept).toBe(1);
		await page.reload();
		await app.settled(page);
		suite.server.log.length = 0;
		expect(await computed(page, "tracks")).toEqual(first);
		const read = suite.server.log.filter(
			({ path, method }) => method === "GET" && /\/agents\/\d+$/.test(path),
		);
		expect(read).toEqual([]);
	});
});

describe("search of facts", () => {
	it("chips write the filter; a hit opens the frame of its fact", async () => {
		const { page, complaints } = await openTown();
		await openSearch(page, "tracks");
		const chip = (name: string) => dialog(page).getByRole("button", { name });
		await chip("Close approach").click();
		expect(await box(page).inputValue()).toBe("closest_ego < 2");
		await expect.poll(() => said(page).textContent()).toBe("17 hits");
		await chip("Vehicle").click();
		expect(await box(page).inputValue()).toBe("closest_ego < 2 and class == 'VEHICLE'");
		expect(await chip("Vehicle").getAttribute("aria-pressed")).toBe("true");
		await expect.poll(() => said(page).textContent()).toBe("17 hits");
		// The closest first.
		expect(await hits(page).first().textContent()).toMatch(
			/scene 1 · frame 236 · track 83\s+closest ego 1\.17 m\s*class Vehicle/,
		);
		const drawn = dialog(page).locator("canvas[data-state=drawn]");
		await expect.poll(() => drawn.count()).toBeGreaterThan(3);
		await page.getByRole("listbox", { name: "Hits" }).focus();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await expect
			.poll(() => app.stateOf(page))
			.toMatchObject({ scene: 3, frame: 235, selection: "64" });
		await expect.poll(() => page.url()).toContain("find=tracks:closest_ego");
		expect(complaints).toEqual([]);
	});

	it("tells that nothing was found, and what is wrong", async () => {
		const { page } = await openTown();
		await openSearch(page, "scenes");
		await dialog(page).getByRole("button", { name: "Unprotected left" }).click();
		await expect
			.poll(() => said(page).textContent())
			.toBe("No scene passes the filter");
		await box(page).fill("xyz == 'left'");
		await box(page).press("Enter");
		const alert = dialog(page).getByRole("alert");
		await expect
			.poll(() => alert.textContent())
			.toMatch(/^filter, column 1: unknown field "xyz" \(expected scene, .* others\)/);
	});

	it("names scenes that cannot be read", async () => {
		suite.server.put("/town/scenes/town.zarr/agents/1", new Uint8Array(10));
		const { page } = await openTown();
		await openSearch(page, "scenes");
		await box(page).fill("frames > 0");
		await box(page).press("Enter");
		await expect
			.poll(() => dialog(page).getByRole("alert").textContent())
			.toMatch(/could not be searched.*: agents\/1: /);
		expect(await said(page).textContent()).toMatch(/^[0-3] hits?$/);
	});

	it("has no accessibility violations, on small screens too", async () => {
		const { page } = await openTown({ height: 700, theme: "light" });
		await openSearch(page, "tracks");
		await box(page).fill("closest_ego < 2");
		await box(page).press("Enter");
		await expect.poll(() => said(page).textContent()).toBe("17 hits");
		for (const width of [1280, 320]) {
			await page.setViewportSize({ width, height: 700 });
			expect(await findings(page)).toEqual([]);
			const overflow = await dialog(page).evaluate(
				(element) => element.scrollWidth - element.clientWidth,
			);
			expect(overflow).toBe(0);
		}
	});
});
