// States of searches and galleries.
import type { State } from "./state.js";
import {
	dialog,
	predict,
	rankSubmissions,
	search,
	submissions,
} from "./state-steps.js";
import * as app from "./viewer-harness.js";

export const FIND_STATES: readonly State[] = [
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
];
