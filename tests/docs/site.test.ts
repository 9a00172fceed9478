import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { openPage, useServers } from "../browser/harness.js";
import { FaultyServer } from "../support/http-server.js";

/** Version that the site describes. */
const MANIFEST = fileURLToPath(new URL("../../web/package.json", import.meta.url));
const SITE = fileURLToPath(new URL("../../build/site", import.meta.url));

const suite = useServers({
	server: () => FaultyServer.start({ folders: { "/": SITE }, objects: new Map() }),
});

/** Pages of the site by VitePress: not Doxygen's, nor the viewer and the examples. */
function pages(): string[] {
	return readdirSync(SITE, { recursive: true, encoding: "utf8" }).filter(
		(file) =>
			file.endsWith(".html") &&
			!/^(cpp-reference|app|examples)\//.test(file) &&
			!isMoved(file),
	);
}

/** Whether a page only leads to another. */
function isMoved(page: string): boolean {
	return readFileSync(join(SITE, page), "utf8").includes('http-equiv="refresh"');
}

/** Targets of a page's links and images within the site, and the ids that it defines. */
function read(page: string) {
	const html = readFileSync(join(SITE, page), "utf8");
	const all = (pattern: RegExp) =>
		[...html.matchAll(pattern)].map(([, one = ""]) => one);
	return {
		links: all(/ (?:href|src)="([^"]+)"/g),
		ids: new Set(all(/ id="([^"]+)"/g)),
	};
}

