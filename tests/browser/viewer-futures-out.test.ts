import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { coloured, dropContents, section, shown } from "../support/submission-page.js";
import {
	A,
	B,
	BOTH,
	LINK,
	list,
	saved,
	twoSubmissions,
} from "../support/two-submissions.js";
import { findings } from "./axe.js";
import { differences } from "./gif.js";
import * as app from "./viewer-harness.js";

// Submissions in what leaves the viewer: links, galleries, saved pages, pictures, films.

const SCORES: readonly (readonly [name: string, content: string])[] = [
	["m.csv", "scenario_id,ade\na,1\nb,2\n"],
	["n.csv", "scenario_id,ade\na,2\nb,1\n"],
];

const suite = app.useViewer(() => ({
	objects: new Map([
		...twoSubmissions(),
		...SCORES.map(([name, content]) => [`/data/${name}`, content] as const),
		["/data/bad.csv", "scenario_id,ade\na,bad\n"],
	]),
}));

const dialog = (page: Page) => page.getByRole("dialog", { name: "Gallery" });
const pictures = (page: Page) =>
	dialog(page).getByRole("listbox", { name: "Pictures" }).getByRole("option");
const drawn = (page: Page) => dialog(page).locator("canvas[data-state=drawn]");

async function openGallery(page: Page, rank: string, count: number): Promise<void> {
	await section(page, "b.binproto").getByText("4 joint futures").waitFor();
	await page.getByRole("button", { name: rank }).click();
	await expect.poll(() => list(page).getByRole("button").count()).toBe(count);
	await page.getByRole("button", { name: "Gallery", exact: true }).click();
	await expect.poll(() => pictures(page).count()).toBe(count);
	await expect.poll(() => drawn(page).count()).toBeGreaterThan(1);
}

describe("a gallery of submissions", () => {
	it("shows both in each scenario, and is opened again from its link", async () => {
		const { page, complaints } = await app.openApp(suite, { link: BOTH });
		await openGallery(page, "Rank scenarios", 2);
		expect(await dialog(page).locator("#title + p").textContent()).toBe(
			"Largest by minADE, B − A; A: a.binproto; B: b.binproto",
		);
		for (const name of ["a.binproto", "b.binproto"])
			await dialog(page).locator(".legend").getByText(name).waitFor();
		for (const count of await coloured(drawn(page).first()))
			expect(count).toBeGreaterThan(20);
		expect(await findings(page)).toEqual([]);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await dialog(page).getByRole("button", { name: "Copy link" }).click();
		await dialog(page).getByText("Copied a link to 2 pictures").waitFor();
		const link = await page.evaluate(() => navigator.clipboard.readText());
		const fresh = await app.openApp(suite, { link: link.split("#")[1] ?? "" });
		await expect.poll(() => pictures(fresh.page).count()).toBe(2);
		await expect
			.poll(async () => Math.min(...(await coloured(drawn(fresh.page).first()))))
			.toBeGreaterThan(20);
		expect([...complaints, ...fresh.complaints]).toEqual([]);
	});

	it("has a picture per future, whose saved page links to it", async () => {
		const { page } = await app.openApp(suite, { link: BOTH });
		await openGallery(page, "Rank futures", 16);
		// The worst futures are of B.
		expect(await pictures(page).first().textContent()).toMatch(/future B \d/);
		const [a, b] = await coloured(drawn(page).first());
		expect(a).toBeLessThan(20);
		expect(b).toBeGreaterThan(20);
		const [name, bytes] = await app.downloaded(page, () =>
			dialog(page).getByRole("button", { name: "Save HTML" }).click(),
		);
		expect(name).toBe("gallery.html");
		const html = bytes.toString();
		expect(html.match(/<img /g)).toHaveLength(16);
		expect(html).toContain("</span> b.binproto</span>");
		const [, link = ""] = /href="[^"#]*#([^"]*)"/.exec(html) ?? [];
		expect(link).toMatch(/fu=\d;second/);
		const future = /fu=(\d)/.exec(link)?.[1];
		const fresh = await app.openApp(suite, { link: link.replaceAll("&amp;", "&") });
		await app.openTab(fresh.page, "Predictions");
		await shown(fresh.page).getByText(`future ${future} of 0–3`).waitFor();
		await pictures(page).first().dblclick();
		await app.openTab(page, "Predictions");
		await shown(page).getByText(`future ${future} of 0–3`).waitFor();
	});

	it("says whose files the readers of its link need", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		await dropContents(page, new Map([["b.binproto", B]]));
		await openGallery(page, "Rank futures", 8);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await dialog(page).getByRole("button", { name: "Copy link" }).click();
		await dialog(page)
			.getByText("Copied a link to 8 pictures; its readers need b.binproto")
			.waitFor();
	});
});

