import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../support/goldens.js";
import type { FaultyServer, Logged } from "../support/http-server.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { type Given, runInPage, serve, useServers } from "./harness.js";

const at = useServers({ server: () => serve(), other: () => serve() });
let context: BrowserContext;

/** Opens one page in a new profile. */
async function begin(etags = true): Promise<Page> {
	context = await at.browser.newContext();
	at.server.etags = etags;
	at.other.etags = etags;
	return newPage();
}

async function newPage(): Promise<Page> {
	const page = await context.newPage();
	await page.goto(`${at.server.origin}/page.html`);
	return page;
}

/** Opens the data set and reads two frames. */
async function visit({ lib, url }: Given) {
	const dataset = await lib.ChunkedDataset.open(url, { cache: { persistent: true } });
	const frames = [await dataset.frame(0, 3), await dataset.frame(1, 5)];
	const east = frames.map(({ ego }) => ego.translation[0]);
	const { cachedBytes } = dataset.stats;
	return { east, cachedBytes };
}

/** Like `visit` without a worker, where only the Cache API is available. */
async function visitOnPage({ lib, url }: Given) {
	const options = { cache: { persistent: true }, load: { worker: false } } as const;
	const dataset = await lib.ChunkedDataset.open(url, options);
	await dataset.frame(0, 3);
	const { cachedBytes } = dataset.stats;
	return { cachedBytes };
}

/**
 * Opens a golden, reads ranges of its agents' chunks concurrently, and compares them.
 */
async function readPieces({ lib, url }: Given) {
	const [address = "", limit] = url.split(" ");
	const cache = { persistent: { limit: Number(limit) } };
	const plain = await lib.ChunkedDataset.open(address);
	let wrong = 0;
	const failed: string[] = [];
	for (let round = 0; round < 3; round += 1) {
		const cached = await lib.ChunkedDataset.open(address, { cache });
		const reads = Array.from({ length: 12 }, async (_, i) => {
			const begin = (i * 977 + round * 331) % (plain.agents.length - 40);
			const pair = [cached, plain].map(async ({ agents }) => {
				const rows = await agents.rows(begin, begin + 40);
				return JSON.stringify([...rows.column("centroid").data]);
			});
			const [one, other] = await Promise.all(pair);
			if (one !== other) wrong += 1;
		});
		for (const read of await Promise.allSettled(reads)) {
			if (read.status === "rejected") failed.push(String(read.reason));
		}
		cached.close();
	}
	plain.close();
	return { wrong, failed };
}

/** Reads continuously while the persistent cache is cleared repeatedly. */
async function readAndClear({ lib, url }: Given) {
	const [address = ""] = url.split(" ");
	const cached = await lib.ChunkedDataset.open(address, {
		cache: { persistent: true },
	});
	const plain = await lib.ChunkedDataset.open(address);
	let [wrong, cleared] = [0, 0];
	const failed: string[] = [];
	for (let round = 0; round < 8; round += 1) {
		const reads = Array.from({ length: 5 }, async (_, i) => {
			const begin = (round * 500 + i * 100) % (plain.agents.length - 50);
			const pair = [cached, plain].map(async ({ agents }) => {
				const rows = await agents.rows(begin, begin + 50);
				return JSON.stringify([...rows.column("centroid").data]);
			});
			const [one, other] = await Promise.all(pair);
			if (one !== other) wrong += 1;
		});
		const clearing = lib.clearPersistentCache().then(
			() => {
				cleared += 1;
			},
			(error) => failed.push(String(error)),
		);
		for (const read of await Promise.allSettled([...reads, clearing])) {
			if (read.status === "rejected") failed.push(String(read.reason));
		}
	}
	await cached.traffic_light_faces.rows(0, 100);
	return { wrong, failed, cleared };
}

