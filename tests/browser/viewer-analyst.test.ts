import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { edgeOf } from "../../web/src/elements/draw/paint-labels.js";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { findings } from "./axe.js";
import {
	openPlace,
	PLACES,
	pictures,
	predictions,
	shownTracks,
	useFiles,
	useTour,
} from "./tour.js";
import * as app from "./viewer-harness.js";

const suite = useTour();
const write = useFiles();

/** Drops predictions of two models: one wrong about an agent, the other about another. */
async function dropModels(page: Page): Promise<readonly string[]> {
	const shown = await shownTracks(page);
	const [worst = "", second = ""] = shown[1];
	await app.dropFiles(page, [
		write("a.csv", predictions(shown, [second, 20])),
		write("b.csv", predictions(shown, [worst, 40])),
	]);
	await page.getByRole("table", { name: "B worse than A, by agent" }).waitFor();
	return shown[1];
}

/** The colours of the first two models in the dark theme: pink and yellow. */
const MODELS = [
	[255, 95, 168],
	[240, 228, 66],
] as const;

/** A lane of the map, and a point of the page on no other lane. */
interface LanePoint {
	readonly id: string;
	readonly x: number;
	readonly y: number;
}

/** Returns the lane nearest to the picture's centre that can be clicked alone. */
async function clickableLane(page: Page): Promise<LanePoint> {
	await app.still(page);
	return page.evaluate(async () => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const picture = viewer?.renderRoot.querySelector("bev-scene-view");
		const { map } = viewer?.controller?.state ?? {};
		if (!picture || !map) throw new Error("there is no map");
		const { left, top } = picture.getBoundingClientRect();
		const { width, height, pixelsPerMetre, x, y } = picture.target;
		/** Whether a lane contains a point, by the even-odd rule. */
		const contains = (row: number, east: number, north: number): boolean => {
			const side = ({ points, offsets }: typeof map.lanes.left) =>
				Array.from({ length: (offsets[row + 1] ?? 0) - (offsets[row] ?? 0) }, (_, k) =>
					points.subarray(2 * ((offsets[row] ?? 0) + k)).subarray(0, 2),
				);
			const ring = [...side(map.lanes.left), ...side(map.lanes.right).reverse()];
			let inside = false;
			for (const [k, [ax = 0, ay = 0]] of ring.entries()) {
				const [bx = 0, by = 0] = ring.at(k - 1) ?? [];
				if (ay > north === by > north) continue;
				if (east < ax + ((bx - ax) * (north - ay)) / (by - ay)) inside = !inside;
			}
			return inside;
		};
		const places: (LanePoint & { far: number })[] = [];
		for (let row = 0; row < map.lanes.length; row += 1) {
			const { mid } = await map.laneLines(row, { count: 3 });
			const [east = 0, north = 0] = mid.subarray(3, 5);
			const [dx, dy] = [(east - x) * pixelsPerMetre, (y - north) * pixelsPerMetre];
			if (Math.abs(dx) > width / 2 - 80 || Math.abs(dy) > height / 2 - 80) continue;
			const near = Array.from(await map.lanesNear(east, north, 0));
			const lanes = near.filter((one) => contains(one, east, north));
			const crosswalks = await map.crosswalksNear(east, north, 0);
			if (lanes.length !== 1 || lanes[0] !== row || crosswalks.length > 0) continue;
			places.push({
				...{ id: map.lanes.id[row] ?? "", far: Math.hypot(dx, dy) },
				...{ x: left + width / 2 + dx, y: top + height / 2 + dy },
			});
		}
		const [nearest] = places.sort((a, b) => a.far - b.far);
		if (!nearest) throw new Error("no lane of the picture is alone");
		return nearest;
	});
}

