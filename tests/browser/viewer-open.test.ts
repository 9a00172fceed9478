import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

import { tinyDataset } from "../support/tiny-dataset.js";
import { zipOf } from "../support/zip.js";

import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Writes the tiny data set to a folder below `name`. */
function folderOnDisk(name: string): string {
	const top = mkdtempSync(join(tmpdir(), "bevscope-"));
	for (const [key, bytes] of tinyDataset()) {
		const path = join(top, name, key);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, bytes);
	}
	return top;
}

describe("opening", () => {
	it("by a link restores scene, frame and selection, without errors under the strict policy", async () => {
		const { page, complaints } = await app.openTiny(suite, {
			link: "s=1&f=4&t=1",
		});
		expect(await app.stateOf(page)).toMatchObject({
			scene: 1,
			frame: 4,
			shown: 4,
			selection: "1",
		});
		await page.getByText("Scene 1 of 0–1").waitFor();
		await page.getByText("frame 4 of 0–5").waitFor();
		expect(complaints).toEqual([]);
	});

	it("requests worker and core with the page, and the core once", async () => {
		const { page } = await app.openTiny(suite);
		const preloaded = await page
			.locator('link[rel="modulepreload"], link[rel="preload"]')
			.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
		const named = (pattern: RegExp) => preloaded.filter((href) => pattern.test(href));
		expect(named(/\/worker-[^/]+\.js$/)).toHaveLength(1);
		expect(named(/review-worker|bev_stream|bev_tools/)).toEqual([]);
		const [core, ...others] = named(/\/bev_core-[^/]+\.wasm$/);
		expect(others).toEqual([]);
		const paths = suite.server.log.map(({ path }) => path);
		expect(
			paths.filter((path) => path.endsWith(core?.slice(1) ?? "none")),
		).toHaveLength(1);
	});

	it("by the URL field remembers the URL", async () => {
		const { page } = await app.openApp(suite);
		await page.getByLabel("Or open a URL").fill(app.TINY_SOURCE);
		await page.keyboard.press("Enter");
		await page.getByText("frame 0 of 0–5").waitFor();
		await expect.poll(() => page.url()).toContain(`src=${app.TINY_SOURCE}`);
		await page.goto(`${suite.server.origin}/app/index.html?again`);
		await page.getByRole("button", { name: app.TINY_SOURCE, exact: true }).click();
		await page.getByText("frame 0 of 0–5").waitFor();
	});

	it("reports an invalid URL", async () => {
		const { page } = await app.openApp(suite);
		await page.getByLabel("Or open a URL").fill("ftp://host/a");
		await page.getByRole("button", { name: "Open", exact: true }).click();
		await page.getByText("Invalid URL", { exact: false }).waitFor();
		expect(await app.stateOf(page)).toMatchObject({ phase: "empty" });
	});

	it("by dropping a folder with a nested data set", async () => {
		const top = folderOnDisk("l5/scenes/tiny.zarr");
		try {
			const { page, complaints } = await app.openApp(suite);
			await app.dropFiles(page, [top]);
			await page.getByText("frame 0 of 0–5").waitFor();
			await app.settled(page);
			expect(complaints).toEqual([]);
		} finally {
			rmSync(top, { recursive: true });
		}
	});

	it("by a file input without a directory picker", async () => {
		const top = folderOnDisk("tiny.zarr");
		try {
			const { page } = await app.openApp(suite);
			await page.evaluate(() => Reflect.deleteProperty(window, "showDirectoryPicker"));
			const [chooser] = await Promise.all([
				page.waitForEvent("filechooser"),
				page.getByRole("button", { name: "Choose a folder" }).click(),
			]);
			await chooser.setFiles(join(top, "tiny.zarr"));
			await page.getByText("frame 0 of 0–5").waitFor();
		} finally {
			rmSync(top, { recursive: true });
		}
	});

	it("by dropping or choosing a .zip", async () => {
		const top = mkdtempSync(join(tmpdir(), "bevscope-"));
		const zip = join(top, "tiny.zip");
		writeFileSync(
			zip,
			zipOf(tinyDataset(), (name) => name.startsWith("agents")),
		);
		try {
			const { page, complaints } = await app.openApp(suite);
			await app.dropFiles(page, [zip]);
			await page.getByText("frame 0 of 0–5").waitFor();
			await page.getByRole("button", { name: "Open", exact: true }).click();
			const [chooser] = await Promise.all([
				page.waitForEvent("filechooser"),
				page.getByRole("button", { name: "Choose a .zip" }).click(),
			]);
			await chooser.setFiles(zip);
			await page.getByText("frame 0 of 0–5").waitFor();
			await app.settled(page);
			expect(complaints).toEqual([]);
		} finally {
			rmSync(top, { recursive: true });
		}
	});

	it("by the directory picker, if the browser has one", async () => {
		const { page, complaints } = await app.openApp(suite);
		const files = [...tinyDataset()].map(
			([key, bytes]) => [key, Array.from(bytes)] as const,
		);
		// The origin private file system serves as a folder; the handles have the same
		// type.
		await page.evaluate(async (all) => {
			const root = await navigator.storage.getDirectory();
			const top = await root.getDirectoryHandle("tiny.zarr", { create: true });
			for (const [key, bytes] of all) {
				const [name = "", ...folders] = key.split("/").reverse();
				let folder = top;
				for (const step of folders.reverse())
					folder = await folder.getDirectoryHandle(step, { create: true });
				const file = await folder.getFileHandle(name, { create: true });
				const writable = await file.createWritable();
				await writable.write(Uint8Array.from(bytes));
				await writable.close();
			}
			Object.assign(window, { showDirectoryPicker: async () => top });
		}, files);
		await page.getByRole("button", { name: "Choose a folder" }).click();
		await page.getByText("frame 0 of 0–5").waitFor();
		await app.settled(page);
		expect(await page.locator(".crumbs").textContent()).toContain("tiny.zarr");
		expect(complaints).toEqual([]);
	});

	it("asks before reading another site's data", async () => {
		suite.server.csp = undefined;
		const other = await app.serveApp();
		try {
			const src = `${other.origin}${app.TINY_SOURCE}`;
			const { page } = await app.openApp(suite, { link: `v=1&src=${src}&f=2` });
			await page.getByText("Open data from another site?").waitFor();
			expect(other.log).toEqual([]);
			await page.getByRole("button", { name: "Open it" }).click();
			await page.getByText("frame 2 of 0–5").waitFor();
		} finally {
			await other.close();
		}
	});

	it("reports invalid values of a link and applies the others", async () => {
		const { page } = await app.openTiny(suite, { link: "f=3&th=7" });
		await page
			.getByText("Link: ignored th=7 (expected a number from 0 to 1)")
			.waitFor();
		expect(await app.stateOf(page)).toMatchObject({ frame: 3, threshold: 0.5 });
	});
});

