import type { Page } from "playwright-core";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { sensorDataset } from "../support/sensor-dataset.js";
import * as app from "./viewer-harness.js";

/** What the viewer shows to a person. */
export interface State {
	readonly name: string;
	/** Keys of the link after `src`; undefined if no data set is open. */
	readonly link?: string;
	/** Tab of the right panel, which is a sheet in narrow windows. */
	readonly tab?:
		| "agents"
		| "selected"
		| "raster"
		| "predictions"
		| "distributions"
		| "plots"
		| "notes";
	/** Objects that the server has besides, by path. */
	readonly objects?: () => Promise<ReadonlyMap<string, Uint8Array>>;
	/** Brings the page into the state, once the data set is open. */
	readonly enter?: (page: Page) => Promise<void>;
	/** Text that is visible then. */
	readonly shows?: string | RegExp;
}

/** Opens predictions of two models for frames 70 to 99; agents nearly keep their velocity. */
async function predict(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	const read = await controller.evaluate(async ({ state: { dataset, sceneInfo } }) => {
		if (!dataset || !sceneInfo) throw new Error("no data set is open");
		const fields = ["timestamp", "agent_index_interval"];
		const rows = await dataset.frames.rows(70, 100, { fields });
		const times = rows.column("timestamp").data as BigInt64Array;
		const spans = Array.from(rows.column("agent_index_interval").data, Number);
		const [first = 0, last = 0] = [spans[0], spans.at(-1)];
		const agents = await dataset.agents.rows(first, last, {
			fields: ["track_id", "velocity"],
		});
		const count = last - first;
		const timestamps = new BigInt64Array(count);
		for (const [k, time] of times.entries())
			timestamps.fill(
				time,
				(spans[2 * k] ?? 0) - first,
				(spans[2 * k + 1] ?? 0) - first,
			);
		const track_ids = BigInt64Array.from(
			agents.column("track_id").data as BigUint64Array,
		);
		const velocity = agents.column("velocity").data as Float32Array;
		const STEPS = 20;
		const model = (name: string, error: number) => {
			const coords = new Float64Array(count * 2 * STEPS * 2);
			for (let i = 0, at = 0; i < count; i += 1)
				for (const side of [1, -2])
					for (let k = 1; k <= STEPS; k += 1) {
						const off = (error * side * k * k * Math.sin(Number(track_ids[i]))) / 400;
						const [vx = 0, vy = 0] = velocity.subarray(2 * i, 2 * i + 2);
						coords[at++] = vx * 0.1 * k - vy * off * 0.3;
						coords[at++] = vy * 0.1 * k + vx * off * 0.3;
					}
			const confidences = Float64Array.from({ length: 2 * count }, (_, i) =>
				i % 2 === 0 ? 0.75 : 0.25,
			);
			return { name, from: { timestamps, track_ids, confidences, coords } };
		};
		const viewer = document.querySelector<Viewer>("bev-viewer");
		if (viewer)
			viewer.predictions = [model("baseline", 2), model("transformer-large-v2", 5)];
		return count;
	});
	if (read === 0) throw new Error("nothing is predicted");
	await controller.evaluate((it) => it.reviews.list("worse"));
	await page.waitForFunction(({ state }) => state.review.comparison, controller);
}

/** Opens the predictions and waits until all scenes are ranked. */
async function distribute(page: Page): Promise<void> {
	await predict(page);
	const controller = await app.controllerOf(page);
	await page.waitForFunction(
		({ state }) => state.review.ranking?.running === false,
		controller,
	);
}

/** Opens the predictions, with a picture for each model. */
async function split(page: Page): Promise<void> {
	await predict(page);
	await (await app.controllerOf(page)).evaluate((it) => it.reviews.split(true));
}

/** Goes to the agent for which the second model is worst, beside the first. */
async function rank(page: Page): Promise<void> {
	await predict(page);
	await app.openTab(page, "Predictions");
	await app.focusPicture(page);
	await page.keyboard.press("j");
	await app.settled(page);
}

/** Opens the predictions and the metrics by model. */
async function measure(page: Page): Promise<void> {
	await predict(page);
	await app.openTab(page, "Predictions");
	await page.getByText("Metrics by model").click();
	await page.getByRole("table").nth(1).waitFor();
}

