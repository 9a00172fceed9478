import { expect, it } from "vitest";
import { type Given, openPage, runInPage, serve } from "../../tests/browser/harness.js";
import { launch } from "../../tests/support/engines.js";
import { tinyDataset } from "../../tests/support/tiny-dataset.js";

// Time from leaving a reader's loop until its stalled requests have ended at the server.

const ROUNDS = 20;
/** Maximum time, in milliseconds. */
const LIMIT = 100;
/** Connections that Chromium opens to one server. */
const CONNECTIONS = 6;
/** A batch of 180 agents is a scene, in 45 chunks. */
const SIZE = { scenes: 4, framesPerScene: 60, rowsPerChunk: 4 };
/** The chunks of the second batch and later ones. */
const STALLS = /agents\/(4[5-9]|[5-9]\d|\d{3})$/;

/** Takes one batch, waits for `go`, leaves the loop, and returns when it did. */
async function leave({ lib, url }: Given): Promise<number> {
	const dataset = await lib.ChunkedDataset.open(url);
	let left = 0;
	for await (const _ of dataset.reader({ fields: ["yaw"], batch: 180 })) {
		while (!("go" in globalThis)) await new Promise((next) => setTimeout(next, 5));
		left = Date.now();
		break;
	}
	// The worker stays alive: closing the data set would end its requests as well.
	Object.assign(globalThis, { dataset });
	return left;
}

it("a left loop's requests", async () => {
	const objects = [...tinyDataset(SIZE)].map(
		([key, bytes]) => [`/long.zarr/${key}`, bytes] as const,
	);
	const [server, browser] = await Promise.all([
		serve(Object.fromEntries(objects)),
		launch(),
	]);
	const took: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		server.reset();
		server.fault({ match: STALLS, stallAfter: 8, times: Number.POSITIVE_INFINITY });
		const stalled = () => server.log.filter(({ path }) => STALLS.test(path));
		const { page } = await openPage(browser, server);
		const left = runInPage(page, leave, `${server.origin}/long.zarr`);
		while (stalled().length < CONNECTIONS)
			await new Promise((next) => setTimeout(next, 5));
		await page.evaluate(() => Object.assign(globalThis, { go: true }));
		while (!stalled().every(({ aborted }) => aborted)) await new Promise(setImmediate);
		took.push(Date.now() - (await left));
		expect(stalled().length).toBe(CONNECTIONS);
		await page.close();
	}
	await browser.close();
	await server.close();
	took.sort((a, b) => a - b);
	const most = took.at(-1) ?? Number.NaN;
	console.log(
		`a left loop's requests end after   ${took[ROUNDS / 2]} ms, at most ${most} ms, limit ${LIMIT} ms`,
	);
	expect(most).toBeLessThanOrEqual(LIMIT);
}, 120_000);
