import type { Page } from "playwright-core";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import type { State } from "./state.js";
import { annotate, dialog, findOnMap, selectLane, sensors } from "./state-steps.js";
import { FIND_STATES } from "./states-find.js";
import { RESULT_STATES } from "./states-results.js";
import * as app from "./viewer-harness.js";

/** A move and a fast ego vehicle. */
const EDITS = Buffer.from(
	JSON.stringify([
		{ op: "move", scene: 0, track: 1, by: [2, 3], turn: 0.4 },
		{ op: "retime", scene: 0, track: "ego", factor: 1.25, from: 80 },
	]),
).toString("base64url");

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
	{
		name: "what if, without edits",
		link: "f=90",
		tab: "edits",
		shows: "No edits",
	},
	{
		name: "what if, with edits of a link",
		link: `f=90&t=1&wi=${EDITS}`,
		tab: "edits",
		enter: async (page) => {
			await app.openTab(page, "What if");
			const panel = page.locator("bev-edits");
			await panel.getByRole("button", { name: "Edit", exact: true }).click();
			await panel.getByRole("button", { name: "Stop" }).waitFor();
		},
		shows: /^Track 1: moved/,
	},
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
	...RESULT_STATES,
	...FIND_STATES,
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
