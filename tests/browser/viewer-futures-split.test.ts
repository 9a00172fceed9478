import { describe, expect, it } from "vitest";
import { coloured, section, shown } from "../support/submission-page.js";
import { BOTH, LINK, saved, twoSubmissions } from "../support/two-submissions.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer(() => ({ objects: twoSubmissions() }));

describe("split pictures of two submissions", () => {
	it("show one each, of the same scene, frame and camera", async () => {
		const { page, complaints } = await app.openApp(suite, { link: `${BOTH}&s=1` });
		await section(page, "b.binproto").getByText("4 joint futures").waitFor();
		const split = page.getByRole("button", { name: "Split" });
		await split.focus();
		await page.keyboard.press("Enter");
		const pictures = page.locator("bev-scene-view");
		await expect.poll(() => pictures.count()).toBe(2);
		expect(await split.getAttribute("aria-pressed")).toBe("true");
		const named = (name: string) =>
			page.getByRole("group", { name: `Scene, seen from above: ${name}` });
		await named("a.binproto").waitFor();
		await named("b.binproto").focus();
		await page.keyboard.press("ArrowRight");
		await expect.poll(() => app.stateOf(page).then(({ frame }) => frame)).toBe(12);
		const canvas = (index: number) => pictures.nth(index).locator("canvas");
		// Road users are of similar colours, and in both.
		await expect
			.poll(async () => {
				const [[a, b], [c, d]] = [await coloured(canvas(0)), await coloured(canvas(1))];
				return [a - c > 100, d - b > 100];
			})
			.toEqual([true, true]);
		expect(await findings(page)).toEqual([]);
		await page.setViewportSize({ width: 360, height: 740 });
		await expect.poll(() => pictures.count()).toBe(1);
		await page.setViewportSize({ width: 1280, height: 800 });
		await expect.poll(() => pictures.count()).toBe(2);
		await page.getByRole("button", { name: "Close the submission b.binproto" }).click();
		await expect.poll(() => pictures.count()).toBe(1);
		expect(complaints).toEqual([]);
	});

	it("show a future of the same rank beside a single one, also from a link", async () => {
		const { page, complaints } = await app.openApp(suite, { link: BOTH });
		await section(page, "b.binproto").getByText("4 joint futures").waitFor();
		await page.getByRole("button", { name: "Split" }).click();
		await page.getByRole("button", { name: "Worst", exact: true }).click();
		await shown(page)
			.getByText(/^future \d of 0–3$/)
			.waitFor();
		// Both are equal in this scene, and so are their worst futures.
		await expect.poll(() => saved(page)).toMatch(/fu=\d;split/);
		const link = `${await saved(page)}`;
		const future = /fu=(\d)/.exec(link)?.[1];
		const fresh = await app.openApp(suite, { link });
		for (const name of ["a", "b"])
			await fresh.page
				.getByRole("group", { name: `above: ${name}.binproto, future ${future}` })
				.waitFor();
		const value = (name: string) =>
			section(fresh.page, `${name}.binproto`)
				.getByRole("row")
				.filter({ hasText: "ADE m" })
				.locator("td")
				.last()
				.textContent();
		await expect.poll(() => value("a")).toMatch(/\d/);
		expect(await value("b")).toBe(await value("a"));
		await fresh.page.getByRole("button", { name: "Split" }).click();
		await expect.poll(() => value("b")).toBe("–");
		expect([...complaints, ...fresh.complaints]).toEqual([]);
	});

	it("are not offered for one submission", async () => {
		const link = `${LINK}&ro=/data/a.binproto&fu=split`;
		const { page } = await app.openApp(suite, { link });
		await section(page, "a.binproto").getByText("4 joint futures").waitFor();
		expect(await page.getByRole("button", { name: "Split" }).count()).toBe(0);
		expect(await page.locator("bev-scene-view").count()).toBe(1);
	});
});