describe("a link", () => {
	it("opens the ranking and the worse model's future in a fresh profile", async () => {
		const { page } = await app.openApp(suite, { link: BOTH });
		await section(page, "b.binproto").getByText("4 joint futures").waitFor();
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await list(page).getByRole("button").nth(1).waitFor();
		await list(page).getByRole("button").first().click();
		await expect.poll(() => saved(page)).toMatch(/&s=1&.*fu=\d;second/);
		const link = `${await saved(page)}`;
		const fresh = await app.openApp(suite, { link });
		await fresh.page
			.getByText(/^2 scenarios in 2 of 2 scenes; A: a\.binproto, B: b\.binproto$/)
			.waitFor();
		await expect
			.poll(() =>
				list(fresh.page).getByRole("button").first().getAttribute("aria-label"),
			)
			.toBe("Scene 1, frame 10");
		await app.openTab(fresh.page, "Predictions");
		const future = /fu=(\d)/.exec(link)?.[1];
		await shown(fresh.page).getByText(`future ${future} of 0–3`).waitFor();
		expect(await app.stateOf(fresh.page)).toMatchObject({ scene: 1, frame: 10 });
		expect(await saved(fresh.page)).toContain(`fu=${future};second`);
		expect(fresh.complaints).toEqual([]);
	});
});

describe("a link to local files", () => {
	it("opens the worse of two dropped submissions again, whatever is dropped first", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		await dropContents(page, new Map([["a.binproto", A]]), /a\.binproto: opened/);
		await dropContents(page, new Map([["b.binproto", B]]), /b\.binproto: opened/);
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await list(page).getByRole("button").nth(1).waitFor();
		await list(page).getByRole("button").first().click();
		const files = "ro=local:a.binproto|local:b.binproto";
		await expect.poll(() => saved(page)).toMatch(/&s=1&.*fu=\d;second/);
		expect(await saved(page)).toContain(files);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await page.getByRole("button", { name: "Copy link" }).click();
		await page
			.getByText(/^The link lacks local files: a\.binproto, b\.binproto\./)
			.waitFor();
		const link = await page.evaluate(() => navigator.clipboard.readText());
		const future = /fu=(\d)/.exec(link)?.[1];
		const fresh = await app.openApp(suite, { link: link.split("#")[1] ?? "" });
		const asked = (names: string) =>
			fresh.page
				.locator(".notice")
				.getByText(`The link's sender also had local results: ${names}.`);
		await asked("a.binproto, b.binproto").waitFor();
		expect(await findings(fresh.page)).toEqual([]);
		await dropContents(fresh.page, new Map([["b.binproto", B]]), /b\.binproto: opened/);
		await asked("a.binproto").waitFor();
		await dropContents(fresh.page, new Map([["a.binproto", A]]), /a\.binproto: opened/);
		await fresh.page.getByText(/also had local results/).waitFor({ state: "detached" });
		await app.openTab(fresh.page, "Predictions");
		await shown(fresh.page).getByText(`future ${future} of 0–3`).waitFor();
		await expect
			.poll(() => saved(fresh.page))
			.toContain(`${files}&fu=${future};second`);
		await app.openTab(fresh.page, "Distributions");
		await fresh.page
			.getByText(/^2 scenarios in 2 of 2 scenes; A: a\.binproto, B: b\.binproto$/)
			.waitFor();
		expect(fresh.complaints).toEqual([]);
	});
});

