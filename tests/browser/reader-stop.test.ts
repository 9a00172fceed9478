import { describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import {
	type Given,
	openPage,
	runInPage,
	STRICT_CSP,
	serve,
	useServers,
} from "./harness.js";

/** A batch of 180 agents is a scene, in 45 chunks. */
const SIZE = { scenes: 4, framesPerScene: 60, rowsPerChunk: 4 };

const at = useServers({
	server: () =>
		serve(
			Object.fromEntries(
				[...tinyDataset(SIZE)].map(([key, bytes]) => [`/long.zarr/${key}`, bytes]),
			),
		),
});

/** Connections that Chromium opens to one server. */
const CONNECTIONS = 6;

type Leaving = "break" | "throw" | "close" | "abort";

/** Requests of chunks of agents, in the order in which they began. */
const requests = () =>
	at.server.log.filter(({ path }) => /^\/long.zarr\/agents\/\d+$/.test(path));

/** Runs `leave` in a page; `go` lets it leave the loop. */
async function started(how: Leaving) {
	at.server.csp = STRICT_CSP;
	const { page, complaints } = await openPage(at.browser, at.server);
	const left = runInPage(page, leave, `${at.server.origin}/long.zarr#${how}`);
	const go = () => page.evaluate(() => Object.assign(globalThis, { go: true }));
	return { left, go, complaints };
}

/**
 * Takes one batch, waits for `go`, and leaves the loop as the address's fragment says.
 * Then reads another table, in the same worker.
 */
async function leave({
	lib,
	url,
}: Given): Promise<{ batches: number; others: number }> {
	const [address = "", how] = url.split("#");
	const dataset = await lib.ChunkedDataset.open(address);
	const reader = dataset.reader({ fields: ["yaw"], batch: 180 });
	const control = new AbortController();
	let batches = 0;
	const loop = async (): Promise<void> => {
		for await (const _ of reader.batches({ signal: control.signal })) {
			batches += 1;
			while (!("go" in globalThis)) await new Promise((next) => setTimeout(next, 20));
			if (how === "break") break;
			if (how === "throw") throw new Error("enough");
			if (how === "close") reader.close();
			if (how === "abort") control.abort(new Error("enough"));
		}
	};
	await loop().catch(() => {});
	let others = 0;
	const other = dataset.reader({ from: "frames", fields: ["ego_translation"] });
	for await (const batch of other) others += batch.length;
	dataset.close();
	return { batches, others };
}

const LEFT = { batches: 1, others: 240 };

describe("browser/reader-stop", () => {
	for (const how of ["break", "throw", "close", "abort"] satisfies Leaving[]) {
		it(`leaving a loop by ${how} aborts its requests, and no further one starts`, async () => {
			// The first batch arrives; the chunks of the second stall.
			const stalls = /agents\/(4[5-9]|[5-9]\d|\d{3})$/;
			const stalled = () => requests().filter(({ path }) => stalls.test(path));
			at.server.fault({
				match: stalls,
				stallAfter: 8,
				times: Number.POSITIVE_INFINITY,
			});
			const { left, go, complaints } = await started(how);
			await expect.poll(() => stalled().length).toBe(CONNECTIONS);
			await go();
			expect(await left).toEqual(LEFT);
			await expect.poll(() => stalled().every(({ aborted }) => aborted)).toBe(true);
			expect(requests().length).toBe(45 + CONNECTIONS);
			expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
		});
	}

	it("while the consumer stalls, one batch is read ahead", async () => {
		const { left, go } = await started("break");
		await expect.poll(() => requests().length).toBe(90);
		await go();
		expect(await left).toEqual(LEFT);
		const chunks = requests().map(({ path }) => Number(path.split("/").at(-1)));
		const expected = Array.from({ length: 90 }, (_, i) => i);
		expect(chunks.sort((a, b) => a - b)).toEqual(expected);
	});
});