/** Opens a simulation of frames 70 to 99 that drifts to the left of the recorded path. */
async function simulate(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate(async ({ state: { dataset } }) => {
		if (!dataset) throw new Error("no data set is open");
		const fields = ["timestamp", "ego_translation"];
		const rows = await dataset.frames.rows(70, 100, { fields });
		const times = rows.column("timestamp").data as BigInt64Array;
		const place = rows.column("ego_translation").data as Float64Array;
		const at = (axis: number) => Array.from(times, (_, k) => place[3 * k + axis] ?? 0);
		const ego = { x: at(0), y: at(1).map((y, k) => y + 0.08 * k), yaw: at(0).fill(0) };
		const none: number[] = [];
		const agents = {
			counts: at(0).fill(0),
			...{ track_id: none, x: none, y: none, yaw: none, length: none, width: none },
		};
		const scene = `{"scene":0,"timestamps":[${times}],"ego":${JSON.stringify(ego)},"agents":${JSON.stringify(agents)}}`;
		document
			.querySelector<Viewer>("bev-viewer")
			?.setRollout(
				`{"format":"bevscope-rollout","version":1,"name":"drift","scenes":[${scene}]}`,
			);
	});
	await page.waitForFunction(({ state }) => state.rollout?.report, controller);
}

/** Runs the filter of the link. */
async function search(page: Page): Promise<void> {
	await app.focusPicture(page);
	await page.keyboard.press("g");
	const box = page.getByRole("combobox", { name: "Filter" });
	await box.waitFor();
	await page.waitForFunction(
		(input) => input instanceof HTMLInputElement && input.value !== "",
		await box.elementHandle(),
	);
	await box.press("Enter");
}

/** Presses a key of the viewer, and waits for a dialog. */
const dialog = (key: string) => async (page: Page) => {
	await app.focusPicture(page);
	await page.keyboard.press(key);
	await page.getByRole("dialog").first().waitFor();
};

/** Selects the first map element whose id contains this text. */
const findOnMap = (id: string) => async (page: Page) => {
	await app.openTab(page, "Selected");
	const box = page.getByRole("searchbox", { name: /^Find a lane, crosswalk or light/ });
	await box.fill(id);
	await box.press("Enter");
	await page.locator("bev-map-record h2").first().waitFor();
};

/** Selects the first lane that the traffic light controls. */
async function selectLane(page: Page): Promise<void> {
	await findOnMap("4RYD")(page);
	await page.locator("bev-map-record dd button").first().click();
	await page.getByRole("heading", { name: "Lane", exact: true }).waitFor();
}

/** Sets two notes, on a track and on a section. */
async function annotate(page: Page): Promise<void> {
	await page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		if (!viewer) return;
		const note = { scene: 0, time: "2026-01-31T12:00:00.000Z" };
		viewer.notes = [
			{
				...note,
				id: "one",
				frames: [84, 120],
				text: "Brakes late, then stops beyond the line",
				tags: ["braking", "stop line"],
			},
			{ ...note, id: "two", track: "1", frames: [40, 40], text: "Cuts in", tags: [] },
		];
	});
	await page.getByRole("img", { name: /note/i }).first().waitFor({ state: "attached" });
}

/** Cameras and lidar of frames 80 to 92, at `/sensors`. */
async function sensors(): Promise<Map<string, Uint8Array>> {
	const rows = Array.from({ length: 13 }, (_, k) => ({ frame: 80 + k }));
	const last = { frame: 91, absent: ["left"], damaged: ["right"], points: 4000 };
	const all = rows.map((row) => (row.frame === 91 ? last : { ...row, points: 4000 }));
	const objects = await sensorDataset({ rows: all });
	return new Map([...objects].map(([key, bytes]) => [`/sensors/${key}`, bytes]));
}