describe("docs/site", () => {
	it("links only to files and headings that exist", () => {
		const all = new Map(pages().map((page) => [page, read(page)]));
		const broken: string[] = [];
		for (const [page, { links }] of all) {
			for (const link of links) {
				if (/^[a-z]+:/.test(link)) continue;
				const url = new URL(link, `http://site/${page}`);
				const path = decodeURIComponent(url.pathname).replace(/\/$/, "/index.html");
				const target = all.get(relative("/", path));
				const isHeading =
					!target || !url.hash || target.ids.has(decodeURIComponent(url.hash.slice(1)));
				if (!existsSync(join(SITE, path)) || !isHeading)
					broken.push(`${page}: ${link}`);
			}
		}
		expect(all.size).toBeGreaterThan(30);
		expect(broken).toEqual([]);
	});

	for (const theme of ["light", "dark"] as const) {
		it(`shows the town in the page, with the page's theme (${theme})`, async () => {
			const { page, complaints } = await openPage(
				suite.browser,
				suite.server,
				"/404.html",
			);
			await page.emulateMedia({ colorScheme: theme });
			await page.goto(`${suite.server.origin}/start.html`);
			await page.waitForFunction(() => customElements.get("bev-viewer"));
			const got = await page.locator("bev-viewer").evaluate(async (viewer) => {
				const it = viewer as HTMLElement & {
					settled: Promise<void>;
					frame: number;
					theme: string;
				};
				await it.settled;
				return { frame: it.frame, theme: it.theme };
			});
			expect(got).toEqual({ frame: 40, theme });
			expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
		});
	}

	it.each([360, 768, 1440])("fits into a width of %d pixels", async (width) => {
		const { page } = await openPage(suite.browser, suite.server, "/404.html");
		await page.setViewportSize({ width, height: 800 });
		const wide: string[] = [];
		for (const path of pages().filter((one) => !one.includes("/"))) {
			await page.goto(`${suite.server.origin}/${path}`);
			const over = await page.evaluate(
				() => document.documentElement.scrollWidth - innerWidth,
			);
			if (over > 0) wide.push(`${path}: ${over} px`);
		}
		expect(wide).toEqual([]);
	});

	it("begins with a living scene, and how to install each part", async () => {
		const { page } = await openPage(suite.browser, suite.server, "/index.html");
		await page.waitForFunction(() => customElements.get("bev-viewer"));
		const viewer = page.locator("bev-viewer");
		await viewer.evaluate((it) => (it as unknown as Viewer).settled);
		for (const name of ["page", "npm", "Python", "C++", "shell"])
			await page.getByText(name, { exact: true }).first().waitFor();
		const { version } = JSON.parse(readFileSync(MANIFEST, "utf8"));
		await page.getByText(`bevscope ${version}`).waitFor();
	});

	it("steers the viewer of the playground, and shows its element", async () => {
		const { page } = await openPage(suite.browser, suite.server, "/playground.html");
		await page.waitForFunction(() => customElements.get("bev-viewer"));
		const viewer = page.locator("bev-viewer");
		await viewer.evaluate((it) => (it as unknown as Viewer).settled);
		const form = page.locator("form");
		await form.getByLabel("follow", { exact: true }).selectOption("free");
		await form.getByLabel("frame", { exact: true }).fill("55");
		await page.keyboard.press("Tab");
		await page
			.getByText(
				'<bev-viewer src="https://host/sample.zarr" frame="55" follow="free">',
				{
					exact: false,
				},
			)
			.waitFor();
		const at = () => viewer.evaluate((it) => (it as unknown as Viewer).frame);
		await expect.poll(at).toBe(55);
		await page.getByRole("button", { name: "Reset" }).click();
		await page
			.getByText('<bev-viewer src="https://host/sample.zarr"></bev-viewer>')
			.waitFor();
	});

	it("runs the programs of the gallery, each of at most 40 lines", async () => {
		const { page } = await openPage(suite.browser, suite.server, "/gallery.html");
		const lines = await page.locator(".gallery-lines").allTextContents();
		expect(lines.length).toBeGreaterThan(10);
		for (const text of lines) expect(Number.parseInt(text, 10)).toBeLessThanOrEqual(40);
		await page.getByRole("button", { name: "Run scatter.js" }).click();
		await page.frameLocator("iframe").locator(".uplot canvas").waitFor();
	});

	it("shows pictures and programs of the gallery in the theme of the site", async () => {
		const { page } = await openPage(suite.browser, suite.server, "/gallery.html");
		const shown = () =>
			page
				.locator(".gallery-stage img")
				.evaluateAll((all) =>
					all.filter((one) => one.checkVisibility()).map((one) => one.className),
				);
		const light = await shown();
		expect(light.length).toBeGreaterThan(10);
		expect(new Set(light)).toEqual(new Set(["light"]));
		await page
			.getByRole("switch", { name: /dark theme/ })
			.first()
			.click();
		await expect.poll(shown).toEqual(light.map(() => "dark"));
		await page.getByRole("button", { name: "Run cursor.js" }).click();
		const frame = page.frameLocator("iframe");
		const plot = frame.locator(".plot canvas");
		await plot.waitFor();
		expect(await plot.evaluate((it) => getComputedStyle(it).filter)).toMatch(/^invert/);
		const viewer = frame.locator("bev-viewer");
		expect(await viewer.evaluate((it) => (it as unknown as Viewer).theme)).toBe("dark");
	});

	it("finds pages by their text", async () => {
		const { page } = await openPage(suite.browser, suite.server, "/start.html");
		await page.getByRole("button", { name: "Search" }).click();
		// The box is loaded on request, and without it nothing takes the keys.
		await page.locator(".VPLocalSearchBox input").fill("range requests");
		await page.locator(".VPLocalSearchBox .results a").first().waitFor();
		const found = await page.locator(".VPLocalSearchBox .results a").allTextContents();
		expect(found.join("\n")).toContain("Hosting");
	});

	it("leads from former addresses to the new ones", async () => {
		const { page } = await openPage(suite.browser, suite.server, "/recipes.html");
		await page.waitForURL("**/examples.html");
		await page.goto(`${suite.server.origin}/viewer.html#keys`);
		await page.waitForURL("**/viewer-keys.html");
	});

	it("shows the program of an example, and runs it", async () => {
		const { page } = await openPage(suite.browser, suite.server, "/examples.html");
		await page.getByText("dataset.timeline(scene); // one value per frame").waitFor();
		await page.goto(`${suite.server.origin}/examples/web/index.html?program=speed`);
		await page.locator(".uplot canvas").waitFor();
	});

	it("lists the pages of the TypeScript reference beside each of them", async () => {
		const path = "/api/index/classes/ChunkedDataset.html";
		const { page } = await openPage(suite.browser, suite.server, path);
		const links = page.locator(".VPSidebar a");
		await expect.poll(() => links.allTextContents()).toContain("EgoDataset");
	});

	it("has references of all three languages", () => {
		const has = (path: string, text: string) =>
			expect(readFileSync(join(SITE, path), "utf8"), path).toContain(text);
		has("api/index/classes/ChunkedDataset.html", "sceneFrames");
		has("python-reference.html", "bevscope.open");
		has("cpp-reference/classbev_1_1Dataset.html", "Dataset");
		has("commands.html", "--where");
	});
});