describe("a link to files of scores", () => {
	const ranked = (page: Page, a: string, b: string) =>
		page.getByText(`2 scenarios in 2 of 2 scenes; A: ${a}, B: ${b}`).waitFor();

	it("opens them by their addresses, with A and B", async () => {
		const ro = "ro=/data/a.binproto|/data/m.csv|/data/n.csv";
		const link = `${LINK}&${ro}&fu=a:n.csv;b:m.csv&ds=submissions;on=ade_b_minus_a`;
		const { page, complaints } = await app.openApp(suite, { link });
		await app.openTab(page, "Distributions");
		await ranked(page, "n.csv", "m.csv");
		await expect.poll(() => saved(page)).toContain(`${ro}&fu=a:n.csv;b:m.csv`);
		await app.openTab(page, "Predictions");
		const side = page.getByRole("combobox", { name: "Ranked as B" });
		await side.selectOption("a.binproto");
		await expect.poll(() => saved(page)).toContain(`${ro}&fu=a:n.csv;b:a.binproto`);
		await page.getByRole("button", { name: "Remove the scores m.csv" }).click();
		const others = "ro=/data/a.binproto|/data/n.csv&fu=a:n.csv;b:a.binproto";
		await expect.poll(() => saved(page)).toContain(others);
		expect(complaints).toEqual([]);
	});

	it("asks for local ones, and says why one is refused", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		for (const one of SCORES)
			await dropContents(page, new Map([one]), `${one[0]}: scores of 2 scenarios`);
		await app.openTab(page, "Predictions");
		await page.getByRole("combobox", { name: "Ranked as A" }).selectOption("n.csv");
		await page.getByText("Links have only the names of m.csv, n.csv").waitFor();
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await ranked(page, "n.csv", "m.csv");
		const files = "ro=local:m.csv|local:n.csv&fu=a:n.csv;b:m.csv";
		await expect.poll(() => saved(page)).toContain(files);
		const fresh = await app.openApp(suite, { link: `${await saved(page)}` });
		await fresh.page.getByText("local results: m.csv, n.csv.").first().waitFor();
		for (const one of [...SCORES].reverse())
			await dropContents(fresh.page, new Map([one]), `${one[0]}: scores of`);
		await app.openTab(fresh.page, "Distributions");
		await ranked(fresh.page, "n.csv", "m.csv");
		expect(await saved(fresh.page)).toContain(files);
		const bad = await app.openApp(suite, { link: `${LINK}&ro=/data/bad.csv` });
		await app.openTab(bad.page, "Predictions");
		await bad.page.getByText(/bad\.csv: row 0, ade: not a number/).waitFor();
	});

	it("is written after they were added by URL, as submissions are", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		await app.openTab(page, "Predictions");
		for (const address of ["/data/m.csv", "/data/b.binproto"]) {
			await page.getByRole("button", { name: "a URL" }).click();
			await page.getByLabel("URL of a file").fill(address);
			await page.keyboard.press("Enter");
			await expect.poll(() => saved(page)).toContain(address);
		}
		await section(page, "b.binproto").getByText("4 joint futures").waitFor();
		await page.getByText("Scores: m.csv").waitFor();
		expect(await saved(page)).toContain("ro=/data/b.binproto|/data/m.csv");
	});
});

describe("a film", () => {
	it("has the futures in each frame", async () => {
		const link = `${BOTH}&hd=details`;
		const size = { width: 700, height: 500 };
		const { page } = await app.openApp(suite, { ...size, link, reducedMotion: true });
		const controller = await app.controllerOf(page);
		await page.waitForFunction(
			({ state: { futures } }) =>
				futures?.sets.length === 2 && futures.sets.every(({ curves }) => curves),
			controller,
		);
		await controller.evaluate((it) => it.setSection({ begin: 40, end: 43 }));
		await app.focusPicture(page);
		await page.keyboard.press("e");
		await page.getByRole("heading", { name: "Export" }).waitFor();
		const [, gif] = await app.saved(page, "Save GIF");
		await page.keyboard.press("Escape");
		const [first = 9, last = 9] = await differences(page, gif, [0, 2], 40);
		expect(first).toBeLessThan(2);
		expect(last).toBeLessThan(2);
		await page.evaluate(() => {
			const it = document.querySelector<Viewer>("bev-viewer")?.controller;
			void it?.rollout.use(async (rollout) => {
				const futures = await rollout.futures();
				futures.remove(1);
				futures.remove(0);
			});
		});
		await page.waitForFunction(({ state }) => state.simulated.length === 0, controller);
		const [without = 0] = await differences(page, gif, [0], 40);
		expect(without - first).toBeGreaterThan(0.1);
	});
});
