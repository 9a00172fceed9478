import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { findings } from "./axe.js";
import { predict } from "./state-steps.js";
import { PLACES, useTour } from "./tour.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Opens two models' predictions of a scene and their distributions. */
async function opened(link = "") {
	const { page, complaints } = await app.openModels(suite, { link });
	await app.openTab(page, "Distributions");
	await page.getByText(/ predictions in 1 of 1 scene$/).waitFor();
	return { page, complaints };
}

const linkOf = (page: Page) =>
	page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.save() ?? "");

const chart = (page: Page, name: string): Locator =>
	page.getByRole("slider", { name: `${name}: histogram` });

/** Returns words and count of each bar, which keys go through. */
async function barsOf(slider: Locator): Promise<Map<string, number>> {
	const count = Number(await slider.getAttribute("aria-valuemax"));
	const bars = new Map<string, number>();
	await slider.focus();
	await slider.press("Home");
	for (let i = 0; i < count; i += 1) {
		const text = (await slider.getAttribute("aria-valuetext")) ?? "";
		const [, words = "", number = ""] =
			/^(.*): ([\d,]+)(?: of [\d,]+)?(?:, chosen)?$/.exec(text) ?? [];
		bars.set(words, Number(number.replaceAll(",", "")));
		await slider.press("ArrowRight");
	}
	return bars;
}

/** Returns the texts of a table's rows. */
const cellsOf = (table: Locator): Promise<string[][]> =>
	table
		.locator("tbody tr")
		.evaluateAll((rows) =>
			rows.map((row) =>
				[...row.querySelectorAll("td")].map((cell) => cell.textContent.trim()),
			),
		);

/** Returns a count as displayed. */
const words = (count: number): string => count.toLocaleString("en");

type Row = Readonly<Record<string, string>>;

/** Returns the rows that the panel saves: all, or the kept ones. */
async function savedRows(page: Page): Promise<Row[]> {
	const [name, bytes] = await app.downloaded(page, () =>
		page.getByRole("button", { name: "CSV", exact: true }).click(),
	);
	expect(name).toBe("predictions.csv");
	const [head = "", ...lines] = bytes.toString().trim().split("\r\n");
	const titles = head.split(",");
	return lines.map((line) =>
		Object.fromEntries(line.split(",").map((cell, i) => [titles[i] ?? "", cell])),
	);
}

/** Counts rows by the bars' words: `1 to 2 m`, `2 m or more`, `no value`, or a name. */
function countsBy(rows: readonly Row[], column: string, bars: Iterable<string>) {
	const isIn = (words: string, cell = ""): boolean => {
		if (words === "no value") return cell === "";
		if (cell === "") return false;
		const number = (text = "") => Number(text.replace("\u2212", "-"));
		const value = Number(cell);
		const [, from, to] = /^(\S+) to (\S+)/.exec(words) ?? [];
		if (from) return number(from) <= value && value < number(to);
		const [, low] = /^(\S+)(?: \S+)? or more$/.exec(words) ?? [];
		if (low) return value >= number(low);
		const [, high] = /^below (\S+)/.exec(words) ?? [];
		return high ? value < number(high) : words === cell;
	};
	const count = (words: string) =>
		rows.filter((row) => isIn(words, row[column])).length;
	return new Map([...bars].map((words) => [words, count(words)]));
}

