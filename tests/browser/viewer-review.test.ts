import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { TINY } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const HEAD = "timestamp,track_id,conf_0,conf_1,coord_x00,coord_y00,coord_x10,coord_y10";

/** A CSV line with one step: off by `metres` in both modes. */
function line(frame: number, track: number, metres: number): string {
	const time = TINY.start + BigInt(frame) * TINY.step;
	return [time, track, 0.75, 0.25, 1 + metres, 0, 1 - metres, 0].join(",");
}

/** The worst is track 3 in frame 2, then 1 in frame 4, then 2 in frame 0. */
const CSV = [HEAD, line(0, 2, 1), line(2, 3, 5), line(4, 1, 3), ""].join("\r\n");

const suite = app.useViewer(() => ({ objects: new Map([["/data/pred.csv", CSV]]) }));

/** Drops a file with this text onto the viewer. */
async function drop(page: Page, name: string, text: string): Promise<void> {
	await page.evaluate(
		([as, content]) => {
			const data = new DataTransfer();
			data.items.add(new File([content ?? ""], as ?? "", { type: "text/csv" }));
			const viewer = document.querySelector("bev-viewer");
			viewer?.dispatchEvent(
				new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
			);
		},
		[name, text],
	);
}

const selectionOf = (page: Page) =>
	page.evaluate(() =>
		String(document.querySelector<Viewer>("bev-viewer")?.controller?.state.selection),
	);

const linkOf = (page: Page) =>
	page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.save());

