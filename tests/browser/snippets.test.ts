import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";
import { openTab } from "./viewer-harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The data set named by the snippets, and the package at the expected address. */
const DATA = "/l5/scenes/sample.zarr";
const SIZE = { scenes: 4, framesPerScene: 90, rowsPerChunk: 300 };

function objects(): Record<string, Uint8Array | string> {
	const data = [...tinyDataset(SIZE)].map(
		([key, bytes]) => [`${DATA}/${key}`, bytes] as const,
	);
	return { ...Object.fromEntries(data), "/tall.css": "bev-viewer { height: 800px; }" };
}

const suite = useServers({
	own: () => serve(objects(), { "/bevscope/": at("web/dist") }),
	other: () => serve(objects(), { "/bevscope/": at("web/dist") }),
});

/**
 * Returns the first HTML block of a document, with its example host replaced by
 * `origin`.
 */
function snippet(document: string, origin: string): string {
	const [, html] =
		/```html\n([\s\S]*?)```/.exec(readFileSync(at(document), "utf8")) ?? [];
	if (!html) throw new Error(`${document}: no HTML block`);
	return `<!doctype html>${html.replaceAll("https://host", origin)}`;
}

/** Opens a page with `html`; returns the viewer's state once it has settled. */
async function run(html: string, csp: string | undefined) {
	suite.own.put("/page.html", html);
	suite.own.csp = csp;
	const opened = await openPage(suite.browser, suite.own);
	await opened.page.waitForFunction(() => customElements.get("bev-viewer"));
	return opened;
}

function shown(page: Page) {
	return page.evaluate(async () => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		await viewer?.settled;
		const { state } = viewer?.controller ?? {};
		return {
			scene: state?.shown?.scene,
			frame: state?.shown?.frame,
			picture: (await viewer?.toBlob())?.size ?? 0,
		};
	});
}

describe("browser/snippets: a page without a bundler", () => {
	for (const document of [
		"README.md",
		"docs/embed.md",
		"docs/start.md",
		"web/README.md",
	]) {
		it(`shows the first snippet of ${document} under a strict policy`, async () => {
			const { page, complaints } = await run(
				snippet(document, suite.own.origin),
				STRICT_CSP,
			);
			const got = await shown(page);
			expect(got).toMatchObject({ scene: 3, frame: 84 });
			expect(got.picture).toBeGreaterThan(0);
			expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
			const scripts = suite.own
				.asked("/bevscope/")
				.filter((path) => /\.m?js/.test(path));
			expect(scripts).toContain("cdn/viewer.js");
			// Entry, elements and worker, panels, and a few modules loaded with the first scene.
			expect(scripts.length).toBeLessThanOrEqual(10);
		});
	}

	it("loads the viewer from another origin, with a query in its URL", async () => {
		const html = `<!doctype html>
			<script type="module" src="${suite.other.origin}/bevscope/cdn/viewer.js?v=1"></script>
			<bev-viewer src="${suite.own.origin}${DATA}" scene="1" frame="5"></bev-viewer>`;
		const { page } = await run(html, undefined);
		expect(await shown(page)).toMatchObject({ scene: 1, frame: 5 });
		// Modules loaded later share the ones that are already loaded.
		const elements = suite.other
			.asked("/bevscope/chunks/")
			.filter((path) => path.startsWith("elements-"));
		expect(elements).toHaveLength(1);
	});

	it("loads code on first use", async () => {
		const { page } = await run(snippet("docs/embed.md", suite.own.origin), STRICT_CSP);
		await shown(page);
		await page.setViewportSize({ width: 1280, height: 900 });
		await page.addStyleTag({ url: "/tall.css" });
		await openTab(page, "Raster");
		const steps = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			await customElements.whenDefined("bev-raster");
			viewer?.dispatchEvent(new KeyboardEvent("keydown", { key: "e", bubbles: true }));
			await customElements.whenDefined("bev-export");
			const csv = "timestamp,track_id,conf_0,coord_x00,coord_y00\n1,1,1.0,0.0,0.0\n";
			await viewer?.controller?.reviews.give(csv, "p.csv");
			await customElements.whenDefined("bev-review");
			return viewer?.controller?.state.review;
		});
		expect(steps).toMatchObject({ problem: undefined });
		expect(suite.own.asked("/bevscope/")).toContain("wasm/bev_tools.wasm");
	});
});

describe("browser/snippets: package.json", () => {
	it("names the viewer as the file for CDNs", () => {
		const manifest = JSON.parse(readFileSync(at("web/package.json"), "utf8"));
		expect(manifest.jsdelivr).toBe("./dist/cdn/viewer.js");
		expect(manifest.unpkg).toBe("./dist/cdn/viewer.js");
	});
});
