import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import { differences, durations } from "./gif.js";
import { openPlace, PLACES, pictures, shownTracks, useFiles, useTour } from "./tour.js";
import * as app from "./viewer-harness.js";

const PROGRAM = fileURLToPath(new URL("../../build/release/bevscope", import.meta.url));

const suite = useTour();
const write = useFiles();

/** Returns how many pixels have the colour of simulated road users. */
async function simulated(page: Page): Promise<number> {
	await app.still(page);
	const [picture] = await pictures(page, [[192, 38, 211]]);
	return picture?.pixels[0] ?? Number.NaN;
}

/** Returns the notes of the open data set. */
async function notesOf(page: Page) {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => state.notes);
}

/** A rollout of frames 88 to 99, in which the ego vehicle is `metres` further east. */
async function rollout(page: Page, metres: number): Promise<string> {
	const controller = await app.controllerOf(page);
	return controller.evaluate(async ({ state }, off) => {
		const rows = await state.dataset?.frames.rows(88, 100, {
			fields: ["timestamp", "ego_translation"],
		});
		const at = Array.from(rows?.column("ego_translation").data ?? [], Number);
		const times = Array.from(rows?.column("timestamp").data ?? []);
		const x = times.map((_, k) => (at[3 * k] ?? 0) + off);
		const y = times.map((_, k) => at[3 * k + 1] ?? 0);
		const ego = JSON.stringify({ x, y, yaw: times.map(() => 0) });
		const scene = `{"scene":0,"timestamps":[${times}],"ego":${ego}}`;
		return `{"format":"bevscope-rollout","version":1,"name":"east","scenes":[${scene}]}`;
	}, metres);
}