describe("predictions", () => {
	it("have scores by class and mode, for the scene and for all scenes", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await drop(page, "mine.csv", CSV);
		await app.openTab(page, "Predictions");
		await page.getByText("By class, mode and step").click();
		for (const over of ["this scene", "2 of 2 scenes"]) {
			if (over !== "this scene")
				await page.getByLabel("Listed predictions").selectOption("All scenes");
			const modes = page.getByRole("table", { name: `Scores by mode, ${over}` });
			await expect
				.poll(() => modes.getByRole("row").allInnerTexts())
				.toEqual([
					expect.stringMatching(/^Mode\s+Conf\.\s+ADE m\s+FDE m\s+Best$/),
					expect.stringMatching(/^Mode 0\s+0\.75\s+3\.00\s+3\.00\s+100 %$/),
					expect.stringMatching(/^Mode 1\s+0\.25\s+3\.00\s+3\.00\s+0 %$/),
				]);
			const classes = page.getByRole("table", { name: `Scores by class, ${over}` });
			const rows = await classes.getByRole("row").allInnerTexts();
			// Two of three predictions end more than 2 m away, over all classes.
			const numbers = rows.slice(1).map((row) => row.split(/\s+/));
			const count = numbers.reduce((sum, cells) => sum + Number(cells[1]), 0);
			expect(count).toBe(3);
			const missed = numbers.reduce(
				(sum, cells) => sum + (Number(cells[1]) * Number(cells[5])) / 100,
				0,
			);
			expect(Math.round(missed)).toBe(2);
		}
		expect(complaints).toEqual([]);
	});

	it("are scored if their last step is recorded, or as L5Kit counts", async () => {
		const { page, complaints } = await app.openModels(suite, {});
		await app.openTab(page, "Predictions");
		// 50 steps from frames 0, 10, .. 240 of 248: the last five of 25 end after the scene.
		const coverage = page.getByText("2000 of 2500 end inside the scene");
		await coverage.waitFor();
		const missOf = (count: number) =>
			page.getByText(new RegExp(`^Miss \\d+ % of ${count}$`));
		await missOf(2000).waitFor();
		await page.getByRole("switch", { name: "L5Kit counting" }).click();
		await missOf(2500).waitFor();
		expect(await coverage.count()).toBe(0);
		expect(await findings(page)).toEqual([]);
		await page.getByRole("switch", { name: "L5Kit counting" }).click();
		await missOf(2000).waitFor();
		expect(complaints).toEqual([]);
	});

	it("are scored when a CSV is dropped, sorted worst first", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await drop(page, "mine.csv", CSV);
		const rows = page
			.getByRole("table", { name: "Predictions by agent" })
			.locator("tbody tr");
		await rows.first().waitFor();
		expect(await rows.allInnerTexts()).toEqual([
			expect.stringMatching(/^3\s+2\s+5\.00\s+5\.00\s+12\.50\s+1\/1$/),
			expect.stringMatching(/^1\s+4\s+3\.00\s+3\.00\s+4\.50\s+1\/1$/),
			expect.stringMatching(/^2\s+0\s+1\.00\s+1\.00\s+0\.50\s+1\/1$/),
		]);
		await page.getByRole("button", { name: "Worst" }).click();
		expect([(await app.stateOf(page)).frame, await selectionOf(page)]).toEqual([
			2,
			"3",
		]);
		await page.getByRole("group", { name: "Scene, seen from above" }).focus();
		await page.keyboard.press("j");
		expect([(await app.stateOf(page)).frame, await selectionOf(page)]).toEqual([
			4,
			"1",
		]);
		await page.keyboard.press("k");
		expect([(await app.stateOf(page)).frame, await selectionOf(page)]).toEqual([
			2,
			"3",
		]);
		await page.getByLabel("Listed predictions").selectOption("By frame");
		const frames = page.getByRole("table", { name: "Predictions by frame" });
		await frames.getByRole("button", { name: "Frame 0" }).click();
		expect((await app.stateOf(page)).frame).toBe(0);
		await page.keyboard.press("ArrowRight");
		// One step reaches one frame ahead.
		await page.getByText("Predictions of frame 0: 1 agent").waitFor();
		await page.keyboard.press("ArrowRight");
		await page.getByText("Predictions of this frame: 1 agent").waitFor();
		expect(complaints).toEqual([]);
	});

	it("show the agent of a ranked one, with the metres to its recorded end", async () => {
		const { page, complaints } = await app.openTiny(suite, {
			link: "pr=/data/pred.csv&z=20",
		});
		await page.getByRole("button", { name: "Track 3, frame 2" }).waitFor();
		await app.focusPicture(page);
		await page.keyboard.press("j");
		await page.getByText("Track 3 ends 5.00 m from its recorded position").waitFor();
		await app.settled(page);
		const controller = await app.controllerOf(page);
		const place = () =>
			controller.evaluate(({ state: { focus, shown, camera } }) => {
				const i = Array.from(shown?.agents.track_id ?? [], Number).indexOf(3);
				const of = Array.from(shown?.agents.centroid.slice(2 * i, 2 * i + 2) ?? []);
				const ego = Array.from(shown?.ego.centroid ?? []);
				const [x = 0, y = 0] = of.map((value, k) => value - (ego[k] ?? 0));
				// Metres from the picture's centre, which follows the ego vehicle.
				return { of: String(focus?.of), far: Math.hypot(x - camera.x, y - camera.y) };
			});
		const { of, far } = await place();
		expect(of).toBe("3");
		expect(far).toBeLessThan(10);
		await page.keyboard.press("j");
		await page.getByText("Track 1 ends 3.00 m from its recorded position").waitFor();
		expect(await findings(page)).toEqual([]);
		await page.keyboard.press("Escape");
		await page.getByText("from its recorded position").waitFor({ state: "detached" });
		expect(await selectionOf(page)).toBe("undefined");
		expect(complaints).toEqual([]);
	});

	it("are drawn in their frame, and fainter in the frames they cover", async () => {
		const { page } = await app.openTiny(suite);
		const bright = () =>
			page.evaluate(async () => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				await viewer?.settled;
				const view = viewer?.shadowRoot?.querySelector("bev-scene-view");
				const canvas = view?.shadowRoot?.querySelector("canvas");
				const ctx = canvas?.getContext("2d");
				const { data } =
					ctx?.getImageData(0, 0, canvas?.width ?? 1, canvas?.height ?? 1) ?? {};
				let pink = 0;
				for (let i = 0; data && i < data.length; i += 4) {
					const [r = 0, g = 0, b = 0] = [data[i], data[i + 1], data[i + 2]];
					if (r > 90 && r > 1.6 * g && b > 1.2 * g) pink += 1;
				}
				return pink;
			});
		expect(await bright()).toBe(0);
		// Beyond the boxes, which are drawn above.
		await drop(page, "mine.csv", [HEAD, line(0, 2, 15), ""].join("\n"));
		await page.getByRole("table", { name: "Predictions by agent" }).waitFor();
		await expect.poll(bright).toBeGreaterThan(20);
		await page.getByRole("switch", { name: /^Predictions/ }).click();
		await expect.poll(bright).toBe(0);
		await page.getByRole("switch", { name: /^Predictions/ }).click();
		await expect.poll(bright).toBeGreaterThan(20);
		const full = await bright();
		await page.keyboard.press("ArrowRight");
		await page.getByText("Predictions of frame 0: 1 agent").waitFor();
		const layer = page.getByRole("switch", { name: /^Predictions/ });
		await expect
			.poll(() => layer.textContent())
			.toMatch(/Predictions\s+1 of frame 0\s*$/);
		await expect.poll(bright).toBeLessThan(full);
		await page.keyboard.press("ArrowRight");
		await page.getByText("No predictions for this frame").waitFor();
		await expect.poll(bright).toBe(0);
	});

	it("are read without blocking the page", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		await page.evaluate(
			([head, row]) => {
				const data = new DataTransfer();
				const text = [`${head}\r\n`, ...Array<string>(400).fill(row.repeat(1000))];
				data.items.add(new File(text, "large.csv", { type: "text/csv" }));
				const viewer = document.querySelector("bev-viewer");
				viewer?.dispatchEvent(
					new DragEvent("drop", {
						dataTransfer: data,
						bubbles: true,
						cancelable: true,
					}),
				);
			},
			[HEAD, `${line(0, 2, 1)}\r\n`] as const,
		);
		// Samples the state at every drawing: the moments at which the page was responsive.
		const seen = await controller.evaluate(async (it) => {
			const bytes = new Set<number>();
			while (it.state.review.phase === "none") {
				await new Promise(requestAnimationFrame);
				const reading = it.state.review.models[0]?.reading;
				if (reading) bytes.add(reading.bytes);
			}
			return bytes.size;
		});
		expect(seen).toBeGreaterThan(10);
		expect(page.workers().map((one) => one.url())).toContainEqual(
			expect.stringContaining("review-worker"),
		);
		// The last line per agent and timestamp counts.
		await page.getByText("1 of 1 prediction", { exact: true }).waitFor();
		expect(complaints).toEqual([]);
	});

	it("remain until new ones are completely read", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, "mine.csv", CSV);
		await page.getByRole("button", { name: "Track 3, frame 2" }).waitFor();
		suite.server.fault({ match: /pred\.csv$/, delayMs: 20_000 });
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			const url = new URL("/data/pred.csv", location.href);
			void it.reviews.fetch(url, "/data/pred.csv", "mine.csv");
		});
		await page.getByText("Reading mine.csv").waitFor();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Track 3, frame 2" }).click();
		await page.getByRole("button", { name: "Cancel reading mine.csv" }).click();
		await page.getByText("Reading mine.csv").waitFor({ state: "detached" });
		await page.getByRole("button", { name: "Track 3, frame 2" }).waitFor();
		expect(await controller.evaluate(({ state }) => state.review.name)).toBe(
			"mine.csv",
		);
	});

	it("have their errors plotted by the ranking measure", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, "mine.csv", CSV);
		await page
			.getByRole("img", { name: "ADE of predictions, from 0.00 to 5.00" })
			.waitFor();
		await page.getByRole("button", { name: "FDE" }).click();
		const lane = page.getByRole("img", {
			name: "FDE of predictions, from 0.00 to 5.00",
		});
		await lane.waitFor();
		expect(await lane.locator("rect").count()).toBe(3);
		const box = await lane.boundingBox();
		if (!box) throw new Error("the lane has no box");
		await page.mouse.click(box.x + 0.8 * box.width, box.y + box.height / 2);
		await expect.poll(async () => (await app.stateOf(page)).frame).toBe(4);
	});

	it("are marked on the bar", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, "mine.csv", CSV);
		await page.getByRole("img", { name: "Predictions in 3 of 6 frames" }).waitFor();
	});

	it("are a layer only if loaded", async () => {
		const { page } = await app.openTiny(suite);
		const layer = page.getByRole("switch", { name: /^Predictions/ });
		expect(await layer.count()).toBe(0);
		await drop(page, "mine.csv", CSV);
		await layer.waitFor();
		await expect.poll(() => layer.textContent()).toMatch(/Predictions\s+1\s*$/);
		await page.getByRole("button", { name: "Remove mine.csv" }).click();
		await layer.waitFor({ state: "detached" });
	});

	it("are ranked over all scenes, whose rows open the scene", async () => {
		const { page, complaints } = await app.openTiny(suite);
		// Scene 1, whose frames follow those of scene 0.
		await drop(page, "mine.csv", `${CSV}${line(TINY.framesPerScene + 1, 3, 9)}\r\n`);
		await page.getByLabel("Listed predictions").selectOption("All scenes");
		const rows = page
			.getByRole("table", { name: "Predictions of all scenes" })
			.locator("tbody tr");
		await expect.poll(() => rows.count()).toBe(4);
		expect((await rows.allInnerTexts())[0]).toMatch(/^1\s+1\s+3\s+9\.00/);
		await page.getByText("4 of 4 predictions", { exact: true }).waitFor();
		await page.getByRole("button", { name: "Worst" }).click();
		await app.settled(page);
		expect(await app.stateOf(page)).toMatchObject({ scene: 1, shown: 1 });
		expect(await selectionOf(page)).toBe("3");
		await app.focusPicture(page);
		await page.keyboard.press("j");
		await app.settled(page);
		expect(await app.stateOf(page)).toMatchObject({ scene: 0, shown: 2 });
		await page.getByRole("button", { name: "Scene 1, track 3, frame 1" }).click();
		await app.settled(page);
		expect((await app.stateOf(page)).scene).toBe(1);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("show ranking progress and can be cancelled", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, "mine.csv", `${CSV}${line(TINY.framesPerScene + 1, 3, 9)}\r\n`);
		suite.server.fault({ match: /agents\/[5-9]$/, delayMs: 20_000 });
		await page.getByLabel("Listed predictions").selectOption("All scenes");
		await page.getByRole("progressbar", { name: "Scenes ranked" }).waitFor();
		await page.getByText("1 of 2 scenes").waitFor();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Cancel" }).click();
		await page.getByText("Stopped after 1 of 2 scenes").waitFor();
		suite.server.reset();
		await page.getByRole("button", { name: "Again" }).click();
		await page.getByText("4 of 4 predictions", { exact: true }).waitFor();
	});

	it("can be set and removed by a property", async () => {
		const { page } = await app.openTiny(suite);
		await page.evaluate((start) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			if (!viewer) throw new Error("there is no viewer");
			viewer.predictions = {
				timestamps: BigInt64Array.of(BigInt(start)),
				track_ids: BigInt64Array.of(-1n),
				confidences: Float64Array.of(1),
				coords: Float64Array.of(1, 2),
			};
		}, String(TINY.start));
		await page.getByRole("button", { name: "Track ego, frame 0" }).click();
		expect(await selectionOf(page)).toBe("ego");
		await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			if (viewer) viewer.predictions = undefined;
		});
		await app.openTab(page, "Predictions");
		await page.getByText("Drop up to 4 files of predictions").waitFor();
	});

	it("are restored by a link, with the ranking measure", async () => {
		const { page } = await app.openTiny(suite, { link: "pr=/data/pred.csv&pm=nll" });
		await page.getByRole("table", { name: "Predictions by agent" }).waitFor();
		await expect(
			page.locator('th[aria-sort="descending"]').textContent(),
		).resolves.toMatch(/NLL/);
		expect(await linkOf(page)).toContain("pr=/data/pred.csv&pm=nll");
		await page.getByRole("button", { name: "FDE" }).click();
		expect(await linkOf(page)).toContain("pm=fde");
		await page.getByRole("button", { name: "Remove pred.csv" }).click();
		expect(await linkOf(page)).not.toContain("pr=");
	});

	it("of another site are not read from a link", async () => {
		const { page } = await app.openTiny(suite, {
			link: "pr=https://example.org/p.csv",
		});
		await page.getByText("expected a URL of this site").waitFor();
	});

	it("that are invalid are rejected with the line or the failed request", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, "mine.csv", CSV.replace("0.75", "0.5"));
		const alert = page.getByRole("alert");
		await expect
			.poll(() => alert.textContent())
			.toMatch(/mine\.csv line 2: confidences do not sum to 1 \(found 0\.75\)/);
		await drop(page, "other.csv", "a,b\n1,2\n");
		await expect
			.poll(() => alert.textContent())
			.toMatch(/other\.csv: column conf_0 not found/);
		await page.goto(`${suite.server.origin}/app/index.html#v=1`);
		// Waits for the page's own link, which might otherwise overwrite the next one.
		await page.waitForURL(/&src=/);
		await page.goto(
			`${suite.server.origin}/app/index.html#v=1&src=${app.TINY_SOURCE}&pr=/data/none.csv`,
		);
		await expect.poll(() => alert.textContent()).toMatch(/HTTP 404 for .*none\.csv/);
	});

	it.each(["dark", "light"] as const)("are accessible, %s", async (theme) => {
		const { page } = await app.openTiny(suite, { theme });
		await drop(page, "mine.csv", CSV);
		await page.getByRole("table", { name: "Predictions by agent" }).waitFor();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Worst" }).click();
		expect(await findings(page)).toEqual([]);
	});
});