/** Colour at a point of the picture, in CSS pixels from its corner. */
function colourAt(page: Page, x: number, y: number): Promise<number[]> {
	return page.evaluate(
		([right, down]) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const { canvas } = viewer?.renderRoot.querySelector("bev-scene-view") ?? {};
			const ctx = canvas?.getContext("2d");
			if (!canvas || !ctx) throw new Error("there is no picture");
			const scale = canvas.width / canvas.getBoundingClientRect().width;
			return [...ctx.getImageData(right * scale, down * scale, 1, 1).data];
		},
		[x, y] as const,
	);
}

/** Returns where an agent is in the picture, in CSS pixels, and the picture's size. */
function agentIn(page: Page, track: string) {
	return page.evaluate((wanted) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const view = viewer?.renderRoot.querySelector("bev-scene-view")?.target;
		const { agents } = viewer?.controller?.state.shown ?? {};
		if (!view || !agents) throw new Error("there is no picture");
		const { width, height, pixelsPerMetre } = view;
		const i = [...agents.track_id].findIndex((one) => String(one) === wanted);
		const [x = 0, y = 0] = agents.centroid.subarray(2 * i, 2 * i + 2);
		return {
			size: { width, height },
			at: {
				x: width / 2 + (x - view.x) * pixelsPerMetre,
				y: height / 2 - (y - view.y) * pixelsPerMetre,
			},
		};
	}, track);
}