describe("failing", () => {
	it("reports a missing data set with its request, and retries", async () => {
		suite.server.fault({ match: /tiny\.zarr/, status: 404 });
		const { page } = await app.openApp(suite, { link: `v=1&src=${app.TINY_SOURCE}` });
		await page.getByRole("button", { name: "Try again" }).waitFor();
		const said = await page.locator("bev-open .card").textContent();
		expect(said).toContain("zgroup");
		suite.server.reset();
		suite.server.csp = app.APP_CSP;
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByText("frame 0 of 0–5").waitFor();
	});

	it("explains CORS if another site blocks reads", async () => {
		suite.server.csp = undefined;
		const other = await app.serveApp();
		other.cors = "none";
		try {
			const link = `v=1&src=${other.origin}${app.TINY_SOURCE}`;
			const { page } = await app.openApp(suite, { link });
			await page.getByRole("button", { name: "Open it" }).click();
			await page
				.getByText("Access-Control-Allow-Origin", { exact: false })
				.waitFor({ timeout: 30_000 });
		} finally {
			await other.close();
		}
	}, 60_000);

	it("distinguishes a web page from a data set", async () => {
		suite.server.fault({
			match: /tiny\.zarr/,
			status: 200,
			body: "<!doctype html><title>hi</title>",
		});
		const { page } = await app.openApp(suite, { link: `v=1&src=${app.TINY_SOURCE}` });
		await page.getByText("The URL leads to a web page, not to data").waitFor();
	});

	it("can be cancelled while the server does not respond", async () => {
		suite.server.fault({ match: /\.zgroup/, delayMs: 20_000 });
		const { page } = await app.openApp(suite, { link: `v=1&src=${app.TINY_SOURCE}` });
		await page.getByText("Opening tiny.zarr").waitFor();
		// The page reports it before the core is loaded and sends requests.
		const asked = () => suite.server.log.some(({ path }) => path.endsWith(".zgroup"));
		await expect.poll(asked).toBe(true);
		await page.getByRole("button", { name: "Cancel" }).click();
		await page.getByText("Drop a folder or .zip here").waitFor();
		await expect.poll(() => suite.server.log.some(({ aborted }) => aborted)).toBe(true);
	});

	it("reports a missing chunk and displays the rest", async () => {
		suite.server.fault({ match: /tiny\.zarr\/agents\/4$/, status: 404 });
		const link = `v=1&src=${app.TINY_SOURCE}&f=5`;
		const { page } = await app.openApp(suite, { link });
		await page.getByText("agents/4: missing from the store").first().waitFor();
		// One message for one cause: the chunk's follows when the frame's failure is gone.
		const badge = page.getByRole("button", { name: "1 fault in the data" });
		await badge.click();
		const notice = page.getByText("agents/4 is missing from the data set");
		expect(await notice.count()).toBe(0);
		await page.getByRole("slider", { name: "Frame" }).press("Home");
		await expect.poll(async () => (await app.stateOf(page)).shown).toBe(0);
		await notice.waitFor();
	});

	it("names a corrupt chunk and displays the rest", async () => {
		suite.server.fault({ match: /tiny\.zarr\/agents\/4$/, truncateTo: 10 });
		const link = `v=1&src=${app.TINY_SOURCE}&f=5`;
		const { page } = await app.openApp(suite, { link });
		await page.getByText("Corrupt chunk").waitFor();
		await page.getByText("agents/4", { exact: false }).first().waitFor();
		await page.getByRole("slider", { name: "Frame" }).press("Home");
		await expect.poll(async () => (await app.stateOf(page)).shown).toBe(0);
		await page.getByText("Corrupt chunk").waitFor({ state: "hidden" });
	});
});
