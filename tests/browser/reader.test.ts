import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { randomFilters, randomFiltersZip } from "../support/random-filters.js";
import type { StreamVector } from "../support/stream-hash.js";
import {
	type Given,
	openPage,
	runInPage,
	STRICT_CSP,
	serve,
	useServers,
} from "./harness.js";

const FILE = new URL("../vectors/reader.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, "utf8")) as {
	vectors: StreamVector[];
};

const at = useServers({ server: serve });

/** Runs `work` in a page with a strict policy. */
async function inPage<T>(work: (given: Given) => Promise<T>): Promise<T> {
	at.server.csp = STRICT_CSP;
	const { page, complaints } = await openPage(at.browser, at.server);
	const url = `${at.server.origin}/tiny.zarr#${JSON.stringify(vectors)}`;
	const got = await runInPage(page, work, url);
	// Ignores 404s of optional metadata, which the page itself requests.
	expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	return got;
}

const chunksOf = (array: string): string[] =>
	at.server.asked(`/tiny.zarr/${array}/`).filter((key) => /^\d+$/.test(key));

/** Reads all vectors twice, cold and warm, and returns the streams. */
async function streams({ lib, url }: Given): Promise<unknown[]> {
	const [address = "", json = ""] = url.split("#");
	const prime = 0x100000001b3n;
	const hashOf = async (reader: InstanceType<typeof lib.DatasetReader>) => {
		const hashes = new Map<string, bigint>();
		let items = 0;
		for await (const batch of reader) {
			items += batch.length;
			for (const name of batch.names) {
				const { data } = batch.columns.column(name);
				let hash = hashes.get(name) ?? 0xcbf29ce484222325n;
				for (const byte of new Uint8Array(
					data.buffer,
					data.byteOffset,
					data.byteLength,
				)) {
					hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
				}
				hashes.set(name, hash);
			}
			batch.release();
		}
		const hex = [...hashes].map(([name, hash]) => [name, hash.toString(16)]);
		return { items, columns: Object.fromEntries(hex) };
	};
	const out: unknown[] = [];
	for (const { plan } of JSON.parse(decodeURIComponent(json)) as StreamVector[]) {
		const dataset = await lib.ChunkedDataset.open(address);
		for (const batch of [5, 7]) {
			const reader = dataset.reader({ ...plan, batch });
			out.push(await hashOf(reader));
			reader.close();
		}
		dataset.close();
	}
	return out;
}

const EXPECTED = vectors.flatMap(({ items, columns }) => [
	{ items, columns },
	{ items, columns },
]);

/** Reads the rows that pass random filters, and returns the wrong filters. */
async function wrongFilters({ lib, url }: Given): Promise<unknown[]> {
	const { origin } = new URL(url);
	const filters = (await (await fetch(`${origin}/filters.json`)).json()) as Iterable<
		[from: string, where: string, rows: string]
	>;
	const dataset = await lib.ChunkedDataset.open(`${origin}/filters.zip`);
	const wrong: unknown[] = [];
	for (const [from, where, expected] of filters) {
		const reader = dataset.reader({ from, fields: ["row"], where, batch: 128 });
		let rows = 0n;
		for await (const batch of reader) {
			for (const row of batch.column("row").data) rows |= 1n << BigInt(row);
			batch.release();
		}
		reader.close();
		if (rows.toString(16) !== expected) wrong.push([from, where]);
	}
	dataset.close();
	return wrong;
}

