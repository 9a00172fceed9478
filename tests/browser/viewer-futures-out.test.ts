import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { asideScenes, smoothScenes, submission } from "../support/submission.js";
import { dropContents, section, shown } from "../support/submission-page.js";
import { LONG, tfrecords, waymoScenario } from "../support/waymo.js";
import { findings } from "./axe.js";
import { differences } from "./gif.js";
import * as app from "./viewer-harness.js";

// Submissions in what leaves the viewer: links, galleries, saved pages, pictures, films.

const DATA = tfrecords(waymoScenario("a", 1000, LONG), waymoScenario("b", 1200, LONG));
const A = submission([
	{ id: "a", scenes: smoothScenes(4) },
	{ id: "b", scenes: smoothScenes(4, 1200) },
]);
/** Worse in scenario b. */
const B = submission(
	[
		{ id: "a", scenes: smoothScenes(4) },
		{ id: "b", scenes: asideScenes(4, 1200, 7) },
	],
	"other",
);

const suite = app.useViewer(() => ({
	objects: new Map([
		["/data/two.tfrecord-00000-of-00001", DATA],
		["/data/a.binproto", A],
		["/data/b.binproto", B],
	]),
}));

const LINK = "v=1&src=/data/two.tfrecord-00000-of-00001&f=11";
const BOTH = `${LINK}&ro=/data/a.binproto|/data/b.binproto`;

const list = (page: Page) => page.getByRole("table", { name: /^Largest by / });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Gallery" });
const pictures = (page: Page) =>
	dialog(page).getByRole("listbox", { name: "Pictures" }).getByRole("option");
const drawn = (page: Page) => dialog(page).locator("canvas[data-state=drawn]");

/** Counts pixels of the submissions' colours, #c026d3 and #0891b2, faint or not. */
function coloured(canvas: Locator): Promise<readonly [a: number, b: number]> {
	return canvas.evaluate((it: HTMLCanvasElement) => {
		const { data = [] } =
			it.getContext("2d")?.getImageData(0, 0, it.width, it.height) ?? {};
		let [a, b] = [0, 0];
		for (let i = 0; i < data.length; i += 4) {
			const [red = 0, green = 0, blue = 0] = [data[i], data[i + 1], data[i + 2]];
			if (red - green > 60 && blue - green > 60) a += 1;
			// Vehicles are of a purer blue.
			if (green - red > 50 && blue - red > 60 && blue - green < 50) b += 1;
		}
		return [a, b] as const;
	});
}

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

	it("says if its link lacks submissions that are local files", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		await dropContents(page, new Map([["b.binproto", B]]));
		await openGallery(page, "Rank futures", 8);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await dialog(page).getByRole("button", { name: "Copy link" }).click();
		await dialog(page)
			.getByText(/^Copied a link to 8 pictures; submissions that are local files/)
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
		const saved = (of: Page) =>
			of.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.save());
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
