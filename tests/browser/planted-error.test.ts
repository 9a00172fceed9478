// A large error in one prediction of three models is found by few actions of a user.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** The planted error: 80 metres, of the second model, for one agent at one frame. */
const PLANTED = { track: 37, frame: 120 };

/** Opens three models with 2,500 predictions each; the scene is at frame 0. */
async function opened() {
	const { page, complaints } = await app.openMade(suite, {});
	await page.evaluate(`import('/support/made-scene.js').then(({ predictions }) => {
		const models = [0.1, 0.11, 0.12].map((off, i) => ({
			name: 'model ' + (i + 1), from: predictions(off),
		}));
		const { coords, track_ids } = models[1].from;
		const width = coords.length / track_ids.length;
		const row = ${PLANTED.frame} / 10 * 100 + ${PLANTED.track} - 1;
		for (let i = row * width; i < (row + 1) * width; i += 2) coords[i] += 80;
		document.querySelector('bev-viewer').predictions = models;
	})`);
	const controller = await app.controllerOf(page);
	await page.waitForFunction(
		({ state }) => state.review.models.filter((one) => one.report).length === 3,
		controller,
	);
	await app.settled(page);
	return { page, complaints };
}

async function shown(page: Page) {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => ({
		frame: state.frame,
		track: Number(state.selection),
	}));
}

describe("a planted error is found", () => {
	it("by the distributions, in three actions", async () => {
		const { page, complaints } = await opened();
		await app.openTab(page, "Distributions");
		const ade = page.getByRole("slider", { name: "ADE: histogram" });
		await ade.focus();
		// The bar of the largest errors, before that of rows without a value; for a
		// pointer, one click.
		await ade.press("End");
		await ade.press("ArrowLeft");
		expect(await ade.getAttribute("aria-valuetext")).toMatch(/ or more: 1$/);
		await ade.press("Enter");
		const list = page.getByRole("table", { name: "Largest by ADE" });
		await list.getByRole("button").first().click();
		await expect.poll(() => shown(page)).toEqual(PLANTED);
		expect(complaints).toEqual([]);
	});

	it("by the ranking, in two actions", async () => {
		const { page, complaints } = await opened();
		await app.openTab(page, "Predictions");
		await page.getByLabel("Listed predictions").selectOption("B − A by agent");
		await page.getByRole("button", { name: "Worst" }).click();
		await expect.poll(() => shown(page)).toEqual(PLANTED);
		expect(complaints).toEqual([]);
	});

	it("by the gallery, in four actions", async () => {
		const { page, complaints } = await opened();
		await app.openTab(page, "Predictions");
		await page.getByLabel("Listed predictions").selectOption("B − A by agent");
		await page.getByRole("button", { name: "Gallery" }).click();
		const gallery = page.getByRole("dialog", { name: "Gallery" });
		const pictures = gallery.getByRole("listbox", { name: "Pictures" });
		await pictures.getByRole("option").first().click();
		await gallery.getByRole("button", { name: "Go to" }).click();
		await expect.poll(() => shown(page)).toEqual(PLANTED);
		expect(complaints).toEqual([]);
	});
});