/** Returns the bytes in either storage. */
async function bytesInCache(): Promise<number> {
	let bytes = 0;
	const cache = await caches.open("bevscope-1");
	for (const stored of await cache.matchAll()) bytes += (await stored.blob()).size;
	const root = await navigator.storage?.getDirectory();
	if (!root) return bytes; // WebKitGTK has the Cache API only
	const folder = await root.getDirectoryHandle("bevscope-1", { create: true });
	for await (const handle of folder.values()) {
		bytes += (await (handle as FileSystemFileHandle).getFile()).size;
	}
	return bytes;
}

interface Sent {
	readonly bytes: number;
	readonly asked: number;
}

/** Returns the requests for chunks. */
function ofChunks({ log }: FaultyServer): Logged[] {
	return log.filter(({ path }) => path.includes(".zarr/") && !path.includes("/."));
}

/** Returns the bytes of chunks sent and the number of validations; clears the log. */
function chunks(from: FaultyServer): Sent {
	const data = ofChunks(from);
	from.log.length = 0;
	return { bytes: data.reduce((sum, { bytes }) => sum + bytes, 0), asked: data.length };
}

/** Like `chunks`, after every object that was sent is stored. */
async function cachedChunks(page: Page, from: FaultyServer): Promise<Sent> {
	const sent = new Set(ofChunks(from).map(({ path }) => path));
	await expect.poll(() => page.evaluate(cachedFiles)).toBe(sent.size);
	return chunks(from);
}

/** Returns the number of non-empty files in either storage. */
async function cachedFiles(): Promise<number> {
	const cache = await caches.open("bevscope-1");
	let count = (await cache.keys()).length;
	const root = await navigator.storage?.getDirectory();
	if (!root) return count;
	const folder = await root.getDirectoryHandle("bevscope-1", { create: true });
	for await (const handle of folder.values()) {
		const { size } = await (handle as FileSystemFileHandle).getFile();
		if (size > 0) count += 1;
	}
	return count;
}

/** Returns the address of a golden, and a limit. */
const goldens = (limit: number): string =>
	`${at.server.origin}/goldens/single_scene.zarr ${limit}`;

const url = (from: FaultyServer): string => `${from.origin}/tiny.zarr`;