describe("browser/reader", () => {
	it("2,000 random filters pass the rows that Python's numbers say", async () => {
		at.server.put("/filters.zip", randomFiltersZip());
		at.server.put("/filters.json", JSON.stringify(randomFilters()));
		expect(await inPage(wrongFilters)).toEqual([]);
	}, 120_000);

	it("streams are those of the native program, cold and warm", async () => {
		expect(await inPage(streams)).toEqual(EXPECTED);
	});

	it("streams do not depend on the server's speed", async () => {
		let state = 1;
		at.server.chaos = () => {
			state = (state * 48_271) % 2_147_483_647;
			return { delayMs: state % 20 };
		};
		expect(await inPage(streams)).toEqual(EXPECTED);
	});

	it("filters fetch only the chunks they need, each once", async () => {
		const rows = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url.split("#")[0] ?? "");
			const options = { where: "scene == 1 and frame >= 4", fields: ["row"] };
			const reader = dataset.reader(options);
			const found: number[] = [];
			for await (const batch of reader) {
				found.push(...Array.from(batch.column("row").data, Number));
			}
			dataset.close();
			return found;
		});
		expect(rows).toEqual([30, 31, 32, 33, 34, 35]);
		expect(chunksOf("agents")).toEqual([]); // the rows' numbers are not stored
		expect([...new Set(chunksOf("frames"))]).toEqual(chunksOf("frames"));
		at.server.log.length = 0;
		await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url.split("#")[0] ?? "");
			const options = { where: "scene == 1 and frame >= 4", fields: ["track_id"] };
			for await (const batch of dataset.reader(options)) batch.release();
			dataset.close();
		});
		expect(chunksOf("agents").sort()).toEqual(["7", "8"]);
	});

	it("fields are described, and readers of two data sets follow each other", async () => {
		const found = await inPage(async ({ lib, url }) => {
			const address = url.split("#")[0] ?? "";
			const first = await lib.ChunkedDataset.open(address);
			const second = await lib.ChunkedDataset.open(address);
			const options = { fields: ["row"], where: "scene == 1", batch: 10 };
			const all = lib.concatReaders([first.reader(options), second.reader(options)]);
			const batches: number[][] = [];
			for await (const { reader, batch } of all) batches.push([reader, batch.length]);
			const { groups } = await first.reader(options).describe({ by: "frame" });
			first.close();
			second.close();
			const ends = groups.map(({ value, columns: [row] }) => [value, row?.max]);
			return { batches, ends };
		});
		expect(found.batches).toEqual([
			[0, 10],
			[0, 8],
			[1, 10],
			[1, 8],
		]);
		expect(found.ends).toEqual([20, 23, 26, 29, 32, 35].map((row, i) => [i, row]));
	});

	it("the module is loaded with the first read, and no data is read twice", async () => {
		const module = (): string[] =>
			at.server.asked("/dist/wasm/").filter((name) => name === "bev_stream.wasm");
		await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url.split("#")[0] ?? "");
			dataset.reader().close();
			dataset.close();
		});
		expect(module()).toEqual([]);
		await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url.split("#")[0] ?? "");
			const both = [dataset.reader({ fields: ["row"] }), dataset.reader({ batch: 4 })];
			await Promise.all(
				both.map(async (reader) => {
					for await (const batch of reader) batch.release();
				}),
			);
			dataset.close();
		});
		expect(module()).toEqual(["bev_stream.wasm"]);
		expect([...new Set(chunksOf("agents"))]).toEqual(chunksOf("agents"));
	});

	it("an abort cancels the requests; other readers go on", async () => {
		// The first chunks answer, so that a batch arrives; later ones stall.
		at.server.fault({ match: /agents\/[3-9]$/, stallAfter: 8 });
		const stalled = () =>
			at.server.log.filter(({ path }) => /agents\/[3-9]$/.test(path));
		// Tells the page to go on once the first reader's requests are stalled.
		at.server.put("/reached", "no");
		const reached = expect.poll(() => stalled().length).toBeGreaterThan(0);
		const said = inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url.split("#")[0] ?? "");
			const reader = dataset.reader({
				fields: ["row", "yaw"],
				where: "scene == 0",
				batch: 3,
			});
			const control = new AbortController();
			const first = reader.batches({ signal: control.signal }).next();
			const reason = first.then(
				() => "a batch",
				(error: Error) => error.message,
			);
			const reached = () => fetch("/reached", { cache: "no-store" });
			while ((await (await reached()).text()) !== "yes")
				await new Promise((resolve) => setTimeout(resolve, 20));
			const other = dataset.reader({ from: "frames", fields: ["row"], batch: 4 });
			const sizes: number[] = [];
			for await (const batch of other) sizes.push(batch.length);
			control.abort(new Error("enough"));
			return { sizes, reason: await reason };
		});
		await reached;
		at.server.put("/reached", "yes");
		expect(await said).toEqual({ sizes: [4, 4, 4], reason: "enough" });
		await expect.poll(() => stalled().every(({ aborted }) => aborted)).toBe(true);
	});
});
