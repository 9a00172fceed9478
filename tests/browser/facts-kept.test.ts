import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import { type Given, runInPage, serve, useServers } from "./harness.js";

const at = useServers({ server: () => serve() });

/** Returns how close each track comes to the ego vehicle. */
async function visit({ lib, url }: Given) {
	const dataset = await lib.ChunkedDataset.open(url);
	const found = await dataset.facts({ table: "tracks" }).read();
	const metres = Array.from(found.column("closest_ego").data, Number);
	dataset.close();
	return metres;
}

/** Waits until facts are in the browser's storage. */
async function stored(page: Page): Promise<void> {
	const kept = () =>
		page.evaluate(async () => {
			const cache = await caches.open("bevscope-facts-1");
			return (await cache.keys()).length;
		});
	await expect.poll(kept).toBe(1);
}

/** Keys of the chunks that were read. */
const read = () =>
	at.server.log
		.filter(({ method, path }) => method === "GET" && /\/\d+$/.test(path))
		.map(({ path }) => path.replace("/tiny.zarr/", ""));

/** Moves the agent in the first row of a chunk of agents. */
function moved(chunk: number): Uint8Array {
	const bytes = (tinyDataset().get(`agents/${chunk}`) as Uint8Array).slice();
	new DataView(bytes.buffer).setFloat64(8, 0.25, true);
	return bytes;
}

async function begin(etags = true): Promise<Page> {
	at.server.etags = etags;
	const context = await at.browser.newContext();
	const page = await context.newPage();
	await page.goto(`${at.server.origin}/page.html`);
	return page;
}

describe("kept facts", () => {
	it("are computed again when any chunk of their scenes has changed", async () => {
		const page = await begin();
		const url = `${at.server.origin}/tiny.zarr`;
		const first = await runInPage(page, visit, url);
		await stored(page);
		await page.reload();
		at.server.log.length = 0;
		expect(await runInPage(page, visit, url)).toEqual(first);
		expect(read()).toEqual([]);
		// A chunk in the middle: the first and the last ones are as before.
		at.server.put("/tiny.zarr/agents/4", moved(4));
		await page.reload();
		const changed = await runInPage(page, visit, url);
		expect(changed).not.toEqual(first);
		expect(read()).toContain("agents/4");
		await stored(page);
		await page.reload();
		at.server.log.length = 0;
		expect(await runInPage(page, visit, url)).toEqual(changed);
		expect(read()).toEqual([]);
	});

	it("are not stored if the server tells no states", async () => {
		const page = await begin(false);
		const url = `${at.server.origin}/tiny.zarr`;
		const first = await runInPage(page, visit, url);
		await page.reload();
		at.server.log.length = 0;
		expect(await runInPage(page, visit, url)).toEqual(first);
		expect(read()).toContain("agents/4");
	});
});