describe("browser/persistent", () => {
	it("a reload fetches no chunk bytes and validates each object once", async () => {
		const page = await begin();
		const first = await runInPage(page, visit, url(at.server));
		expect(first).toEqual({ east: [3, 5], cachedBytes: 0 });
		const cold = await cachedChunks(page, at.server);
		expect(cold.bytes).toBeGreaterThan(1000);
		await page.reload();
		const second = await runInPage(page, visit, url(at.server));
		expect(second).toEqual({ east: [3, 5], cachedBytes: cold.bytes });
		const asked = at.server.log.filter(({ method }) => method === "HEAD");
		expect(new Set(asked.map(({ path }) => path)).size).toBe(asked.length);
		expect(chunks(at.server)).toEqual({ bytes: 0, asked: cold.asked });
	});

	it("works for another origin, without a preflight", async () => {
		const page = await begin();
		await runInPage(page, visit, url(at.other));
		await cachedChunks(page, at.other);
		await page.reload();
		await runInPage(page, visit, url(at.other));
		expect(chunks(at.other).bytes).toBe(0);
	});

	it("a changed data set is detected and read again", async () => {
		const page = await begin();
		await runInPage(page, visit, url(at.server));
		await cachedChunks(page, at.server);
		const frames = tinyDataset().get("frames/0") as Uint8Array;
		const moved = frames.slice();
		const record = moved.length / 4; // rows per chunk
		new DataView(moved.buffer).setFloat64(3 * record + 8 + 16 + 16, 77, true);
		at.server.put("/tiny.zarr/frames/0", moved);
		await page.reload();
		const { east } = await runInPage(page, visit, url(at.server));
		expect(east).toEqual([77, 5]);
		expect(chunks(at.server).bytes).toBe(moved.length);
	});

	it("compares length and metadata if the server sends no validator", async () => {
		const page = await begin(false);
		await runInPage(page, visit, url(at.server));
		await cachedChunks(page, at.server);
		await page.reload();
		await runInPage(page, visit, url(at.server));
		expect(chunks(at.server).bytes).toBe(0);
		at.server.put("/tiny.zarr/.zgroup", '{"zarr_format":  2}');
		await page.reload();
		await runInPage(page, visit, url(at.server));
		expect(chunks(at.server).bytes).toBeGreaterThan(1000);
	});

	it("two pages read and store the same at once", async () => {
		const page = await begin();
		const second = await newPage();
		const both = await Promise.all(
			[page, second].map((one) => runInPage(one, visit, url(at.server))),
		);
		expect(both.map(({ east }) => east)).toEqual([
			[3, 5],
			[3, 5],
		]);
		await cachedChunks(page, at.server);
		await second.reload();
		const { east } = await runInPage(second, visit, url(at.server));
		expect(east).toEqual([3, 5]);
		expect(chunks(at.server).bytes).toBe(0);
	});

	it("the page's thread uses the Cache API", async () => {
		const page = await begin();
		expect(await runInPage(page, visitOnPage, url(at.server))).toEqual({
			cachedBytes: 0,
		});
		const { bytes } = await cachedChunks(page, at.server);
		await page.reload();
		const got = await runInPage(page, visitOnPage, url(at.server));
		expect(got).toEqual({ cachedBytes: bytes });
		expect(await page.evaluate(() => caches.has("bevscope-1"))).toBe(true);
	});

	it("clearPersistentCache leaves nothing", async () => {
		const page = await begin();
		await runInPage(page, visit, url(at.server));
		await cachedChunks(page, at.server);
		await runInPage(page, ({ lib }) => lib.clearPersistentCache(), "");
		await page.reload();
		const { cachedBytes } = await runInPage(page, visit, url(at.server));
		expect(cachedBytes).toBe(0);
		expect(chunks(at.server).bytes).toBeGreaterThan(1000);
	});

	it("continues without caching if storage is full", async () => {
		const page = await begin();
		const session = await context.newCDPSession(page);
		await session.send("Storage.overrideQuotaForOrigin", {
			origin: at.server.origin,
			quotaSize: 1,
		});
		const got = await runInPage(page, visit, url(at.server));
		expect(got).toEqual({ east: [3, 5], cachedBytes: 0 });
		chunks(at.server);
		await page.reload();
		expect(await runInPage(page, visit, url(at.server))).toMatchObject({
			east: [3, 5],
		});
		expect(chunks(at.server).bytes).toBeGreaterThan(1000);
	});

	it.runIf(GOLDENS)(
		"a limit below the data set's size only costs requests",
		async () => {
			const page = await begin();
			for (let again = 0; again < 6; again += 1) {
				await page.reload();
				const got = await runInPage(page, readPieces, goldens(60_000));
				expect(got).toEqual({ wrong: 0, failed: [] });
			}
			expect(await page.evaluate(bytesInCache)).toBeLessThanOrEqual(60_000);
		},
	);

	it.runIf(GOLDENS)(
		"three pages that evict each other's files read correct values",
		async () => {
			const pages = [await begin(), await newPage(), await newPage()];
			for (let again = 0; again < 3; again += 1) {
				const all = await Promise.all(
					pages.map((page) => runInPage(page, readPieces, goldens(90_000))),
				);
				expect(all).toEqual(pages.map(() => ({ wrong: 0, failed: [] })));
			}
		},
	);

	it.runIf(GOLDENS)(
		"clearing the cache does not affect readers of an open data set",
		async () => {
			const page = await begin();
			await runInPage(page, readPieces, goldens(2 ** 30));
			const got = await runInPage(page, readAndClear, goldens(2 ** 30));
			expect(got).toEqual({ wrong: 0, failed: [], cleared: 8 });
			await expect.poll(() => page.evaluate(cachedFiles)).toBeGreaterThan(0);
		},
	);
});