describe.each(PLACES.filter(({ there }) => there))("$name", ({ src }) => {
	const open = (more = "&f=90") =>
		openPlace(suite, src, more, { reducedMotion: false });

	it("is compared by two dropped files, up to gallery and link", async () => {
		const { page, complaints } = await open();
		const [worst = ""] = await dropModels(page);
		await page.getByRole("button", { name: "Worst" }).click();
		await expect
			.poll(() => app.stateOf(page))
			.toMatchObject({ frame: 90, selection: worst });
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Copy link" }).click();
		await page.getByText("The link lacks local files: a.csv, b.csv").waitFor();
		const link = await page.evaluate(
			() => document.querySelector<Viewer>("bev-viewer")?.save() ?? "",
		);
		await page.getByRole("button", { name: "Gallery" }).click();
		const gallery = page.getByRole("dialog", { name: "Gallery" });
		const list = gallery.getByRole("listbox", { name: "Pictures" });
		const items = list.getByRole("option");
		await expect.poll(() => items.count()).toBeGreaterThan(1);
		expect(await items.first().textContent()).toContain(`frame 90 · track ${worst}`);
		const [name, html] = await app.downloaded(page, () =>
			gallery.getByRole("button", { name: "Save HTML" }).click(),
		);
		expect(name).toBe("gallery.html");
		expect(html.toString()).toContain(`track ${worst}`);
		expect(complaints).toEqual([]);
		const { page: other } = await app.openApp(suite, { link });
		await app.settled(other);
		expect(await app.stateOf(other)).toMatchObject({ shown: 90, selection: worst });
		await other.getByText("sender also had local predictions: a.csv, b.csv.").waitFor();
		await dropModels(other);
		expect(await other.getByText("sender also had").count()).toBe(0);
	});

	it("has a picture of each model, with one camera and one time", async () => {
		const { page, complaints } = await open();
		expect((await pictures(page, MODELS)).map(({ pixels }) => pixels)).toEqual([
			[0, 0],
		]);
		await dropModels(page);
		await page.getByRole("button", { name: "Split" }).click();
		const views = page.locator("bev-scene-view");
		await expect.poll(() => views.count()).toBe(2);
		await app.drawn(page);
		const [a, b] = await pictures(page, MODELS);
		expect(b?.camera).toEqual(a?.camera);
		expect(a?.pixels[0]).toBeGreaterThan(20);
		expect(a?.pixels[1]).toBe(0);
		expect(b?.pixels[0]).toBe(0);
		expect(b?.pixels[1]).toBeGreaterThan(20);
		const other = page.getByRole("group", { name: "Scene, seen from above: b.csv" });
		await other.focus();
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("+");
		await app.drawn(page);
		expect((await app.stateOf(page)).shown).toBe(91);
		const [later, beside] = await pictures(page, MODELS);
		expect(beside?.camera).toEqual(later?.camera);
		expect(later?.camera[2]).toBeLessThan(a?.camera[2] ?? 0);
		expect(complaints).toEqual([]);
	});

	it("has the camera on a track, plots, notes and a picture as SVG", async () => {
		const charts = ["time_to_collision", "lead_gap", "jerk"];
		const { page, complaints } = await open(`&f=90&q=${charts}&qt=ego`);
		const [, [track = ""]] = await shownTracks(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it, id) => it.select(BigInt(id)), track);
		await app.openCameras(page);
		const camera = page.getByRole("group", { name: "Camera" });
		await camera.getByRole("button", { name: "Selected" }).click();
		expect(await app.stateOf(page)).toMatchObject({ follow: "selected" });
		await app.openTab(page, "Plots");
		for (const chart of charts) {
			const plot = page.locator(`bev-series .chart[data-chart="${chart}"]`);
			const area = plot.locator(".area");
			await expect.poll(() => area.getAttribute("aria-label")).toMatch(/Ego [−\d–]/);
			expect(await plot.locator(".none").count()).toBe(0);
		}
		expect(await findings(page)).toEqual([]);
		await app.openTab(page, "Notes");
		await page.getByLabel("Note", { exact: true }).fill("brakes late");
		await page.getByRole("button", { name: "Add note" }).click();
		await page.getByText("brakes late").first().waitFor();
		await app.focusPicture(page);
		await page.keyboard.press("e");
		const [name, svg] = await app.saved(page, "Save SVG");
		expect(name).toBe("scene-0-frame-90.svg");
		expect(svg.toString()).toMatch(/^<svg/);
		expect(complaints).toEqual([]);
	});

	it("has a map whose elements are found by id, and a list of commands", async () => {
		const { page, complaints } = await open();
		await page.locator("bev-light-list li button").first().click();
		const record = page.locator("bev-map-record");
		await record.getByRole("heading", { name: "Traffic light", exact: true }).waitFor();
		await record.getByRole("button").first().waitFor();
		expect(await findings(page)).toEqual([]);
		await app.focusPicture(page);
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Command" }).waitFor();
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("has lanes that a click in the picture selects", async () => {
		const { page, complaints } = await open();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			for (const name of [
				"vehicle",
				"cyclist",
				"pedestrian",
				"other",
				"dropped",
				"ego",
			] as const)
				if (it.state.layers.has(name)) it.toggleLayer(name);
		});
		const lane = await clickableLane(page);
		await page.mouse.click(lane.x, lane.y);
		const record = page.locator("bev-map-record");
		await record.getByRole("heading", { name: "Lane", exact: true }).waitFor();
		expect(await record.locator("header .id").textContent()).toBe(lane.id);
		await page.keyboard.press("Escape");
		await record.waitFor({ state: "detached" });
		expect(complaints).toEqual([]);
	});

	it("points with an arrow at a selected agent outside of the picture", async () => {
		const { page, complaints } = await open();
		const [, [track = ""]] = await shownTracks(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it, id) => {
			it.select(BigInt(id));
			it.setCamera({ ...it.state.camera, x: 300, y: -40 });
		}, track);
		await app.still(page);
		const { size, at } = await agentIn(page, track);
		const edge = edgeOf(size, at);
		if (!edge) throw new Error("the agent is inside");
		const marked = await colourAt(page, edge.x, edge.y);
		// The dark theme's ink.
		for (const level of marked) expect(level).toBeGreaterThan(200);
		await controller.evaluate((it) => it.select(undefined));
		await app.drawn(page);
		const plain = await colourAt(page, edge.x, edge.y);
		for (const level of plain.slice(0, 3)) expect(level).toBeLessThan(120);
		expect(complaints).toEqual([]);
	});
});
