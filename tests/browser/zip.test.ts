import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch } from "../support/engines.js";
import type { FaultyServer } from "../support/http-server.js";
import { zipOf } from "../support/zip.js";
import { type Given, openPage, runInPage, serve } from "./harness.js";

const TOWN = fileURLToPath(
	new URL("../../build/town/scenes/town.zarr", import.meta.url),
);

/**
 * Minimum latency of each response: requests that arrive meanwhile belong to the same
 * round.
 */
const ROUND_MS = 400;

/** Returns the town's folder as a zip; members are stored, except a few documents. */
function archive(): Uint8Array {
	const files = readdirSync(TOWN, { recursive: true, encoding: "utf8" }).filter(
		(file) => statSync(`${TOWN}/${file}`).isFile(),
	);
	const members = files.map(
		(file) => [`town.zarr/${file}`, readFileSync(`${TOWN}/${file}`)] as const,
	);
	return zipOf(members, (name) => name.endsWith(".zattrs"));
}

/** Returns the number of sequential request rounds. */
function roundsOf({ log }: FaultyServer): number {
	let rounds = 0;
	let answered = Number.NEGATIVE_INFINITY;
	for (const { begun, ended } of log.filter(({ path }) => path.startsWith("/data/"))) {
		if (begun < answered) {
			answered = Math.min(answered, ended);
		} else {
			rounds += 1;
			answered = ended;
		}
	}
	return rounds;
}

async function look({ lib, url }: Given) {
	const dataset = await lib.ChunkedDataset.open(url);
	const { ego, agents } = await dataset.frame(1, 84);
	const { absentChunks } = dataset.stats;
	dataset.close();
	return { ego: [...ego.translation], agents: [...agents.corners], absentChunks };
}

describe("browser/zip: the town as one archive over HTTP", () => {
	let browser: Browser;
	let server: FaultyServer;

	beforeAll(async () => {
		const objects = { "/data/town.zip": archive() };
		const folders = { "/data/town.zarr/": TOWN };
		[browser, server] = await Promise.all([launch(), serve(objects, folders)]);
	});
	afterAll(async () => {
		await browser.close();
		await server.close();
	});

	async function opened(name: string) {
		server.reset();
		const times = Number.POSITIVE_INFINITY;
		server.fault({ match: /^\/data\//, times, delayMs: ROUND_MS });
		const { page } = await openPage(browser, server);
		const seen = await runInPage(page, look, `${server.origin}/data/${name}`);
		await page.close();
		return { seen, rounds: roundsOf(server) };
	}

	it("is displayed identically, with at most three more rounds", async () => {
		const folder = await opened("town.zarr");
		const zip = await opened("town.zip");
		expect(zip.seen).toEqual(folder.seen);
		expect(zip.seen.agents.length).toBeGreaterThan(0);
		expect(folder.rounds).toBeGreaterThanOrEqual(3);
		expect(zip.rounds).toBeLessThanOrEqual(folder.rounds + 3);
		const whole = server.log.filter(({ method, range }) => method === "GET" && !range);
		expect(whole.filter(({ path }) => path.startsWith("/data/"))).toEqual([]);
	});
});
