import { describe, expect, it } from "vitest";
import { listedScenes } from "../../../src/elements/scenes/listed-scenes.js";
import {
	DATASET_ORDER,
	type SceneQuery,
} from "../../../src/elements/scenes/scene-list.js";
import {
	type ScenePage,
	SceneReader,
} from "../../../src/elements/scenes/scene-reader.js";
import type { ViewerDataset } from "../../../src/elements/session/dataset.js";

const COUNT = 1200;

/** A request for rows, answered by the test. */
interface Request {
	readonly range: readonly [begin: number, end: number];
	readonly signal: AbortSignal | undefined;
	answer(): void;
	fail(): void;
}

function rowsOf(begin: number, end: number) {
	const indexes = Array.from({ length: end - begin }, (_, k) => begin + k);
	const columns: Record<string, bigint[]> = {
		frame_index_interval: indexes.flatMap((s) => [BigInt(2 * s), BigInt(2 * s + 2)]),
		start_time: indexes.map((s) => BigInt(s) * 1_000_000_000n),
		end_time: indexes.map((s) => BigInt(s) * 1_000_000_000n + 500_000_000n),
	};
	return {
		length: indexes.length,
		column: (name: string) => ({ data: columns[name] ?? [] }),
		strings: () => indexes.map((s) => `host-${s % 10}`),
	};
}

function start() {
	const requests: Request[] = [];
	let forgotten = 0;
	const dataset = {
		scenes: {
			length: COUNT,
			rows: (begin: number, end: number, options: { signal?: AbortSignal } = {}) =>
				new Promise<ReturnType<typeof rowsOf>>((resolve, reject) => {
					const { signal } = options;
					requests.push({
						...{ range: [begin, end], signal },
						answer: () => resolve(rowsOf(begin, end)),
						fail: () => reject(new Error("scenes/0: damaged")),
					});
				}),
		},
		forgetFailures: () => {
			forgotten += 1;
		},
	};
	let changed = () => {};
	const reader = new SceneReader(dataset, () => changed());
	/** Runs `act` and resolves when `page` has changed. */
	const change = (act: () => void) =>
		new Promise<void>((resolve) => {
			changed = resolve;
			act();
		});
	const request = (i: number): Request => {
		const one = requests[i];
		if (!one) throw new Error(`there is no request ${i}`);
		return one;
	};
	return { reader, requests, request, change, forgotten: () => forgotten };
}

const find = (text: string): SceneQuery => ({ ...DATASET_ORDER, text });
const indexes = (page: ScenePage) =>
	page.kind === "ready" ? page.rows.map(({ index }) => index) : page.kind;

/** Answers the scan's requests from `first`. */
async function finishScan({ request, change }: ReturnType<typeof start>, first = 0) {
	for (let i = first; i < first + 3; i += 1) {
		await change(() => request(i).answer());
	}
	await Promise.resolve();
}

describe("a page of scenes", () => {
	it("is read by itself, with frames and duration", async () => {
		const { reader, requests, request, change } = start();
		reader.ask(DATASET_ORDER, 1100);
		expect(reader.page).toEqual({ kind: "reading" });
		await change(() => request(0).answer());
		expect(requests.map(({ range }) => range)).toEqual([[1100, 1200]]);
		const { page } = reader;
		expect(indexes(page)).toHaveLength(100);
		expect(page).toMatchObject({
			total: COUNT,
			rows: { 0: { index: 1100, host: "host-0", frames: 2, duration: 0.5 } },
		});
	});

	it.each([
		["in order", [0, 1]],
		["the newest first", [1, 0]],
	])("is the last requested, responses %s", async (_, order) => {
		const { reader, request, change } = start();
		reader.ask(DATASET_ORDER, 0);
		reader.ask(DATASET_ORDER, 100);
		expect(request(0).signal?.aborted).toBe(true);
		await change(() => {
			for (const i of order) request(i).answer();
		});
		expect(indexes(reader.page)).toEqual(expect.arrayContaining([100, 199]));
	});

	it("that failed stays an error until retried, other pages do not", async () => {
		const { reader, request, change, forgotten } = start();
		reader.ask(DATASET_ORDER, 0);
		await change(() => request(0).fail());
		expect(reader.page).toMatchObject({ error: { message: "scenes/0: damaged" } });
		reader.ask(DATASET_ORDER, 100);
		await change(() => request(1).answer());
		expect(indexes(reader.page)).toContain(100);
		reader.ask(DATASET_ORDER, 0);
		expect(reader.page.kind).toBe("reading");
		await change(() => request(2).fail());
		reader.retry();
		expect(forgotten()).toBe(1);
		await change(() => request(3).answer());
		expect(indexes(reader.page)).toContain(0);
	});
});

