import { describe, expect, it } from "vitest";
import { tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import {
	FindLoader,
	type Found,
	MAX_HITS,
} from "../../../src/elements/find/find-loader.js";
import type {
	FactReader,
	FoundRows,
	TableReader,
	ViewerDataset,
} from "../../../src/elements/session/dataset.js";
import { ChunkedDataset, type FactsCheck, MemorySource } from "../../../src/index.js";

const noMap = async (): Promise<undefined> => undefined;

/** A data set whose searches answer when the test calls `next`. */
class HeldSearches {
	readonly searches: { readonly where: unknown; next(items: number): Promise<void> }[] =
		[];

	reader = ({ where }: { where?: unknown }): TableReader => {
		const pushed: ((rows: FoundRows) => void)[] = [];
		const batches = async function* (): AsyncGenerator<FoundRows> {
			for (;;) yield await new Promise<FoundRows>((resolve) => pushed.push(resolve));
		};
		if (where !== undefined) {
			this.searches.push({
				where,
				async next(items) {
					while (pushed.length === 0) await new Promise((done) => setTimeout(done));
					pushed.shift()?.(rows(items));
					await new Promise((done) => setTimeout(done));
				},
			});
		}
		return {
			batches,
			explain: async () => ({ columns: [], labels: [] }),
			close: () => {},
		};
	};
}

function rows(items: number): FoundRows {
	const data = Array.from({ length: items }, (_, i) => i);
	const progress = { done: 1, of: 2 };
	return { length: items, progress, column: () => ({ data }), release: () => {} };
}

describe("find-loader", () => {
	it("lists hits with their values, and counts them", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const told: Found[] = [];
		const loader = new FindLoader((found) => told.push(found), noMap);
		const where = "track_id == 2 and frame == 1";
		await loader.run(dataset, { table: "agents", where });
		expect(told.at(-1)).toMatchObject({ phase: "done", done: 2, of: 2, count: 2 });
		expect(told.at(-1)?.hits[0]).toMatchObject({ scene: 0, frame: 1, track: 2n });
		expect(told.at(-1)?.hits[0]?.values.slice(1)).toEqual([
			{ name: "speed", text: "10 m/s", number: 10 },
			{ name: "distance to ego", text: "20 m", number: 20 },
		]);
		await loader.run(dataset, { table: "frames", where: "frame == 2" });
		const place = { frame: 2, track: undefined, follows: false };
		const values = [
			{ name: "time", text: "0.2 s", number: expect.closeTo(0.2) },
			{ name: "agent count", text: "3 agents", number: 3 },
		];
		expect(told.at(-1)?.hits).toEqual([
			{ ...place, scene: 0, values },
			{ ...place, scene: 1, values },
		]);
		await loader.run(dataset, { table: "agents", where: "speed >" });
		expect(told.at(-1)).toMatchObject({
			phase: "failed",
			problem: { why: expect.stringContaining("filter, column 8: ") },
		});
	});

	it("says why statistics are not used, and reads all rows", async () => {
		const objects = new Map(tinyDataset());
		const damaged = '{"version":1,"arrays":{},"crc32c":1}\n';
		objects.set(".bevscope/statistics.json", new TextEncoder().encode(damaged));
		using dataset = await ChunkedDataset.open(new MemorySource(objects));
		const told: Found[] = [];
		const loader = new FindLoader((found) => told.push(found), noMap);
		await loader.run(dataset, {
			table: "agents",
			where: "track_id == 2 and frame == 1",
		});
		expect(told.at(-1)).toMatchObject({ phase: "done", count: 2 });
		expect(told.at(-1)?.notice).toMatch(
			/statistics\.json: damaged .*all rows are read/,
		);
	});

	it("searches again if stored facts turn out to be of other data", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const told: Found[] = [];
		const checks: ((state: FactsCheck) => void)[] = [];
		const facts: NonNullable<ViewerDataset["facts"]> = (options) => {
			const real: FactReader = dataset.facts(options);
			return {
				describe: (asked) => real.describe(asked),
				async *parts(asked) {
					if (asked.onCheck) checks.push(asked.onCheck);
					if (checks.length === 1) asked.onCheck?.("pending");
					else asked.onNotice?.("computed again");
					yield* real.parts(asked);
				},
			};
		};
		const held: ViewerDataset = Object.create(dataset, { facts: { value: facts } });
		let dropped = 0;
		const loader = new FindLoader(
			(found) => told.push(found),
			noMap,
			() => {
				dropped += 1;
			},
		);
		await loader.run(held, { table: "tracks", where: "max_speed > 5" });
		expect(told.at(-1)).toMatchObject({ phase: "done", isUnchecked: true });
		const { count } = told.at(-1) ?? {};
		checks[0]?.("changed");
		await expect.poll(() => told.at(-1)?.phase).toBe("done");
		expect(told.at(-1)).toMatchObject({ count, notice: "computed again" });
		expect(told.at(-1)?.isUnchecked).toBeFalsy();
		expect(dropped).toBe(1);
		// The result of an earlier check does not concern the newest search.
		checks[0]?.("changed");
		expect(checks).toHaveLength(2);
		checks[1]?.("same");
		expect(told.at(-1)).toMatchObject({ phase: "done", isUnchecked: false });
	});

	it("finds scenes and tracks by facts, at the frame of the fact", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const told: Found[] = [];
		const loader = new FindLoader((found) => told.push(found), noMap);
		const where = "max_speed > 5 and closest_ego < 15";
		await loader.run(dataset, { table: "tracks", where });
		expect(told.at(-1)).toMatchObject({ phase: "done", done: 2, of: 2, count: 2 });
		expect(told.at(-1)?.hits[1]).toEqual({
			scene: 1,
			frame: 0,
			track: 1n,
			mark: 1n,
			follows: true,
			values: [
				{ name: "max speed", text: "10.0 m/s", number: expect.closeTo(10) },
				{
					name: "closest ego",
					text: expect.stringMatching(/ m$/),
					number: expect.any(Number),
				},
			],
		});
		await loader.run(dataset, { table: "scenes", where: "turn == 'left'" });
		expect(told.at(-1)).toMatchObject({ phase: "done", count: 0, hits: [] });
		await loader.run(dataset, { table: "scenes", where: "turn ==" });
		expect(told.at(-1)?.problem?.why).toMatch(/filter, column 8: /);
		const { columns } = await loader.vocabulary(dataset, "scenes");
		expect(columns).toContainEqual(
			expect.objectContaining({ name: "min_ttc", unit: "s", dtype: "<f8" }),
		);
	});

	it("a stopped search of facts goes on where it stopped", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const told: Found[] = [];
		const loader = new FindLoader((found) => told.push(found), noMap);
		const filter = { table: "scenes", where: "frames > 0" } as const;
		const running = loader.run(dataset, filter);
		loader.stop();
		await running;
		expect(told.at(-1)?.phase).toBe("stopped");
		await loader.run(dataset, filter);
		expect(told.at(-1)).toMatchObject({ phase: "done", count: 2, unread: [] });
	});

	it("keeps the first hits and goes on counting", async () => {
		const held = new HeldSearches();
		let last: Found | undefined;
		const loader = new FindLoader((found) => {
			last = found;
		}, noMap);
		const dataset = held as unknown as ViewerDataset;
		void loader.run(dataset, { table: "frames", where: "true" });
		while (held.searches.length === 0) await new Promise((done) => setTimeout(done));
		await held.searches[0]?.next(MAX_HITS - 1);
		await held.searches[0]?.next(5);
		expect(last?.hits.length).toBe(MAX_HITS);
		expect(last?.count).toBe(MAX_HITS + 4);
		loader.stop();
		expect(last?.phase).toBe("stopped");
		await held.searches[0]?.next(3);
		expect(last?.count).toBe(MAX_HITS + 4);
	});

	it("keeps the worst hits, wherever they are, and lists them first", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const told: Found[] = [];
		const loader = new FindLoader((found) => told.push(found), noMap);
		const speeds = () =>
			told
				.at(-1)
				?.hits.map(({ values }) => values.find((v) => v.name === "speed")?.number);
		await loader.run(dataset, { table: "agents", where: "speed > 5 and frame == 2" });
		const worst = speeds() ?? [];
		expect(worst.length).toBeGreaterThan(2);
		expect(worst).toEqual([...worst].sort((a, b) => (b ?? 0) - (a ?? 0)));
		await loader.sort(dataset, { by: "worst", descending: true });
		expect(speeds()).toEqual([...worst].sort((a, b) => (a ?? 0) - (b ?? 0)));
		await loader.sort(dataset, { by: { name: "distance to ego" }, descending: false });
		const far = told.at(-1)?.hits.map(({ values }) => values.at(-1)?.number ?? 0);
		expect(far).toEqual([...(far ?? [])].sort((a, b) => a - b));
		await loader.sort(dataset, { by: "found", descending: false });
		expect(told.at(-1)?.hits.map(({ scene }) => scene)).toEqual(
			[...(told.at(-1)?.hits ?? [])].map(({ scene }) => scene).sort(),
		);
	});

	it("searches again for the first hits of another order", async () => {
		const held = new HeldSearches();
		let last: Found | undefined;
		const loader = new FindLoader((found) => {
			last = found;
		}, noMap);
		const dataset = held as unknown as ViewerDataset;
		void loader.run(dataset, { table: "frames", where: "true" });
		while (held.searches.length === 0) await new Promise((done) => setTimeout(done));
		await held.searches[0]?.next(MAX_HITS + 5);
		expect([last?.hits.length, last?.count]).toEqual([MAX_HITS, MAX_HITS + 5]);
		void loader.sort(dataset, { by: { name: "time" }, descending: true });
		while (held.searches.length < 2) await new Promise((done) => setTimeout(done));
		expect(last).toMatchObject({ count: 0, order: { by: { name: "time" } } });
		loader.stop();
	});

	it("hits of an older search are never shown under a newer filter", async () => {
		const held = new HeldSearches();
		const told: Found[] = [];
		const loader = new FindLoader((found) => told.push(found), noMap);
		const dataset = held as unknown as ViewerDataset;
		void loader.run(dataset, { table: "frames", where: "old" });
		while (held.searches.length < 1) await new Promise((done) => setTimeout(done));
		void loader.run(dataset, { table: "frames", where: "new" });
		while (held.searches.length < 2) await new Promise((done) => setTimeout(done));
		await held.searches[0]?.next(7);
		await held.searches[1]?.next(2);
		expect(told.at(-1)).toMatchObject({ filter: { where: "new" }, count: 2 });
		const wrong = told.filter(
			({ filter, count }) => filter.where === "new" && count > 2,
		);
		expect(wrong).toEqual([]);
	});
});
