import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();
const HTML = "<!doctype html><title>Sign in</title>";

/** Types an address into the start page, and presses Enter. */
async function type(page: Page, address: string): Promise<void> {
	await page.getByRole("textbox", { name: "URL" }).fill(address);
	await page.keyboard.press("Enter");
}

/** Opens the start page, and types an address. */
async function typeInto(address: string): Promise<Page> {
	const { page } = await app.openApp(suite);
	await type(page, address);
	return page;
}

const shown = (page: Page): Promise<void> => page.getByText("frame 0 of 0–5").waitFor();

describe("a URL that fails to open beside open data", () => {
	it("stays in the field with the error; Esc returns to the data", async () => {
		const { page } = await app.openTiny(suite);
		await page.getByRole("button", { name: "Open", exact: true }).click();
		await type(page, "/data/typo.zarr");
		await page.getByText("No data set at this URL").waitFor();
		const field = page.getByRole("textbox", { name: "URL" });
		expect(await field.inputValue()).toBe("/data/typo.zarr");
		await page.keyboard.press("Escape");
		await shown(page);
		expect(await app.stateOf(page)).toMatchObject({ phase: "ready", shown: 0 });
		expect(await page.locator(".crumbs").textContent()).toContain("tiny.zarr");
		await page.getByRole("button", { name: "Open", exact: true }).click();
		expect(await field.inputValue()).toBe("/data/typo.zarr");
	});
});

describe("the error card for", () => {
	it("a web page instead of data", async () => {
		const headers = { "Content-Type": "text/html" };
		suite.server.fault({ match: /login/, status: 200, body: HTML, headers });
		const page = await typeInto("/login/a.zarr");
		await page.getByText("The URL leads to a web page, not to data").waitFor();
	});

	it("a server that blocks other origins", async () => {
		suite.server.csp = undefined;
		const other = await app.serveApp();
		other.cors = "none";
		try {
			const page = await typeInto(`${other.origin}${app.TINY_SOURCE}`);
			await page.getByText("blocks cross-origin reads").waitFor();
			await page
				.getByText(`Access-Control-Allow-Origin: ${suite.server.origin}`)
				.waitFor();
			await page.getByRole("button", { name: "Copy" }).waitFor();
		} finally {
			await other.close();
		}
	});

	it("a server that is down", async () => {
		suite.server.csp = undefined;
		const other = await app.serveApp();
		const { origin } = other;
		await other.close();
		const page = await typeInto(`${origin}/a.zarr`);
		await page.getByText("No response from the server").waitFor();
		expect(await page.getByText("Access-Control-Allow-Origin").count()).toBe(0);
	});

	it("a request blocked by the page's policy", async () => {
		const other = await app.serveApp();
		try {
			const page = await typeInto(`${other.origin}/a.zarr`);
			await page.getByText("This page's policy blocks the request").waitFor();
		} finally {
			await other.close();
		}
	});

	for (const [status, title] of [
		[403, "Access denied"],
		[500, "Server error"],
	] as const) {
		it(`status ${status}`, async () => {
			suite.server.fault({ match: /denied/, status });
			const page = await typeInto("/denied/a.zarr");
			await page.getByRole("heading", { name: title }).waitFor();
		});
	}

	it("a folder that contains data sets, which it offers", async () => {
		for (const [key, bytes] of tinyDataset())
			suite.server.put(`/l5/scenes/sample.zarr/${key}`, bytes);
		const page = await typeInto("/l5");
		await page.getByText("Data sets in this folder").waitFor();
		await page.getByRole("button", { name: "/l5/scenes/sample.zarr" }).click();
		await shown(page);
	});

	it("a folder without data sets lists the names tried", async () => {
		const page = await typeInto("/nowhere");
		await page.getByText("Also tried: ", { exact: false }).waitFor();
		await page.getByText("scenes/sample.zarr", { exact: false }).waitFor();
	});

	it("an array, and offers its data set", async () => {
		const page = await typeInto(`${app.TINY_SOURCE}/agents`);
		await page.getByText("This is a single array").waitFor();
		await page.getByRole("button", { name: app.TINY_SOURCE }).click();
		await shown(page);
	});

	it("a data set without agents", async () => {
		suite.server.fault({ match: /tiny\.zarr\/agents/, status: 404 });
		const page = await typeInto(app.TINY_SOURCE);
		await page.getByText("An array is missing").waitFor();
		await page.getByText("array agents: missing", { exact: false }).waitFor();
	});

	it("a local path", async () => {
		const page = await typeInto("C:\\data\\a.zarr");
		await page.getByText("A page cannot open disk paths", { exact: false }).waitFor();
		await type(page, "/home/me/a.zarr");
		await page.getByText("No data set at this URL").waitFor();
		await page.getByText("A page cannot open disk paths", { exact: false }).waitFor();
	});

	it("a link of the viewer: it opens", async () => {
		const link = `${suite.server.origin}/app/index.html#v=1&src=${app.TINY_SOURCE}&s=1&f=4`;
		const page = await typeInto(link);
		await page.getByText("frame 4 of 0–5").waitFor();
		expect(await app.stateOf(page)).toMatchObject({ scene: 1, frame: 4 });
	});

	it("metadata that never arrives names the server", async () => {
		suite.server.fault({ match: /\.zgroup/, delayMs: 600_000 });
		const page = await typeInto(app.TINY_SOURCE);
		const { host } = new URL(suite.server.origin);
		await page.getByText(`Waiting for ${host} to answer`, { exact: false }).waitFor();
		await page.getByRole("button", { name: "Cancel" }).click();
	});
});

describe("credentials in URLs", () => {
	const SIGNED = `${app.TINY_SOURCE}?X-Amz-Signature=abcdef`;

	it("are not stored, displayed or written to the page's URL", async () => {
		const page = await typeInto(SIGNED);
		await shown(page);
		await app.settled(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(3));
		await expect.poll(() => page.url()).toContain("#v=1");
		expect(page.url()).not.toContain("abcdef");
		const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
		expect(stored).not.toContain("abcdef");
	});

	it("are copied into a link only on request", async () => {
		const page = await typeInto(SIGNED);
		await shown(page);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		const copied = () => page.evaluate(() => navigator.clipboard.readText());
		await page.getByRole("button", { name: "Copy link" }).click();
		await page.getByRole("button", { name: "Copy without query" }).click();
		await expect.poll(copied).toContain(`src=${app.TINY_SOURCE}`);
		expect(await copied()).not.toContain("abcdef");
		await page.getByRole("button", { name: /Copy link|Copied/ }).click();
		await page.getByRole("button", { name: "Copy with query" }).click();
		await expect.poll(copied).toContain("abcdef");
	});

	it("are removed with the list of recent URLs", async () => {
		const page = await typeInto(app.TINY_SOURCE);
		await shown(page);
		await page.goto(`${suite.server.origin}/app/index.html?again`);
		await page.getByRole("button", { name: `Remove ${app.TINY_SOURCE}` }).click();
		await page.getByText("Recent", { exact: true }).waitFor({ state: "hidden" });
	});
});