describe("a filter", () => {
	it("reads every scene once, block by block, with progress", async () => {
		const it = start();
		const { reader, requests, request, change } = it;
		reader.ask(find("host-3"), 0);
		expect(reader.page).toEqual({ kind: "reading", read: 0 });
		await change(() => request(0).answer());
		expect(reader.page).toEqual({ kind: "reading", read: 500 });
		await change(() => request(1).answer());
		reader.ask(find("host-4"), 0);
		await change(() => request(2).answer());
		await expect.poll(() => reader.page.kind).toBe("ready");
		expect(reader.page).toMatchObject({ total: 120, rows: { 0: { index: 4 } } });
		reader.ask(find("host-4"), 100);
		expect(indexes(reader.page)).toHaveLength(20);
		reader.ask(DATASET_ORDER, 300);
		expect(indexes(reader.page)).toContain(300);
		expect(requests.map(({ range }) => range)).toEqual([
			[0, 500],
			[500, 1000],
			[1000, 1200],
		]);
	});

	it("that is cleared shows the requested page", async () => {
		const { reader, request, change } = start();
		reader.ask(find("host-3"), 0);
		reader.ask(DATASET_ORDER, 0);
		await change(() => request(0).answer());
		expect(reader.page.kind).toBe("reading");
		await change(() => request(1).answer());
		expect(indexes(reader.page)).toEqual(expect.arrayContaining([0, 1, 2]));
	});

	it("ignores rows of an outdated page", async () => {
		const { reader, request } = start();
		reader.ask(DATASET_ORDER, 0);
		reader.ask(find("host-3"), 0);
		expect(request(0).signal?.aborted).toBe(true);
		request(0).answer();
		await Promise.resolve();
		expect(reader.page.kind).toBe("reading");
	});

	it("that cannot be read is an error for every query, until retried", async () => {
		const it = start();
		const { reader, requests, request, change } = it;
		reader.ask(find("a"), 0);
		await change(() => request(0).answer());
		await change(() => request(1).fail());
		expect(reader.page.kind).toBe("failed");
		reader.ask(find("host"), 0);
		expect(reader.page.kind).toBe("failed");
		expect(requests).toHaveLength(2);
		reader.retry();
		expect(reader.page).toEqual({ kind: "reading", read: 0 });
		await finishScan(it, 2);
		await expect.poll(() => reader.page).toMatchObject({ total: COUNT });
	});

	it("stops reading when cancelled, and restarts", async () => {
		const it = start();
		const { reader, requests, request } = it;
		reader.ask(find("host-3"), 0);
		reader.cancel();
		expect(request(0).signal?.aborted).toBe(true);
		request(0).answer();
		reader.ask(find("host-5"), 0);
		expect(reader.page).toEqual({ kind: "reading", read: 0 });
		await finishScan(it, 1);
		await expect.poll(() => reader.page).toMatchObject({ total: 120 });
		expect(requests).toHaveLength(4);
	});
});

describe("listedScenes", () => {
	it("gives scenes of a converted data set their scenario instead of a start time", async () => {
		const scenes = {
			length: 2,
			rows: async (begin: number, end: number) => rowsOf(begin, end),
		} as unknown as ViewerDataset["scenes"];
		const first = { scenario_id: "a1", tags: { turning: [3], stopping: [] } };
		const attrs = { bevscope: { scenes: [first, {}] } };
		const { signal } = new AbortController();
		expect(await listedScenes({ scenes, attrs }, 0, 2, signal)).toMatchObject([
			{ startTime: undefined, scenario: "a1", frames: 2, duration: 0.5 },
			{ startTime: 1_000_000_000n, scenario: undefined, frames: 2 },
		]);
		const rows = await listedScenes({ scenes, attrs }, 0, 2, signal);
		expect(rows.map(({ tags }) => tags)).toEqual([["stopping", "turning"], []]);
	});
});

describe("tags that are read apart", () => {
	const scenes = { length: 2 } as unknown as ViewerDataset["scenes"];
	const names = ["a", "b"];

	it("follow the names, and are read before a search", async () => {
		let answer = (_: readonly (readonly string[])[]): void => {};
		const sceneTags = () =>
			new Promise<readonly (readonly string[])[]>((resolve) => {
				answer = resolve;
			});
		const reader = new SceneReader({ scenes, names, sceneTags }, () => {});
		reader.ask(DATASET_ORDER, 0);
		await expect.poll(() => reader.page.kind).toBe("ready");
		expect(reader.page).toMatchObject({ rows: [{ tags: [] }, { tags: [] }] });
		answer([["turning"], ["stopping"]]);
		const tagged = { rows: [{ tags: ["turning"] }, { tags: ["stopping"] }] };
		await expect.poll(() => reader.page).toMatchObject(tagged);
		reader.ask({ ...DATASET_ORDER, text: "stop" }, 0);
		answer([["turning"], ["stopping"]]);
		const found = { total: 1, rows: [{ host: "b" }] };
		await expect.poll(() => reader.page).toMatchObject(found);
	});

	it("that cannot be read are a failure of a search alone", async () => {
		const sceneTags = () => Promise.reject(new Error("damaged"));
		const reader = new SceneReader({ scenes, names, sceneTags }, () => {});
		reader.ask(DATASET_ORDER, 0);
		await expect.poll(() => reader.page.kind).toBe("ready");
		reader.ask({ ...DATASET_ORDER, text: "a" }, 0);
		await expect.poll(() => reader.page.kind).toBe("failed");
	});
});
