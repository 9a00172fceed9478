import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type * as Bevscope from "../../web/src/index.js";
import { GOLDENS } from "../support/goldens.js";
import { readNpz } from "../support/npz.js";
import { type Given, openPage, runInPage, serve, useServers } from "./harness.js";

const at = useServers({ server: () => serve() });
let page: Page;

/** Runs `work` in a new page with the package and the data set's address. */
async function inPage<T>(
	work: (given: Given) => Promise<T>,
	path = "/tiny.zarr",
): Promise<T> {
	({ page } = await openPage(at.browser, at.server));
	return runInPage(page, work, at.server.origin + path);
}

describe("browser/library", () => {
	it("opens in one round of metadata and reads no data", async () => {
		at.server.fault({ match: /\.z/, times: Number.POSITIVE_INFINITY, delayMs: 50 });
		const got = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			const { frames, agents, stats, labels, capabilities } = dataset;
			const lengths = [frames.length, agents.length, labels.length];
			dataset.close();
			return { lengths, requests: stats.requests, capabilities };
		});
		expect(at.server.asked("/tiny.zarr/").sort()).toEqual([
			".zattrs",
			".zgroup",
			".zmetadata",
			"agents/.zarray",
			"frames/.zarray",
			"scenes/.zarray",
			"traffic_light_faces/.zarray",
		]);
		expect(got.lengths).toEqual([12, 36, 17]);
		expect(got.requests).toBe(7);
		expect(got.capabilities).toEqual({ worker: "module", streaming: true, notes: [] });
	});

	it("returns a frame as typed arrays and releases its memory", async () => {
		const got = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			const frame = await dataset.frame(1, 2, { past: 2 });
			const { agents, ego, lights } = frame;
			const seen = {
				index: frame.index,
				timestamp: String(frame.timestamp),
				ego: [...ego.translation],
				centroid: [...agents.centroid],
				track: [...agents.track_id].map(String),
				class: [...agents.class],
				trail: [...frame.trails.offsets],
				faces: [...lights.face_id],
			};
			frame.release();
			const left = agents.centroid.length;
			dataset.close();
			return { ...seen, left };
		});
		expect(got).toEqual({
			index: 8,
			timestamp: "1572643684800000000",
			ego: [2, 0, 0],
			centroid: [2, 10, 2, 20, 2, 30],
			track: ["1", "2", "3"],
			class: [0, 1, 2],
			trail: [0, 3, 6, 9],
			faces: ["face-0"],
			left: 0,
		});
	});

	it("reads only the chunks that hold the rows", async () => {
		const rows = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			const columns = await dataset.agents.rows(5, 7, { fields: ["track_id"] });
			const { data } = columns.column("track_id");
			return Array.from<unknown>(data).map(String);
		});
		expect(rows).toEqual(["3", "1"]);
		const data = at.server.asked("/tiny.zarr/").filter((key) => !key.includes(".z"));
		expect(data).toEqual(["agents/1"]);
	});

	it("reads a chunk once for all callers", async () => {
		await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			await Promise.all([0, 1, 2].map(() => dataset.frames.rows(0, 4)));
			await dataset.frames.rows(0, 2);
		});
		expect(
			at.server.asked("/tiny.zarr/").filter((key) => key === "frames/0"),
		).toHaveLength(1);
	});

	it("retries transient failures", async () => {
		at.server.fault({ match: /agents\/0$/, times: 1, status: 503 });
		at.server.fault({ match: /agents\/0$/, times: 1, cutAfter: 100 });
		const length = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			return (await dataset.agents.rows(0, 4)).length;
		});
		expect(length).toBe(4);
		const tries = at.server.log.filter(({ path }) => path.endsWith("agents/0"));
		expect(tries.map(({ status }) => status)).toEqual([503, 200, 200]);
	});

	it("cancels the request of an aborted read", async () => {
		at.server.fault({ match: /agents\/0$/, stallAfter: 0 });
		const said = inPage(async ({ lib, url }) => {
			const patient = new lib.FetchSource(url, { timeoutMs: 600_000 });
			const dataset = await lib.ChunkedDataset.open(patient);
			const control = new AbortController();
			const reading = dataset.agents.rows(0, 4, { signal: control.signal });
			const why = new Error("scrubbed away");
			addEventListener("scrub", () => control.abort(why), { once: true });
			return reading.then(
				() => "read",
				(error) => error.message,
			);
		});
		const entry = () => at.server.log.find(({ path }) => path.endsWith("agents/0"));
		await expect.poll(entry).toBeDefined();
		await page.evaluate(() => dispatchEvent(new Event("scrub")));
		expect(await said).toBe("scrubbed away");
		await expect.poll(() => entry()?.aborted).toBe(true);
	});

	it("reports missing chunks, whose rows are the fill value on request", async () => {
		at.server.fault({ match: /agents\/1$/, status: 404 });
		const got = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url, { missing: "fill" });
			const columns = await dataset.agents.rows(3, 5, { fields: ["track_id"] });
			const ids = Array.from<unknown>(columns.column("track_id").data).map(String);
			return { ids, absent: await dataset.absentChunks() };
		});
		expect(got).toEqual({ ids: ["1", "0"], absent: ["agents/1"] });
	});

	it("rejects a web page and a truncated chunk, then reads the valid one", async () => {
		const page = {
			status: 200,
			body: "<!doctype html>",
			headers: { "Content-Type": "text/html" },
		};
		at.server.fault({ match: /agents\/0$/, times: 1, ...page });
		at.server.fault({ match: /agents\/0$/, times: 1, truncateTo: 100 });
		const got = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			const errors: unknown[] = [];
			for (let i = 0; i < 2; i += 1) {
				await dataset.agents.rows(0, 4).catch((error: Bevscope.BevError) => {
					const { code, key, message } = error;
					errors.push({ bev: error instanceof lib.BevError, code, key, message });
				});
				dataset.forgetFailures();
			}
			const { length } = await dataset.agents.rows(0, 4);
			return { errors, length };
		});
		expect(got.errors).toEqual([
			{
				bev: true,
				code: "network",
				key: "agents/0",
				message: "agents/0: unexpected response (found a web page, expected data)",
			},
			{
				bev: true,
				code: "corrupt_chunk",
				key: undefined,
				message: "agents/0: wrong length (found 100 bytes, expected 464)",
			},
		]);
		expect(got.length).toBe(4);
	});

	it("names the failed object and URL", async () => {
		at.server.fault({ match: /frames\/\.zarray$/, status: 403 });
		const got = await inPage(({ lib, url }) =>
			lib.ChunkedDataset.open(url).then(
				() => "opened",
				({ code, key, status, url: at }) => ({ code, key, status, at }),
			),
		);
		expect(got).toEqual({
			code: "network",
			key: "frames/.zarray",
			status: 403,
			at: `${at.server.origin}/tiny.zarr/frames/.zarray`,
		});
	});

	it("reports a URL without a zarr store, read in the worker and on the page at once", async () => {
		const said = await inPage(({ lib, url }) => {
			const fetched = { fetch: (...asked: [URL, RequestInit]) => fetch(...asked) };
			const failures = [url, new lib.FetchSource(url, fetched)].map((from) =>
				lib.ChunkedDataset.open(from).then(
					() => "opened",
					({ code, message, key, status, url: read }) => {
						const said = message.replace(location.origin, "");
						return [code, said, key, status, String(read).slice(-16)];
					},
				),
			);
			return Promise.all(failures);
		}, "/nowhere");
		const failure = [
			"missing_key",
			"/nowhere: no zarr store (expected .zgroup, .zmetadata, .zarray or zarr.json)",
			".zgroup",
			404,
			"/nowhere/.zgroup",
		];
		expect(said).toEqual([failure, failure]);
	});

	it("reads a custom source", async () => {
		const got = await inPage(async ({ lib, url }) => {
			const keys: string[] = [];
			const source: Bevscope.Source = {
				async read(key) {
					keys.push(key);
					const response = await fetch(`${url}/${key}`);
					return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
				},
			};
			const dataset = await lib.ChunkedDataset.open(source);
			const { length } = await dataset.scenes.rows();
			return {
				length,
				asked: keys.includes("scenes/0"),
				worker: dataset.capabilities.worker,
			};
		});
		expect(got).toEqual({ length: 2, asked: true, worker: "module" });
	});

	it("rejects after close", async () => {
		const said = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			dataset.close();
			return dataset.frame(0, 0).catch((error: Error) => error.message);
		});
		expect(said).toBe("data set: closed");
	});

	it("does not prefetch twice", async () => {
		await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			await dataset.prefetch(0, 0);
			await dataset.frame(0, 0);
		});
		const data = at.server.asked("/tiny.zarr/").filter((key) => !key.includes(".z"));
		expect(new Set(data).size).toBe(data.length);
	});

	it.skipIf(!GOLDENS)("reads L5Kit's rows as L5Kit does", async () => {
		const got = await inPage(async ({ lib, url }) => {
			const dataset = await lib.ChunkedDataset.open(url);
			const fields = ["centroid", "yaw", "track_id"] as const;
			const columns = await dataset.agents.rows(0, dataset.agents.length, { fields });
			const values = (name: (typeof fields)[number]): string[] =>
				Array.from<unknown>(columns.column(name).data).map(String);
			return fields.map(values);
		}, "/goldens/multi_scene.zarr");
		const golden = readNpz(`${GOLDENS}/outputs/data/multi_scene_arrays.npz`);
		const expected = ["centroid", "yaw", "track_id"].map((name) =>
			Array.from<unknown>(golden.get(`agents.${name}`)?.data ?? []).map(String),
		);
		expect(got).toEqual(expected);
		expect(got[2]).toHaveLength(3473);
	});
});