describe.each(PLACES.filter(({ there }) => there))("$name", ({ src, path }) => {
	const open = (more = "&f=90", options: app.OpenOptions = {}) =>
		openPlace(suite, src, more, { reducedMotion: false, ...options });

	it("is saved as a GIF of the section, timed as recorded", async () => {
		const { page, complaints } = await open(undefined, {
			...{ width: 700, height: 500, reducedMotion: true },
		});
		const controller = await app.controllerOf(page);
		const seconds = await controller.evaluate((it) => {
			it.setSection({ begin: 90, end: 94 });
			return Array.from(it.state.sceneInfo?.seconds ?? []);
		});
		await app.focusPicture(page);
		await page.keyboard.press("e");
		await page.getByRole("heading", { name: "Export" }).waitFor();
		await page.getByRole("combobox", { name: "Video speed" }).selectOption("1");
		const [name, gif] = await app.saved(page, "Save GIF");
		expect(name).toBe("scene-0-frames-90-93.gif");
		const hundredths = durations(gif);
		const begin = seconds[90] ?? 0;
		// The last frame lasts as long as the others on average.
		const recorded = ((100 * 4) / 3) * ((seconds[93] ?? 0) - begin);
		expect(recorded).toBeGreaterThan(30);
		expect(hundredths).toHaveLength(4);
		for (const [k, shown] of hundredths.slice(0, 3).entries()) {
			const step = (seconds[91 + k] ?? 0) - (seconds[90 + k] ?? 0);
			expect(Math.abs(shown - 100 * step)).toBeLessThanOrEqual(1);
		}
		const sum = hundredths.reduce((all, one) => all + one);
		expect(Math.abs(sum - recorded)).toBeLessThanOrEqual(1);
		await page.keyboard.press("Escape");
		for (const difference of await differences(page, gif, [0, 3], 90))
			expect(difference).toBeLessThan(2);
		expect(complaints).toEqual([]);
	});

	it("has notes that are saved as JSON, and loaded in another browser", async () => {
		const { page, complaints } = await open();
		const [, [track = ""]] = await shownTracks(page);
		const controller = await app.controllerOf(page);
		await app.openTab(page, "Notes");
		const add = async (text: string, tags: string) => {
			await page.getByLabel("Note", { exact: true }).fill(text);
			await page.getByLabel("Tags").fill(tags);
			await page.getByRole("button", { name: "Add note" }).click();
		};
		await add("all agents stand", "");
		await expect.poll(async () => (await notesOf(page)).length).toBe(1);
		await controller.evaluate((it, id) => {
			it.setSection({ begin: 80, end: 95 });
			it.select(BigInt(id));
		}, track);
		await page.getByLabel("About").selectOption("section");
		await page.getByLabel("Place").selectOption("selection");
		await add('waits, "<i>', "cut-in, odd");
		await expect.poll(async () => (await notesOf(page)).length).toBe(2);
		const notes = await notesOf(page);
		expect(notes.at(-1)).toMatchObject({
			...{ scene: 0, frames: [80, 94], track, text: 'waits, "<i>' },
			...{ tags: ["cut-in", "odd"], place: [expect.any(Number), expect.any(Number)] },
		});
		await page.locator("bev-notes").getByRole("button", { name: "More" }).click();
		const [name, json] = await app.downloaded(page, () =>
			page.getByRole("button", { name: "Save all notes, as JSON" }).click(),
		);
		expect(name).toBe("notes.json");
		const { page: other } = await open();
		await app.openTab(other, "Notes");
		await other.getByText("No notes", { exact: true }).waitFor();
		await other.getByLabel("File of notes").setInputFiles(write(name, json));
		await expect.poll(async () => (await notesOf(other)).length).toBe(2);
		expect(await notesOf(other)).toEqual(notes);
		const list = other.locator("bev-notes li");
		const wheres = await list.locator(".where").allTextContents();
		expect(wheres[0]).toMatch(
			new RegExp(
				`^1 Scene 0 · frames 80–94 · track ${track} · −?\\d+\\.\\d, −?\\d+\\.\\d$`,
			),
		);
		expect(wheres[1]).toBe("Scene 0 · frame 90");
		expect(complaints).toEqual([]);
	});

	it("has plots whose CSV contains the timeline's and the stored values", async () => {
		const { page, complaints } = await open(
			"&f=90&q=speed,acceleration,agents.velocity.0&qt=ego,1",
		);
		const velocity = page.locator('.chart[data-chart="agents.velocity.0"] .area');
		await expect.poll(() => velocity.getAttribute("aria-label")).toContain("1 ");
		const csv = page.getByRole("button", { name: "CSV" });
		await expect.poll(() => csv.isEnabled()).toBe(true);
		const [name, bytes] = await app.downloaded(page, () => csv.click());
		expect(name).toBe("scene-0-plots.csv");
		const [head = "", ...lines] = bytes.toString().trim().split("\r\n");
		expect(head.split(",").slice(2)).toEqual([
			...["Speed (m/s) ego", "Speed (m/s) track 1"],
			...["Acceleration (m/s²) ego", "Acceleration (m/s²) track 1"],
			...["velocity x (m/s) ego", "velocity x (m/s) track 1"],
		]);
		const controller = await app.controllerOf(page);
		const expected = await controller.evaluate(async ({ state: { dataset } }) => {
			const timeline = await dataset?.timeline(0, { track: 1n });
			if (!dataset || !timeline?.track) throw new Error("there is no timeline");
			const frames = await dataset.frames.rows(0, 248, {
				fields: ["agent_index_interval"],
			});
			const ends = Array.from(frames.column("agent_index_interval").data, Number);
			const agents = await dataset.agents.rows(ends[0] ?? 0, ends.at(-1) ?? 0, {
				fields: ["track_id", "velocity"],
			});
			const tracks = Array.from(agents.column("track_id").data, Number);
			const velocities = agents.column("velocity").data;
			const east = ends
				.filter((_, i) => i % 2 === 0)
				.map((begin, k) => {
					const row = tracks.indexOf(1, begin - (ends[0] ?? 0));
					const isHere = row >= 0 && row < (ends[2 * k + 1] ?? 0) - (ends[0] ?? 0);
					return isHere ? Number(velocities[2 * row]) : Number.NaN;
				});
			const { seconds, ego, track } = timeline;
			const columns = [ego.speed, track.speed, ego.acceleration, track.acceleration];
			const all = [...columns, east.map(() => Number.NaN), east];
			const values = Array.from(seconds, (_, k) => all.map((column) => column[k]));
			return { seconds: Array.from(seconds), values };
		});
		const cells = lines.map((line) =>
			line.split(",").map((cell) => (cell === "" ? Number.NaN : Number(cell))),
		);
		expect(cells.map(([frame]) => frame)).toEqual([...Array(248).keys()]);
		for (const [k, [, at]] of cells.entries())
			expect(at).toBeCloseTo(expected.seconds[k] ?? Number.NaN, 9);
		expect(cells.map((row) => row.slice(2))).toEqual(expected.values);
		expect(cells[90]?.slice(0, 6).every(Number.isFinite)).toBe(true);
		expect(complaints).toEqual([]);
	});

	it("is searched for tracks, with the program's hits and thumbnails", async () => {
		const { page, complaints } = await open();
		const rows: Readonly<
			Record<"scene" | "track_id" | "closest_ego_frame" | "closest_ego", number>
		>[] = JSON.parse(
			execFileSync(
				PROGRAM,
				[
					...["facts", path, "--tracks", "--quiet"],
					...["--where", "closest_ego < 5", "--format", "json"],
				],
				{ encoding: "utf8" },
			),
		);
		rows.sort((a, b) => a.closest_ego - b.closest_ego); // the worst first
		expect(rows.length).toBeGreaterThan(3);
		await page.keyboard.press("g");
		const dialog = page.getByRole("dialog", { name: "Search all scenes" });
		await dialog.getByRole("combobox", { name: "Table" }).selectOption("tracks");
		const box = dialog.getByRole("combobox", { name: "Filter" });
		await box.fill("closest_ego < 5");
		await box.press("Enter");
		const count = dialog.locator(".count");
		await expect.poll(() => count.textContent()).toBe(`${rows.length} hits`);
		const list = dialog.getByRole("listbox", { name: "Hits" });
		const wheres = await list.locator(".where").allTextContents();
		expect(wheres).toEqual(
			rows.map(
				(row) =>
					`scene ${row.scene} · frame ${row.closest_ego_frame} · track ${row.track_id}`,
			),
		);
		const drawn = dialog.locator("canvas[data-state=drawn]");
		await expect.poll(() => drawn.count()).toBeGreaterThan(2);
		expect(await findings(page)).toEqual([]);
		await list.focus();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await expect
			.poll(() => app.stateOf(page))
			.toMatchObject({
				frame: rows[1]?.closest_ego_frame,
				selection: String(rows[1]?.track_id),
			});
		expect(complaints).toEqual([]);
	});

	it("is compared with a dropped rollout, which is drawn and measured", async () => {
		const { page, complaints } = await open();
		expect(await simulated(page)).toBe(0);
		await app.dropFiles(page, [write("east.json", await rollout(page, 4))]);
		const section = page.getByRole("region", { name: "Rollout" });
		await section.getByText("east", { exact: true }).waitFor();
		const row = section.getByRole("row", { name: /^Displacement/ });
		await expect.poll(() => row.textContent()).toMatch(/4\.00\s*4\.00/);
		const lane = page.locator("bev-timeline .lane.rollout svg");
		await expect
			.poll(() => lane.getAttribute("aria-label"))
			.toMatch(
				/^Displacement of the rollout, from 0\.00 to 4\.00 m; collisions in \d+ of 12/,
			);
		expect(await simulated(page)).toBeGreaterThan(20);
		await page.getByRole("button", { name: "Close the rollout" }).click();
		await section.waitFor({ state: "detached" });
		expect(await simulated(page)).toBe(0);
		expect(complaints).toEqual([]);
	});
});