export const STATES: readonly State[] = [
	{ name: "nothing open", shows: "Drop a folder or .zip here" },
	{ name: "a data set", link: "f=90" },
	{ name: "an agent", link: "f=90&t=1", tab: "selected" },
	{ name: "a followed agent", link: "f=90&t=1&w=agent", tab: "selected" },
	{ name: "a tilted picture", link: "f=90&ti=0.785&z=70" },
	{ name: "an agent in a tilted picture", link: "f=90&t=1&w=agent&ti=1.047&z=50" },
	{ name: "an agent's raster", link: "f=90&t=ego", tab: "raster" },
	{
		name: "a raster's difference",
		link: "f=90&t=ego",
		enter: async (page) => {
			await app.openTab(page, "Raster");
			await page.getByRole("button", { name: "Difference" }).click();
			await page.getByRole("button", { name: "Footprint" }).click();
		},
		tab: "raster",
	},
	{ name: "no predictions", link: "f=90", tab: "predictions" },
	{
		name: "an invalid predictions file",
		link: "f=90",
		enter: async (page) => {
			await page.evaluate(() => {
				const data = new DataTransfer();
				const head = "timestamp,track_id,conf_0,coord_x00,coord_y00\r\n";
				data.items.add(new File([`${head}1,2,x,1,1\r\n`], "bad.csv"));
				const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true });
				document.querySelector("bev-viewer")?.dispatchEvent(drop);
			});
			await app.openTab(page, "Predictions");
			await page.getByRole("alert").first().waitFor();
		},
		tab: "predictions",
	},
	{ name: "two models compared", link: "f=85", tab: "predictions", enter: predict },
	{
		name: "two models in a tilted picture",
		link: "f=85&ti=0.785&z=70",
		tab: "predictions",
		enter: predict,
	},
	{
		name: "two models in split pictures",
		link: "f=85&t=1",
		tab: "predictions",
		enter: split,
	},
	{ name: "a ranked prediction", link: "f=85", tab: "predictions", enter: rank },
	{
		name: "metrics of two models",
		link: "f=85",
		tab: "predictions",
		enter: measure,
	},
	{
		name: "distributions of two models, brushed",
		link: "f=85&ds=predictions;by=model;b.speed=1~;b.class=0",
		tab: "distributions",
		enter: distribute,
		shows: /predictions kept in/,
	},
	{
		name: "box plots of two models",
		link: "f=85&ds=predictions;boxes;on=miss;xy=speed,ade",
		tab: "distributions",
		enter: distribute,
		shows: /predictions in/,
	},
	{
		name: "distributions of agents",
		link: "f=85&ds=tracks;by=class;b.max_speed=2~",
		tab: "distributions",
		shows: /agents kept in 4 of 4 scenes/,
	},
	{ name: "a rollout", link: "f=95", tab: "predictions", enter: simulate },
	{
		name: "plots",
		link: "f=90&t=1&q=speed,time_to_collision,lead_gap&qt=ego",
		tab: "plots",
	},
	{
		name: "a table of plots",
		link: "f=90&t=1&q=speed,agents.velocity.0&qt=ego",
		tab: "plots",
		enter: (page) => page.getByRole("button", { name: "Table" }).click(),
	},
	{
		name: "rows of the timeline",
		link: "f=90&t=1&qt=ego,1&tr=speed,jerk@1,ego_distance@1,fact:ego_hardest_brake",
		shows: /^Jerk, /,
	},
	{
		name: "the menu of rows",
		link: "f=90&t=1",
		enter: async (page) => {
			await page.getByRole("button", { name: "Add a row" }).click();
			await page.getByRole("button", { name: "Add row" }).first().waitFor();
		},
	},
	{
		name: "folded groups",
		link: "f=90",
		enter: async (page) => {
			for (const name of [/^Map/, /^Paths/, /^Filters/])
				await page.getByRole("button", { name }).click();
		},
	},
	{ name: "notes", link: "f=90", tab: "notes", enter: annotate },
	{
		name: "a note being edited",
		link: "f=90",
		tab: "notes",
		enter: async (page) => {
			await annotate(page);
			await app.openTab(page, "Notes");
			await page.getByRole("button", { name: /^Edit note: Cuts in/ }).click();
		},
	},
	{ name: "a traffic light", link: "f=90", tab: "selected", enter: findOnMap("4RYD") },
	{ name: "a lane", link: "f=90", tab: "selected", enter: selectLane },
	{
		name: "a search with hits",
		link: "f=90&find=tracks:closest_ego%20%3C%202",
		enter: async (page) => {
			await search(page);
			await page
				.getByText(/^\d+ hits/)
				.first()
				.waitFor();
		},
	},
	{
		name: "saved searches",
		link: "f=90&find=tracks%22Near%20misses%22:closest_ego%20%3C%202",
		enter: async (page) => {
			await search(page);
			await page.getByRole("button", { name: "Pedestrian", exact: true }).click();
			await page.getByRole("button", { name: "Save search" }).click();
			await page.getByRole("textbox", { name: "Name of the search" }).waitFor();
		},
	},
	{
		name: "a chosen hit",
		link: "f=90&find=tracks:closest_ego%20%3C%202",
		enter: async (page) => {
			await search(page);
			await page
				.getByText(/^\d+ hits/)
				.first()
				.waitFor();
			await page.getByRole("listbox", { name: "Hits" }).focus();
			await page.keyboard.press("Enter");
			await app.settled(page);
		},
	},
	{
		name: "a search with an error",
		link: "f=90&find=scenes:sped%20%3E%202",
		enter: search,
	},
	{
		name: "a gallery",
		link: "f=90&find=tracks:closest_ego%20%3C%202",
		enter: async (page) => {
			await search(page);
			await page.getByRole("button", { name: "Gallery" }).click();
			const gallery = page.getByRole("dialog", { name: "Gallery" });
			await gallery.locator("canvas[data-state=drawn]").nth(5).waitFor();
		},
	},
	{
		name: "a gallery with kept and skipped pictures",
		link: "f=90&find=tracks:closest_ego%20%3C%202",
		enter: async (page) => {
			await search(page);
			await page.getByRole("button", { name: "Gallery" }).click();
			const gallery = page.getByRole("dialog", { name: "Gallery" });
			await gallery.locator("canvas[data-state=drawn]").nth(3).waitFor();
			await gallery.getByRole("listbox", { name: "Pictures" }).focus();
			for (const key of ["k", "s", "k"]) await page.keyboard.press(key);
			await page.keyboard.press("Shift+ArrowRight");
			await page.keyboard.press("t");
			await page.keyboard.type("overtaking");
			await page.keyboard.press("Enter");
		},
	},
	{
		name: "a gallery of predictions",
		link: "f=85",
		tab: "predictions",
		enter: async (page) => {
			await predict(page);
			await app.openTab(page, "Predictions");
			await page
				.getByLabel("Listed predictions")
				.selectOption("B \u2212 A, each agent once");
			await page.getByRole("button", { name: "Gallery" }).click();
			const gallery = page.getByRole("dialog", { name: "Gallery" });
			await gallery.locator("canvas[data-state=drawn]").nth(3).waitFor();
		},
	},
	{
		name: "suggestions of a search",
		link: "f=90",
		enter: async (page) => {
			await dialog("g")(page);
			const box = page.getByRole("combobox", { name: "Filter" });
			await box.pressSequentially("ego");
			const list = page.getByRole("listbox", { name: "Suggestions" });
			await list.getByRole("option").first().waitFor();
		},
	},
	{ name: "export", link: "f=90", enter: dialog("e") },
	{ name: "the list of commands", link: "f=90", enter: dialog("Control+k") },
	{ name: "the list of keys", link: "f=90", enter: dialog("?") },
	{
		name: "the list of scenes",
		link: "f=90",
		enter: async (page) => {
			await page.getByRole("button", { name: /^Scene 0 of/ }).click();
			await page.getByRole("grid").getByRole("row").nth(1).waitFor();
		},
	},
	{
		name: "the list of cameras",
		link: "f=90",
		enter: (page) => app.openCameras(page),
	},
	{
		name: "a measurement",
		link: "f=90",
		enter: async (page) => {
			await app.focusPicture(page);
			await page.keyboard.press("m");
			for (const key of ["n", "Enter", "n", "Enter"]) await page.keyboard.press(key);
		},
	},
	{ name: "scenes side by side", link: "f=90&sb=1,2,3" },
	{
		name: "faults and outcomes",
		link: "f=90",
		enter: async (page) => {
			const controller = await app.controllerOf(page);
			await controller.evaluate((it) => {
				const notices = ["Plots and light states: read failed: agents/1: truncated"];
				it.store.patch({ notices, presumedAbsent: ["traffic_light_faces/.zarray"] });
				for (let k = 0; k < 3; k += 1) it.notify("Not copied: the data set is local");
			});
			await page.getByRole("button", { name: "2 faults in the data" }).click();
		},
	},
	{ name: "two panels", link: "f=90&t=1&tb=agents,selected" },
	{
		name: "an arrangement for review",
		link: "f=90&tb=predictions,plots&hd=layers,plots",
	},
	{
		name: "the menu of layouts",
		link: "f=90",
		enter: (page) => page.getByRole("button", { name: "Layout", exact: true }).click(),
	},
	{ name: "all agents filtered out", link: "f=90&d=1", tab: "agents" },
	{ name: "cameras", link: "f=90&se=/sensors", objects: sensors },
	{
		name: "an enlarged camera",
		link: "f=90&se=/sensors&cam=*,:left",
		objects: sensors,
	},
	{
		name: "cameras without an image",
		link: "f=91&se=/sensors",
		objects: sensors,
		shows: "Damaged image",
	},
	{
		name: "a frame without cameras",
		link: "f=93&se=/sensors",
		objects: sensors,
		shows: "No row for this frame",
	},
	{ name: "closed cameras", link: "f=90&se=/sensors&cam=:,*", objects: sensors },
];

/** Opens the tab of the state, also in a narrow window. */
export async function openStateTab(page: Page, { tab }: State): Promise<void> {
	if (!tab) return;
	await page.evaluate((name) => {
		document.querySelector<Viewer>("bev-viewer")?.layout.show(name);
	}, tab);
	await page.getByRole("tabpanel").first().waitFor();
}

/** Opens a state in a wide window. */
export async function openState(
	suite: app.ViewerSuite,
	src: string,
	state: State,
): Promise<app.Opened> {
	const link = state.link === undefined ? "" : `v=1&src=${src}&${state.link}`;
	for (const [path, bytes] of (await state.objects?.()) ?? [])
		suite.server.put(path, bytes);
	const opened = await app.openApp(suite, { link, reducedMotion: true });
	const { page } = opened;
	await app.settled(page);
	await state.enter?.(page);
	await openStateTab(page, state);
	if (state.shows) await page.getByText(state.shows).first().waitFor();
	return opened;
}
