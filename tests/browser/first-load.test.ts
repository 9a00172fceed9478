import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { openPage, serve, useServers } from "./harness.js";

const at = useServers({ own: () => serve() });

/** Limit of the scripts' gzip sizes, in bytes. */
const SCRIPTS = 75_000;

const PAGE = `<!doctype html><title>page</title>
	<style>bev-viewer { height: 600px; }</style>
	<script type="module" src="/dist/cdn/viewer.js"></script>
	<bev-viewer src="/tiny.zarr"></bev-viewer>`;

async function open() {
	at.own.put("/page.html", PAGE);
	const page = await at.browser.newPage();
	// On a busy machine, opening would count as slow, and its progress would be loaded.
	await page.addInitScript(() => {
		const { setTimeout } = window;
		const late = (act: TimerHandler, wait = 0) =>
			setTimeout(act, wait === 500 ? 1e9 : wait);
		window.setTimeout = late as typeof window.setTimeout;
	});
	return page;
}

/** Scripts of the package that the page has loaded. */
async function scripts(page: Page): Promise<string[]> {
	const paths = await page.evaluate(() =>
		performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
	);
	return paths.filter((path) => PACKAGE.test(path));
}

/** Scripts of the package, without workers. */
const PACKAGE = /^\/dist\/(cdn|chunks)\//;

/** Those of the first picture, without hashes. */
const FIRST = ["cdn/viewer.js", "chunks/elements", "chunks/library"];

const withoutHash = (path: string) =>
	path.replace("/dist/", "").replace(/-[\w-]{8}\.js$/, "");

/** Waits until the viewer has drawn a picture. */
function pictured(page: Page): Promise<unknown> {
	return page.waitForFunction(
		() => document.querySelector<Viewer>("bev-viewer")?.controller?.state.pictured,
	);
}

describe("browser/first-load", () => {
	it("needs at most 75 kB of scripts before the first picture", async () => {
		const page = await open();
		let release = (): void => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const late: string[] = [];
		await page.route(/\/dist\/(cdn|chunks)\//, async (route) => {
			const path = new URL(route.request().url()).pathname;
			if (!FIRST.includes(withoutHash(path))) {
				late.push(withoutHash(path));
				await held;
			}
			await route.continue();
		});
		await page.goto(`${at.own.origin}/page.html`);
		await pictured(page);
		const loaded = await scripts(page);
		const first = loaded.filter((path) => FIRST.includes(withoutHash(path)));
		expect(first.map(withoutHash).sort()).toEqual(FIRST);
		const sizes = first.map((path) => {
			const file = fileURLToPath(new URL(`../../web${path}`, import.meta.url));
			return gzipSync(readFileSync(file), { level: 9 }).length;
		});
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(SCRIPTS);
		await expect.poll(() => late).toContain("chunks/panels");
		release();
		await page.getByRole("slider", { name: "Frame" }).waitFor();
	});

	it("reports panels that cannot be loaded, and retries on request", async () => {
		const page = await open();
		await page.route(/chunks\/panels-/, (route) => route.abort());
		await page.goto(`${at.own.origin}/page.html`);
		await pictured(page);
		await page.getByText(/loading the panels failed/).waitFor();
		expect(await page.getByRole("slider", { name: "Frame" }).count()).toBe(0);
		await page.unroute(/chunks\/panels-/);
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByRole("slider", { name: "Frame" }).waitFor();
		expect(await page.getByText(/loading the panels failed/).count()).toBe(0);
	});

	it("handles keys that are pressed before their code is loaded", async () => {
		const page = await open();
		let release = (): void => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.route(/chunks\/panels-/, async (route) => {
			await held;
			await route.continue();
		});
		await page.goto(`${at.own.origin}/page.html`);
		await pictured(page);
		await page.getByRole("group", { name: "Scene, seen from above" }).focus();
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("?");
		const frame = () =>
			page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.frame);
		expect(await frame()).toBe(0);
		release();
		await expect.poll(frame).toBe(2);
		await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
	});

	it("does not let the browser open files that are dropped before it is loaded", async () => {
		const page = await open();
		let release = (): void => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.route(/chunks\/panels-/, async (route) => {
			await held;
			await route.continue();
		});
		await page.goto(`${at.own.origin}/page.html`);
		await pictured(page);
		const isTaken = await page.evaluate(() => {
			const dataTransfer = new DataTransfer();
			dataTransfer.items.add(new File(["x"], "a.csv"));
			const drop = new DragEvent("drop", { dataTransfer, cancelable: true });
			document.querySelector("bev-viewer")?.dispatchEvent(drop);
			return drop.defaultPrevented;
		});
		expect(isTaken).toBe(true);
		release();
		await page.getByText("the viewer was loading; drop the files again").waitFor();
	});

	it("fills the places of bars and panels without moving the picture", async () => {
		const page = await open();
		await page.setViewportSize({ width: 1280, height: 700 });
		let release = (): void => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.route(/chunks\/panels-/, async (route) => {
			await held;
			await route.continue();
		});
		await page.goto(`${at.own.origin}/page.html`);
		await pictured(page);
		const picture = page.locator("bev-scene-view");
		const before = await picture.boundingBox();
		release();
		await page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.settled);
		await page.getByRole("slider", { name: "Frame" }).waitFor();
		expect(await picture.boundingBox()).toEqual(before);
	});

	it("defines the other elements on a page without a viewer", async () => {
		at.own.put(
			"/page.html",
			'<!doctype html><title>page</title><bev-layers></bev-layers><script type="module" src="/dist/cdn/viewer.js"></script>',
		);
		const { page, complaints } = await openPage(at.browser, at.own);
		await page.evaluate(() => customElements.whenDefined("bev-layers"));
		await page.evaluate(() => customElements.whenDefined("bev-timeline"));
		// The browser asks for an icon.
		expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	});
});
