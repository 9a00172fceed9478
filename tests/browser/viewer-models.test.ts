import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { TINY } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const HEAD = "timestamp,track_id,conf_0,coord_x00,coord_y00";

/** A CSV line with one step: off by `metres`. */
function line(frame: number, track: number, metres: number): string {
	const time = TINY.start + BigInt(frame) * TINY.step;
	return [time, track, 1, 1 + metres, 0].join(",");
}

function csv(...lines: string[]): string {
	return [HEAD, ...lines, ""].join("\r\n");
}

/** B is worse by 4 m for track 3 in frame 2, and better by 2 m for track 2 in frame 0. */
const A = csv(line(0, 2, 3), line(2, 3, 1), line(4, 1, 3));
const B = csv(line(0, 2, 1), line(2, 3, 5), line(5, 1, 3));

const suite = app.useViewer(() => ({
	objects: new Map([
		["/data/a.csv", A],
		["/data/b.csv", B],
	]),
}));

/** Drops files with these texts onto the viewer. */
async function drop(page: Page, files: Readonly<Record<string, string>>) {
	await page.evaluate((all) => {
		const data = new DataTransfer();
		for (const [name, text] of Object.entries(all))
			data.items.add(new File([text], name, { type: "text/csv" }));
		const viewer = document.querySelector("bev-viewer");
		viewer?.dispatchEvent(
			new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
		);
	}, files);
}

const linkOf = (page: Page) =>
	page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.save() ?? "");

const selectionOf = async (page: Page) => {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => [state.frame, String(state.selection)]);
};

/** Opens both models and lists the differences by ADE. */
async function compared(page: Page): Promise<void> {
	await drop(page, { "a.csv": A, "b.csv": B });
	const list = page.getByLabel("Listed predictions");
	await expect.poll(() => list.inputValue()).toBe("worse");
	expect(await page.getByRole("combobox", { name: "Measure" }).inputValue()).toBe(
		"ade",
	);
	await page.getByRole("table", { name: "B worse than A, by agent" }).waitFor();
}

