import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { futuresCsv, futuresNpz } from "../support/own-futures.js";
import {
	asideScenes,
	motionSubmission,
	smoothScenes,
	submission,
} from "../support/submission.js";
import { dropContents, section, shown, strip } from "../support/submission-page.js";
import { LINK, saved, twoSubmissions } from "../support/two-submissions.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const MADE = submission([{ id: "a", scenes: smoothScenes(32) }]);
const OTHER = submission([{ id: "a", scenes: smoothScenes(8) }], "other");

const suite = app.useViewer(() => ({
	objects: new Map([
		...twoSubmissions(),
		["/data/made.binproto", MADE],
		["/data/other.binproto", OTHER],
		["/data/arrays.npz", futuresNpz("a", smoothScenes(8))],
		["/data/rows.csv", futuresCsv("a", smoothScenes(4))],
	]),
}));

/** Number of lines, boxes and dots that the picture has of submissions. */
async function drawn(page: Page): Promise<number> {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => state.simulated.length);
}

describe("a submission", () => {
	it("is opened by a drop, joined, drawn and closed", async () => {
		const { page, complaints } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		await dropContents(page, new Map([["made.binproto", MADE]]));
		await section(page, "made.binproto")
			.getByText("32 joint futures of 4 agents, 3 evaluated.")
			.waitFor();
		await section(page, "made.binproto")
			.getByText(/made · Example University · 200K parameters/)
			.waitFor();
		expect(await page.getByText("someone@example.com").count()).toBe(0);
		const link = section(page, "made.binproto").getByRole("link");
		expect(await link.getAttribute("rel")).toContain("noopener");
		// Of 32 futures and 3 agents: 6 pieces of a path, its end, and a box.
		await expect.poll(() => drawn(page)).toBe(32 * 3 * 8);
		expect(await findings(page)).toEqual([]);
		await page
			.getByRole("button", { name: "Close the submission made.binproto" })
			.click();
		await section(page, "made.binproto").waitFor({ state: "detached" });
		expect(await strip(page).count()).toBe(0);
		await expect.poll(() => drawn(page)).toBe(0);
		expect(complaints).toEqual([]);
	});

	it("shows one future at a time by keys, and its collision by Enter", async () => {
		const link = `${LINK}&ro=/data/made.binproto`;
		const { page } = await app.openApp(suite, { link });
		await section(page, "made.binproto").getByText("32 joint futures").waitFor();
		await shown(page).getByText("all of 0–31").waitFor();
		await page.getByRole("button", { name: "Worst", exact: true }).waitFor();
		await strip(page).focus();
		await page.keyboard.press("End");
		await shown(page).getByText("future 31 of 0–31").waitFor();
		await page.keyboard.press("Enter");
		const controller = await app.controllerOf(page);
		await expect
			.poll(() => controller.evaluate(({ state }) => state.frame))
			.toBeGreaterThan(11);
		await page.keyboard.press("ArrowUp");
		await shown(page).getByText("future 30 of 0–31").waitFor();
		await page.getByRole("button", { name: "All", exact: true }).click();
		await shown(page).getByText("all of 0–31").waitFor();
		await page.keyboard.press("j");
		await shown(page).getByText("future 0 of 0–31").waitFor();
		await page.keyboard.press("k");
		await shown(page).getByText("all of 0–31").waitFor();
		await page.getByRole("button", { name: "Worst", exact: true }).click();
		await shown(page)
			.getByText(/future \d+ of/)
			.waitFor();
	});

	it("opens a future at a step by a press on the strip", async () => {
		const link = `${LINK}&ro=/data/made.binproto`;
		const { page } = await app.openApp(suite, { link });
		await strip(page).waitFor();
		const box = await strip(page).boundingBox();
		if (!box) throw new Error("no strip");
		await page.mouse.click(box.x + box.width / 2, box.y + box.height - 1);
		await shown(page).getByText("future 31 of 0–31").waitFor();
		const controller = await app.controllerOf(page);
		await expect.poll(() => controller.evaluate(({ state }) => state.frame)).toBe(45);
		const words = strip(page).getByRole("option", { selected: true });
		expect(await words.getAttribute("aria-label")).toMatch(
			/^Future 31, ADE .* m, 2 agents in collisions from frame \d+/,
		);
	});

	it("is in the link, with another one and what is shown", async () => {
		const addresses = "ro=/data/made.binproto|/data/other.binproto";
		const { page } = await app.openApp(suite, {
			link: `${LINK}&t=7&${addresses}&fu=2;second;outcome;colliding;worst`,
		});
		await section(page, "made.binproto").getByText("32 joint futures").waitFor();
		await section(page, "other.binproto").getByText("8 joint futures").waitFor();
		await shown(page).getByText("future 2 of 0–7").waitFor();
		await expect.poll(() => saved(page)).toContain(addresses);
		expect(await saved(page)).toContain("fu=2;second;outcome;colliding;worst");
		expect(await findings(page)).toEqual([]);
	});

	it("of motion predictions shows modes at every fifth frame", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		const agents = (smoothScenes(1)[0] ?? []).filter(({ id }) => id === 7 || id === 8);
		const file = motionSubmission("a", agents, [0.5, 0.3, 0.2]);
		await dropContents(page, new Map([["modes.binproto", file]]));
		await section(page, "modes.binproto")
			.getByText("3 modes of 2 agents, 2 evaluated.")
			.waitFor();
		await section(page, "modes.binproto").getByText("motion prediction").waitFor();
	});

	it("of our own form is distinguished from predictions by its content", async () => {
		const { page, complaints } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		await dropContents(
			page,
			new Map([["arrays.npz", futuresNpz("a", smoothScenes(8))]]),
		);
		await section(page, "arrays.npz")
			.getByText("8 joint futures of 4 agents, 3 evaluated.")
			.waitFor();
		await dropContents(page, new Map([["rows.csv", futuresCsv("a", smoothScenes(4))]]));
		await section(page, "rows.csv")
			.getByText("4 joint futures of 4 agents, 3 evaluated.")
			.waitFor();
		// Each submission has one colour: of an agent, a path, its end and a box.
		await expect.poll(() => drawn(page)).toBe((8 + 4) * 3 * 3);
		expect(complaints).toEqual([]);
	});

	it("of our own form opens from a link", async () => {
		const link = `${LINK}&ro=/data/arrays.npz|/data/rows.csv`;
		const { page } = await app.openApp(suite, { link });
		await section(page, "arrays.npz").getByText("8 joint futures").waitFor();
		await section(page, "rows.csv").getByText("4 joint futures").waitFor();
	});

	it("in another frame says how far it begins from the recorded places", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		const far = submission([{ id: "a", scenes: asideScenes(2, 1000, -500) }]);
		const said =
			/^far\.binproto: opened; not in the recording's frame; see Predictions/;
		await dropContents(page, new Map([["far.binproto", far]]), said);
		await page.getByRole("tab", { name: /^Predictions/ }).waitFor();
		await section(page, "far.binproto")
			.getByText(/^These futures begin 500 m from the recorded places/)
			.waitFor();
		expect(await findings(page)).toEqual([]);
	});

	it("that lacks the scene, or is damaged, says so", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		const lacking = submission([{ id: "z", scenes: smoothScenes(1) }]);
		await dropContents(page, new Map([["z.binproto", lacking]]));
		await section(page, "z.binproto")
			.getByText("This scene is not in the submission.")
			.waitFor();
		const damaged = new Map([["z.binproto", MADE.subarray(0, 5000)]]);
		await dropContents(page, damaged, /^z\.binproto: (?!z\.binproto)/);
		await section(page, "z.binproto").getByRole("alert").first().waitFor();
	});
});