describe("distributions", () => {
	it("count what a loop over all rows counts, with and without brushes", async () => {
		const { page, complaints } = await opened();
		const rows = await savedRows(page);
		const charts = [
			...(["ADE", "FDE", "speed", "turn"] as const),
			...(["class", "model", "recorded steps"] as const),
		];
		const columns: Readonly<Record<string, string>> = {
			...{ ADE: "ade", FDE: "fde", "recorded steps": "steps" },
		};
		const check = async (kept: (row: Row) => boolean, but?: string) => {
			for (const name of charts.filter((one) => one !== but)) {
				const bars = await barsOf(chart(page, name));
				const column = columns[name] ?? name;
				expect([name, bars]).toEqual([
					name,
					countsBy(rows.filter(kept), column, bars.keys()),
				]);
			}
		};
		await check(() => true);
		const speed = chart(page, "speed");
		await speed.focus();
		for (const key of ["Home", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"])
			await speed.press(key);
		const chip = page.getByRole("button", { name: /^Remove the brush speed: / });
		const [, low = "", high = ""] =
			/speed: (\S+) to (\S+) m.s$/.exec(
				(await chip.getAttribute("aria-label")) ?? "",
			) ?? [];
		const isIn = ({ speed: value = "" }: Row): boolean =>
			value !== "" && Number(low) <= Number(value) && Number(value) < Number(high);
		const kept = rows.filter(isIn).length;
		expect(kept).toBeGreaterThan(0);
		expect(kept).toBeLessThan(rows.length);
		await page
			.getByText(`${words(kept)} of ${words(rows.length)} predictions kept`)
			.waitFor();
		await check(isIn, "speed");
		expect(await savedRows(page)).toEqual(rows.filter(isIn));
		expect(await findings(page)).toEqual([]);
		await chip.click();
		await page.getByText(`${words(rows.length)} predictions in`).waitFor();
		expect(complaints).toEqual([]);
	});

	it("filter list, gallery and picture of the predictions, and are in the link", async () => {
		const { page, complaints } = await opened();
		const controller = await app.controllerOf(page);
		const drawn = () =>
			controller.evaluate(({ state }) =>
				state.review.drawn.map(({ lines }) => lines.truthTracks.length),
			);
		expect(await drawn()).toEqual([100, 100]);
		const rows = await savedRows(page);
		const distance = chart(page, "distance to ego");
		await distance.focus();
		await distance.press("Home");
		await distance.press("Enter");
		const chip = page.getByRole("button", {
			name: /^Remove the brush distance to ego: /,
		});
		const [, high = ""] =
			/to (\S+) m$/.exec((await chip.getAttribute("aria-label")) ?? "") ?? [];
		const isIn = ({ distance: value = "" }: Row): boolean =>
			value !== "" && Number(value) < Number(high);
		const here = rows.filter((row) => row.frame === "0" && isIn(row));
		const of = (model: string) => here.filter((row) => row.model === model).length;
		await expect.poll(drawn).toEqual([of("model 1"), of("model 2")]);
		const list = page.getByRole("table", { name: "Largest by distance to ego" });
		await list.getByRole("button").nth(2).click();
		const selected = () =>
			controller.evaluate(({ state }) => [state.frame, String(state.selection)]);
		const [, frame, track] =
			/frame (\d+), track (\d+)/.exec(
				(await list.getByRole("button").nth(2).getAttribute("aria-label")) ?? "",
			) ?? [];
		await expect.poll(selected).toEqual([Number(frame), track]);
		await app.openTab(page, "Predictions");
		const all = rows.filter((row) => row.model === "model 1");
		const own = all.filter(isIn);
		await page
			.getByText(
				`Distributions keep ${words(own.length)} of ${words(all.length)} predictions.`,
			)
			.waitFor();
		await page.getByLabel("Listed predictions").selectOption("By agent");
		const kept = new Set(rows.filter(isIn).map((row) => `${row.track} ${row.frame}`));
		const listed = await page
			.getByRole("table", { name: "Predictions by agent" })
			.locator("tbody tr")
			.evaluateAll((all) =>
				all.map((row) =>
					[...row.querySelectorAll("td")].slice(0, 2).map((cell) => cell.textContent),
				),
			);
		expect(listed.length).toBeGreaterThan(0);
		for (const [who, when] of listed)
			expect(kept).toContain(`${who?.trim()} ${when?.trim()}`);
		await page.getByLabel("Listed predictions").selectOption("By frame");
		const byFrame = page.getByRole("table", { name: "Predictions by frame" });
		await byFrame.waitFor();
		const frames = new Set(own.map((row) => row.frame ?? ""));
		await expect.poll(() => byFrame.locator("tbody tr").count()).toBe(frames.size);
		const means = await cellsOf(byFrame);
		for (const [frame = "", ade, , , agents] of means) {
			const of = own.filter((row) => row.frame === frame);
			expect([frame, Number(agents)]).toEqual([frame, of.length]);
			const known = of.filter((row) => row.ade !== "");
			const sum = known.reduce((total, row) => total + Number(row.ade), 0);
			if (known.length === 0) expect(ade).toBe("\u2013");
			else expect(Math.abs(Number(ade) - sum / known.length)).toBeLessThan(0.006);
		}
		await page.getByLabel("Listed predictions").selectOption("B \u2212 A by frame");
		await page.getByText(`Distributions keep ${words(own.length)} pairs:`).waitFor();
		const compared = page.getByRole("table", { name: "B worse than A, by frame" });
		const scored = own.filter((row) => row.ade !== "");
		const { size } = new Set(scored.map((row) => row.frame));
		await expect.poll(() => compared.locator("tbody tr").count()).toBe(size);
		await page.getByRole("slider", { name: `of B over A, ${size} points` }).waitFor();
		await page.getByLabel("Listed predictions").selectOption("B \u2212 A, all scenes");
		const known = words(scored.length);
		await page.getByRole("slider", { name: `of B over A, ${known} points` }).waitFor();
		await page.getByText("Metrics by model, all predictions").waitFor();
		const link = await linkOf(page);
		expect(link).toMatch(/ds=predictions;on=distance;b\.distance=[^&]*~/);
		await app.openTab(page, "Distributions");
		await page.getByRole("button", { name: "Clear", exact: true }).click();
		await expect.poll(drawn).toEqual([100, 100]);
		expect(complaints).toEqual([]);
		await page.context().close();
		const again = await opened(new URLSearchParams({ ds: "x;y" }).toString());
		expect(again.complaints).toEqual([]);
	});
});

describe("charts", () => {
	it("are painted when they come into view", async () => {
		const { page } = await opened();
		const charts = page.locator("bev-histogram canvas");
		/** Canvases have 300 pixels until they are painted. */
		const painted = () =>
			charts.evaluateAll(
				(all) => all.filter((it) => (it as HTMLCanvasElement).width !== 300).length,
			);
		await page.getByRole("button", { name: "CSV", exact: true }).waitFor();
		const count = await charts.count();
		await expect.poll(painted).toBeGreaterThan(0);
		await app.drawn(page);
		expect(await painted()).toBeLessThan(count);
		await page
			.getByRole("button", { name: "CSV", exact: true })
			.scrollIntoViewIfNeeded();
		for (let k = 0; k < count; k += 1) await charts.nth(k).scrollIntoViewIfNeeded();
		await expect.poll(painted).toBe(count);
	});
});

describe("distributions of facts", () => {
	it("are of all scenes: box plots, means, a scatter plot, files", async () => {
		const { page, complaints } = await app.openTiny(suite, {
			link: "ds=scenes;boxes;xy=frames,duration;b.frames=1~;b.none=1~;q",
		});
		await page.getByText(/^2 of 2 scenes kept$/).waitFor();
		await page.getByText('ignored "q" of the distributions').waitFor();
		await page.getByText("Distributions: ignored a brush, no column none").waitFor();
		await page.getByRole("slider", { name: "duration: box plots" }).waitFor();
		const scatter = page.getByRole("slider", { name: "duration over frames" });
		await scatter.focus();
		await scatter.press("ArrowRight");
		await scatter.press("ArrowRight");
		expect(await scatter.getAttribute("aria-valuetext")).toMatch(/^scene 1, frame 0: /);
		await scatter.press("Enter");
		const controller = await app.controllerOf(page);
		await expect.poll(() => controller.evaluate(({ state }) => state.scene)).toBe(1);
		const [name, bytes] = await app.downloaded(page, () =>
			page.getByRole("button", { name: "PNG", exact: true }).click(),
		);
		expect(name).toBe("scenes.png");
		expect(bytes.subarray(1, 4).toString()).toBe("PNG");
		expect(await findings(page)).toEqual([]);
		await page.getByRole("combobox", { name: "Rows" }).selectOption("Agents");
		await page.getByText(/ agents in 2 of 2 scenes$/).waitFor();
		await page.getByRole("combobox", { name: "Divide by" }).selectOption("by class");
		await page.getByRole("list", { name: "Colours" }).waitFor();
		expect(await linkOf(page)).toContain("ds=tracks;by=class;boxes");
		const layers = () =>
			controller.evaluate(({ state }) => state.pageLayers.map((layer) => layer.name));
		expect(await layers()).toEqual([]);
		const label = page.getByRole("slider", { name: "class: histogram" });
		await label.focus();
		await label.press("Enter");
		await expect.poll(layers).toEqual(["agents dimmed by distributions"]);
		await label.press("Delete");
		await expect.poll(layers).toEqual([]);
		expect(complaints).toEqual([]);
	});
});

describe("brushes of distributions", () => {
	const tour = useTour();

	it("do not stay in rows that are shown again without them", async () => {
		const link = `v=1&src=${PLACES[0]?.src}&f=85&ds=tracks;b.max_speed=2~`;
		const { page } = await app.openApp(tour, { link });
		await page.getByText(/^\d+ of \d+ agents kept in 4 of 4 scenes$/).waitFor();
		await predict(page);
		const shown = page.getByRole("combobox", { name: "Rows" });
		await shown.selectOption("Predictions");
		await page.getByText(/ predictions in 4 of 4 scenes$/).waitFor();
		await shown.selectOption("Agents");
		const text = page.getByText(/^\d+ agents in 4 of 4 scenes$/);
		const all = Number.parseInt((await text.textContent()) ?? "", 10);
		const count = async (): Promise<number> => {
			const bars = await barsOf(chart(page, "class"));
			return [...bars.values()].reduce((sum, one) => sum + one, 0);
		};
		expect(await count()).toBe(all);
	});
});