describe("models", () => {
	it("that are dropped together are compared, the worst difference first", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await compared(page);
		const rows = page
			.getByRole("table", { name: "B worse than A, by agent" })
			.locator("tbody tr");
		expect(await rows.allInnerTexts()).toEqual([
			expect.stringMatching(/^3\s+2\s+1\.00\s+5\.00\s+\+4\.00\s+1\/1$/),
			expect.stringMatching(/^2\s+0\s+3\.00\s+1\.00\s+−2\.00\s+1\/1$/),
		]);
		await page.getByText("Not compared: 1 only in A, 1 only in B.").waitFor();
		const counting = page.getByRole("switch", { name: "L5Kit counting" });
		await page.getByText("2 of 2 pairs end inside the scene").waitFor();
		await counting.click();
		await page.getByText("2 pairs", { exact: true }).waitFor();
		await counting.click();
		await page.getByText("2 of 2 pairs end inside the scene").waitFor();
		const review = page.locator("bev-review");
		expect(await review.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
		await page.getByRole("button", { name: "Worst" }).click();
		expect(await selectionOf(page)).toEqual([2, "3"]);
		await app.focusPicture(page);
		await page.keyboard.press("j");
		expect(await selectionOf(page)).toEqual([0, "2"]);
		await page.getByText("Metrics by model").click();
		const metrics = page.getByRole("table", { name: "Metrics by model, this scene" });
		expect((await metrics.locator("tbody tr").allInnerTexts()).slice(0, 2)).toEqual([
			expect.stringMatching(/^All steps$/),
			expect.stringMatching(/^ADE m\s+2\.33\s+3\.00\s+\+0\.67$/),
		]);
		await page.getByLabel("Listed predictions").selectOption("B − A, all scenes");
		await page.getByRole("button", { name: "Scene 0, track 3, frame 2" }).click();
		expect(await selectionOf(page)).toEqual([2, "3"]);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("are points in the colours of the theme, also when it changes", async () => {
		const { page } = await app.openTiny(suite);
		await compared(page);
		const drawn = () =>
			page
				.locator("bev-scatter canvas")
				.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
		const dark = await drawn();
		await page.emulateMedia({ colorScheme: "light" });
		await expect.poll(drawn).not.toBe(dark);
		await page.emulateMedia({ colorScheme: "dark" });
		await expect.poll(drawn).toBe(dark);
	});

	it("are listed with each agent once", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const more = (to: number) => csv(line(1, 2, 1), line(2, 3, to), line(1, 3, to - 1));
		await drop(page, { "a.csv": more(1), "b.csv": more(5) });
		const rows = page.getByRole("table").locator("tbody tr");
		await expect.poll(() => rows.count()).toBe(3);
		const list = page.getByLabel("Listed predictions");
		await list.selectOption("B − A, each agent once");
		await expect.poll(() => rows.count()).toBe(2);
		expect(await rows.allInnerTexts()).toEqual([
			expect.stringMatching(/^3\s+1\s/),
			expect.stringMatching(/^2\s+1\s/),
		]);
		await list.selectOption("Each agent once");
		await expect.poll(() => rows.count()).toBe(2);
		await list.selectOption("All scenes, each agent once");
		await expect.poll(() => rows.count()).toBe(2);
		await list.selectOption("B − A, all scenes, each agent once");
		await expect.poll(() => rows.count()).toBe(2);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("of local files are named when a link is copied", async () => {
		const { page } = await app.openTiny(suite);
		await compared(page);
		await page.getByRole("button", { name: "Copy link" }).click();
		await page.getByText("The link lacks local files: a.csv, b.csv").waitFor();
		await page.getByRole("button", { name: "Gallery" }).click();
		await page.getByText("B − A by agent (A a.csv, B b.csv) by ADE").waitFor();
	});

	it("of local files are asked for by a link, and shown as in it", async () => {
		const { page } = await app.openTiny(suite);
		await compared(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate(({ reviews, state: { review } }) => {
			const [a = 0, b = 0] = review.models.map(({ id }) => id);
			reviews.compare({ a: b, b: a });
			reviews.list("worse-frames");
			reviews.show(b, false);
		});
		const link = await linkOf(page);
		expect(link).toContain("pd=a.csv|b.csv&ph=2&pc=2-1&pl=worse-frames");
		const { page: other, complaints } = await app.openApp(suite, { link });
		const asked = (names: string) =>
			other.getByText(
				`The link's sender also had local predictions: ${names}. Drop them here to see them.`,
				{ exact: true },
			);
		await asked("a.csv, b.csv").waitFor();
		await app.settled(other);
		expect(await findings(other)).toEqual([]);
		expect(await linkOf(other)).toBe(link);
		await drop(other, { "b.csv": B, "a.csv": A });
		await other.getByRole("table", { name: "B worse than A, by frame" }).waitFor();
		expect(await other.getByText("The link's sender also had").count()).toBe(0);
		const models = await app.controllerOf(other).then((it) =>
			it.evaluate(({ state: { review } }) => {
				const { a, b } = review.pair ?? {};
				const name = (id: number | undefined) =>
					review.models.find((one) => one.id === id)?.name;
				const all = review.models.map((one) => [one.name, one.slot, one.visible]);
				return { all, pair: [name(a), name(b)] };
			}),
		);
		expect(models).toEqual({
			all: [
				["a.csv", 0, true],
				["b.csv", 1, false],
			],
			pair: ["b.csv", "a.csv"],
		});
		expect(await linkOf(other)).toBe(link);
		expect(complaints).toEqual([]);
	});

	it("of local files are asked for by names that are text", async () => {
		const name = `<img src=x onerror=alert(1)>|${"y".repeat(300)}|b.csv`;
		const link = `pr=/data/a.csv&pd=${encodeURIComponent(name)}`;
		const { page, complaints } = await app.openTiny(suite, { link });
		await page
			.getByText("local predictions: <img src=x onerror=alert(1)>, b.csv. Drop")
			.waitFor();
		await drop(page, { "b.csv": B });
		await page.getByText("predictions: <img src=x onerror=alert(1)>. Drop").waitFor();
		expect(complaints).toEqual([]);
	});

	it("are points whose selection seeks, by keys and by pointer", async () => {
		const { page } = await app.openTiny(suite);
		await compared(page);
		const plot = page.getByRole("slider", { name: "ADE of B over A, 2 points" });
		await plot.focus();
		await page.keyboard.press("End");
		expect(await selectionOf(page)).toEqual([0, "2"]);
		await expect
			.poll(() => plot.getAttribute("aria-valuetext"))
			.toBe("Track 2, frame 0: A 3.00, B 1.00");
		await page.keyboard.press("Home");
		expect(await selectionOf(page)).toEqual([2, "3"]);
		const box = await plot.locator("canvas").boundingBox();
		if (!box) throw new Error("the plot has no box");
		expect(box.height).toBeLessThan(120); // leaves room for rows of the table
		// A 3 and B 1 of 0 to 5, within the axes' margins.
		const x = 40 + ((box.width - 48) * 3) / 5;
		const y = 8 + (box.height - 26) * (1 - 1 / 5);
		await page.mouse.click(box.x + x, box.y + y);
		await expect.poll(() => selectionOf(page)).toEqual([0, "2"]);
	});

	it("at URLs are added in the panel, and are in the link with the list", async () => {
		const { page } = await app.openTiny(suite);
		await app.openTab(page, "Predictions");
		for (const name of ["a.csv", "b.csv"]) {
			await page.getByRole("button", { name: "a URL" }).click();
			const field = page.getByRole("textbox", { name: "URL of a file" });
			await field.fill(`/data/${name}`);
			await field.press("Enter");
			await page.getByRole("switch", { name: `Show ${name} in the picture` }).waitFor();
		}
		await page.getByLabel("Listed predictions").selectOption("B − A, all scenes");
		await page.getByRole("button", { name: "Scene 0, track 3, frame 2" }).click();
		const link = await linkOf(page);
		expect(link).toContain("pr=/data/a.csv|/data/b.csv&pl=worse-all");
		const { page: other } = await app.openApp(suite, { link });
		await app.openTab(other, "Predictions");
		await other.getByRole("button", { name: "Scene 0, track 2, frame 0" }).waitFor();
		expect(await other.getByLabel("Listed predictions").inputValue()).toBe("worse-all");
		expect(await selectionOf(other)).toEqual([2, "3"]);
		expect(await findings(other)).toEqual([]);
	});

	it("have switches, and pictures of their own if these fit", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, { "a.csv": A, "b.csv": B });
		await page.getByRole("button", { name: "Split" }).click();
		const pictures = page.locator("bev-scene-view");
		await expect.poll(() => pictures.count()).toBe(2);
		await page.getByRole("group", { name: "Scene, seen from above: a.csv" }).waitFor();
		const other = page.getByRole("group", { name: "Scene, seen from above: b.csv" });
		await other.focus();
		await page.keyboard.press("ArrowRight");
		await app.settled(page);
		expect((await app.stateOf(page)).shown).toBe(1);
		expect(await findings(page)).toEqual([]);
		await page.getByRole("switch", { name: "Show a.csv in the picture" }).click();
		await expect.poll(() => pictures.count()).toBe(1);
		await page.getByRole("switch", { name: "Show a.csv in the picture" }).click();
		await expect.poll(() => pictures.count()).toBe(2);
		await page.setViewportSize({ width: 360, height: 740 });
		await expect.poll(() => pictures.count()).toBe(1);
	});

	it("are in the link with what is hidden and compared", async () => {
		const { page } = await app.openTiny(suite, {
			link: "pr=/data/a.csv|/data/b.csv&ph=2&pc=2-1",
		});
		await page.getByRole("switch", { name: "Show b.csv in the picture" }).waitFor();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.settled);
		const seen = await controller.evaluate(({ state: { review } }) => {
			const name = (id: number | undefined) =>
				review.models.find((one) => one.id === id)?.name;
			return [name(review.pair?.a), name(review.pair?.b), review.models[1]?.visible];
		});
		expect(seen).toEqual(["b.csv", "a.csv", false]);
		expect(await linkOf(page)).toContain("pr=/data/a.csv|/data/b.csv&ph=2&pc=2-1");
		await page.getByRole("button", { name: "Remove a.csv" }).click();
		expect(await linkOf(page)).toMatch(/pr=\/data\/b\.csv&ph=1(&|$)/);
	});

	it("are set by name with a property and methods", async () => {
		const { page } = await app.openTiny(suite);
		const names = async (change: "set" | "add" | "less" | "remove") => {
			await page.evaluate(
				([what, a = "", b = ""]) => {
					const viewer = document.querySelector<Viewer>("bev-viewer");
					if (!viewer) throw new Error("there is no viewer");
					const first = { name: "first", from: a };
					if (what === "set") viewer.predictions = [first, { name: "second", from: b }];
					if (what === "add") viewer.addPredictions("third", b);
					if (what === "less") viewer.predictions = [first];
					if (what === "remove") viewer.removePredictions("third");
				},
				[change, A, B] as const,
			);
			await app.settled(page);
			const controller = await app.controllerOf(page);
			return controller.evaluate(({ state }) =>
				state.review.models.map(({ name }) => name),
			);
		};
		expect(await names("set")).toEqual(["first", "second"]);
		expect(await names("add")).toEqual(["first", "second", "third"]);
		expect(await names("less")).toEqual(["first", "third"]);
		expect(await names("remove")).toEqual(["first"]);
	});

	it.each(["dark", "light"] as const)("are accessible, %s", async (theme) => {
		const { page } = await app.openTiny(suite, { theme });
		await compared(page);
		await page.getByText("Metrics by model").click();
		expect(await findings(page)).toEqual([]);
	});
});
