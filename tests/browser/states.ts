import type { Page } from "playwright-core";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import {
	annotate,
	BOTH_RESULTS,
	dialog,
	distribute,
	findOnMap,
	measure,
	predict,
	rank,
	rankSubmissions,
	runLive,
	scoreFiles,
	search,
	selectLane,
	sensors,
	simulate,
	simulateJointly,
	split,
	submissions,
} from "./state-steps.js";
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
		name: "a brushed list of frames",
		link: "f=85&ds=predictions;b.speed=1~",
		tab: "predictions",
		enter: async (page) => {
			await distribute(page);
			const controller = await app.controllerOf(page);
			await controller.evaluate((it) => it.reviews.list("worse-all-frames"));
		},
		shows: /^Distributions keep .* pairs/,
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
	{
		name: "a live model",
		link: "f=20",
		tab: "predictions",
		enter: (page) => runLive(page, true),
	},
	{
		name: "a damaged model",
		link: "f=90",
		tab: "predictions",
		enter: (page) => runLive(page, false),
	},
	{ name: "a rollout", link: "f=95", tab: "predictions", enter: simulate },
	{
		name: "joint futures",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: (page) =>
			simulateJointly(page, "/results/made.binproto", "30;outcome;colliding;worst"),
	},
	{
		name: "joint futures of two submissions",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: (page) => simulateJointly(page, BOTH_RESULTS),
	},
	{
		name: "ranked submissions",
		link: "f=90",
		objects: submissions,
		tab: "distributions",
		enter: (page) => rankSubmissions(page, "submissions;on=min_ade_b_minus_a"),
		shows: /^3 scenarios in 3 of 3 scenes; A: made.*, B: other/,
	},
	{
		name: "ranked futures of submissions",
		link: "f=90",
		objects: submissions,
		tab: "distributions",
		enter: (page) => rankSubmissions(page, "futures;on=ade;by=submission"),
		shows: /^120 futures in 3 of 3 scenes/,
	},
	{
		name: "files of scores",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: scoreFiles,
	},
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
	{ name: "nothing selected", link: "f=90", tab: "selected" },
	{ name: "no notes", link: "f=90", tab: "notes", shows: "No notes" },
	{ name: "notes", link: "f=90", tab: "notes", enter: annotate },
	{
		name: "the menu of notes",
		link: "f=90",
		enter: async (page) => {
			await annotate(page);
			await app.openTab(page, "Notes");
			await page.locator("bev-notes").getByRole("button", { name: "More" }).click();
		},
		tab: "notes",
	},
	{
		name: "distributions without predictions",
		link: "f=90&ds=predictions",
		tab: "distributions",
		shows: "No predictions",
	},
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
		name: "a gallery of futures",
		link: "f=90",
		objects: submissions,
		tab: "distributions",
		enter: async (page) => {
			await rankSubmissions(page, "futures;on=ade");
			await app.openTab(page, "Distributions");
			await page.getByText(/^120 futures in 3 of 3 scenes/).waitFor();
			await page.getByRole("button", { name: "Gallery", exact: true }).click();
			const gallery = page.getByRole("dialog", { name: "Gallery" });
			await gallery.locator("canvas[data-state=drawn]").nth(5).waitFor();
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
	{
		name: "no matching command",
		link: "f=90",
		enter: async (page) => {
			await dialog("Control+k")(page);
			await page.keyboard.type("xyz");
		},
		shows: "No command matches",
	},
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
				const [what, why] = [
					"Plots and light states",
					"read failed: agents/1: truncated",
				];
				const notice = `${what}: ${why}`;
				it.store.patch({
					notices: [notice],
					faults: new Map([[notice, { code: "plots", what, why }]]),
					presumedAbsent: ["traffic_light_faces/.zarray"],
				});
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

/** What the start page of a published site shows to a person. */
export interface StartState {
	readonly name: string;
	/** Whether the site has predictions and rollouts. */
	readonly hasResults?: boolean;
	/** Paths that the server does not give. */
	readonly lost?: RegExp;
	/** Names of chips to press. */
	readonly chips?: readonly string[];
	/** Text that tells that the search has ended. */
	readonly told?: RegExp;
}

export const START_STATES: readonly StartState[] = [
	{ name: "start page" },
	{
		name: "start page searched",
		chips: ["Many pedestrians"],
		told: /\d scenes? found$/,
	},
	{
		name: "start page without hits",
		chips: ["Left turn", "Right turn"],
		told: /^0 scenes found$/,
	},
	{
		name: "start page without facts",
		lost: /facts\.zip$|\/\d+$/,
		told: /could not be read/,
	},
	{ name: "start page with results", hasResults: true },
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
