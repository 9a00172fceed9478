import { describe, expect, it } from "vitest";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	ChunkedDataset,
	type DatasetReader,
	MemorySource,
	type ReaderBatch,
	type ReaderOptions,
} from "../../src/index.js";
import { HeldSource, settled } from "../support/sources.js";

const AGENTS = TINY.scenes * TINY.framesPerScene * TINY.agentsPerFrame;
const SOURCE = new MemorySource(tinyDataset());

/** Opens the tiny data set and runs `work` on it. */
async function withTiny(
	work: (dataset: ChunkedDataset) => Promise<void>,
): Promise<void> {
	using dataset = await ChunkedDataset.open(SOURCE);
	await work(dataset);
}

async function rowsOf(reader: DatasetReader): Promise<number[]> {
	const rows: number[] = [];
	for await (const batch of reader) {
		rows.push(...rowNumbers(batch));
		batch.release();
	}
	return rows;
}

function rowNumbers(batch: ReaderBatch): number[] {
	return Array.from(batch.column("row").data, Number);
}

const ascending = (a: number, b: number): number => a - b;
const ALL = Array.from({ length: AGENTS }, (_, row) => row);

describe("reader", () => {
	it("refuses options that it does not know, instead of reading all rows", () =>
		withTiny(async (dataset) => {
			const misspelt: object = { wehre: "row < 0" };
			await expect(rowsOf(dataset.reader(misspelt))).rejects.toMatchObject({
				code: "invalid_argument",
				message: expect.stringContaining(
					'unknown member "wehre" (expected from, where',
				),
			});
		}));

	it("reads all rows in batches of exact size", () =>
		withTiny(async (dataset) => {
			using reader = dataset.reader({ fields: ["row", "track_id"], batch: 7 });
			const sizes: number[] = [];
			const rows: number[] = [];
			for await (const batch of reader) {
				sizes.push(batch.length);
				rows.push(...rowNumbers(batch));
				expect(batch.names).toEqual(["row", "track_id"]);
				expect(batch.column("track_id").data).toBeInstanceOf(BigUint64Array);
			}
			expect(sizes).toEqual([7, 7, 7, 7, 7, 1]);
			expect(rows).toEqual(ALL);
			expect(await reader.count({ of: "shard" })).toBe(AGENTS);
			expect(reader.diagnostics).toMatchObject({ items: AGENTS, batches: 6 });
		}));

	it("leaves out scenes with damaged chunks and lists them, if asked", async () => {
		const files = new Map(tinyDataset());
		files.set("agents/0", new Uint8Array(3));
		using dataset = await ChunkedDataset.open(new MemorySource(files));
		using failing = dataset.reader({ fields: ["row", "yaw"] });
		await expect(rowsOf(failing)).rejects.toMatchObject({ code: "corrupt_chunk" });
		using reader = dataset.reader({ fields: ["row", "yaw"], onDamage: "skip" });
		expect(await rowsOf(reader)).toEqual(ALL.slice(AGENTS / TINY.scenes));
		expect(reader.diagnostics?.skipped).toEqual([
			{ block: 0, error: expect.stringMatching(/^agents\/0: /) },
		]);
		expect(await reader.count({ of: "shard" })).toBe(AGENTS - AGENTS / TINY.scenes);
	});

	it("stored fields are read by default, and text as strings", () =>
		withTiny(async (dataset) => {
			using reader = dataset.reader({ from: "scenes" });
			for await (const batch of reader) {
				expect(batch.names).toContain("host");
				expect(batch.columns.strings("host")).toEqual(["host-0", "host-1"]);
			}
		}));

	it("filters by text and by tree alike", () =>
		withTiny(async (dataset) => {
			const tree = { op: "==", args: [{ field: "scene" }, 1] } as const;
			const fields = ["row"];
			using text = dataset.reader({ where: "scene == 1", fields });
			using same = dataset.reader({ where: tree, fields });
			const expected = ALL.slice(AGENTS / 2);
			expect(await rowsOf(text)).toEqual(expected);
			expect(await rowsOf(same)).toEqual(expected);
			expect(await text.count()).toBe(AGENTS / 2);
			expect(await text.count({ of: "shard" })).toBe(AGENTS / 2);
		}));

	it("regular expressions select fields in the table's order", () =>
		withTiny(async (dataset) => {
			const fields = ["row", /^(cent|ext)/g, "centroid"];
			using reader = dataset.reader({ fields });
			for (let loop = 0; loop < 2; loop += 1) {
				for await (const batch of reader) {
					expect(batch.names).toEqual(["row", "centroid", "extent"]);
				}
			}
			using none = dataset.reader({ fields: [/^colour/] });
			await expect(rowsOf(none)).rejects.toMatchObject({
				code: "not_found",
				message: expect.stringContaining("fields: no field matches /^colour/"),
			});
		}));

	it("windows have an axis, or a column per offset", () =>
		withTiny(async (dataset) => {
			const window = { past: 2, future: 1 };
			using whole = dataset.reader({ fields: ["row", "time"], window });
			const perScene = (TINY.framesPerScene - 3) * TINY.agentsPerFrame;
			expect(await whole.count({ of: "shard" })).toBe(TINY.scenes * perScene);
			for await (const batch of whole) {
				expect(batch.column("time").shape).toEqual([batch.length, 4]);
			}
			const fieldsAt = { [-2]: ["row"], 0: [/^row$/] };
			using parts = dataset.reader({ window: { ...window, fieldsAt } });
			for await (const batch of parts) {
				const before = Array.from(batch.column("row@-2").data, Number);
				const now = Array.from(batch.column("row@0").data, Number);
				expect(now.map((row, i) => row - (before[i] ?? 0))).toEqual(
					now.map(() => 2 * TINY.agentsPerFrame),
				);
			}
		}));

	it("loops are epochs, which have different orders; reset begins again", () =>
		withTiny(async (dataset) => {
			const order = { mode: "full", seed: 3 } as const;
			using reader = dataset.reader({ fields: ["row"], order, batch: 5 });
			const first = await rowsOf(reader);
			const second = await rowsOf(reader);
			expect(second).not.toEqual(first);
			expect([...first].sort(ascending)).toEqual(ALL);
			expect([...second].sort(ascending)).toEqual(ALL);
			reader.reset();
			expect(await rowsOf(reader)).toEqual(first);
			reader.seek({ epoch: 1, items: 30 });
			expect(await rowsOf(reader)).toEqual(second.slice(30));
		}));

	it("a left loop continues with the next batch, also in another reader", () =>
		withTiny(async (dataset) => {
			const options: ReaderOptions = {
				fields: ["row"],
				where: "track_id != 2",
				order: { mode: "blocks", seed: 1, group: 1 },
				batch: 5,
			};
			using whole = dataset.reader(options);
			const all = await rowsOf(whole);
			using reader = dataset.reader(options);
			const head: number[] = [];
			for await (const batch of reader) {
				head.push(...rowNumbers(batch));
				if (head.length === 10) break;
			}
			const state = await reader.state();
			expect(state.length).toBeLessThan(1024);
			using other = dataset.reader(options);
			other.restore(state);
			expect([...head, ...(await rowsOf(other))]).toEqual(all);
			expect([...head, ...(await rowsOf(reader))]).toEqual(all);
		}));

	it("seeking within a loop takes effect with the next batch", () =>
		withTiny(async (dataset) => {
			using reader = dataset.reader({ fields: ["row"], batch: 4 });
			const firsts: (number | undefined)[] = [];
			for await (const batch of reader) {
				firsts.push(rowNumbers(batch)[0]);
				if (firsts.length === 1) reader.seek({ epoch: 0, items: 28 });
			}
			expect(firsts).toEqual([0, 28, 32]);
		}));

	it("shards are disjoint and complete", () =>
		withTiny(async (dataset) => {
			const rows: number[] = [];
			for (let index = 0; index < 3; index += 1) {
				const shard = { index, count: 3 };
				using reader = dataset.reader({ fields: ["row"], shard, order: "full" });
				const part = await rowsOf(reader);
				expect(part.length).toBe(await reader.count({ of: "shard" }));
				rows.push(...part);
			}
			expect(rows.sort(ascending)).toEqual(ALL);
		}));

	it("explains columns and conditions without reading chunks", async () => {
		const keys: string[] = [];
		const source = {
			read: (key: string) => {
				keys.push(key);
				return SOURCE.read(key);
			},
		};
		using dataset = await ChunkedDataset.open(source);
		using reader = dataset.reader({ where: "scene == 1 and yaw > 0" });
		keys.length = 0;
		const { columns, conditions, rows, blocks } = await reader.explain();
		expect(columns.map(({ name }) => name)).toContain("distance_to_ego");
		expect(conditions).toEqual(["scene == 1", "", "yaw > 0"]);
		expect({ rows, blocks }).toEqual({ rows: AGENTS, blocks: TINY.scenes });
		expect(JSON.parse(await reader.state())).toBeTypeOf("object");
		expect(keys.filter((key) => /\/\d+$/.test(key))).toEqual([]);
	});

	it("invalid plans and filters are typed errors", () =>
		withTiny(async (dataset) => {
			const failure = async (options: ReaderOptions): Promise<unknown> => {
				using reader = dataset.reader(options);
				return await rowsOf(reader).catch((error: unknown) => error);
			};
			expect(await failure({ where: "spead > 3" })).toMatchObject({
				name: "BevError",
				code: "not_found",
				message: expect.stringContaining("filter, column 1: "),
			});
			expect(await failure({ batch: 0 })).toMatchObject({
				code: "invalid_argument",
				message: expect.stringContaining("plan.batch.size"),
			});
			using reader = dataset.reader({ where: "yaw > 0" });
			reader.restore("{}");
			await expect(reader.length()).resolves.toBeTypeOf("number");
			await expect(rowsOf(reader)).rejects.toMatchObject({ code: "invalid_argument" });
			reader.reset();
			using second = dataset.reader({});
			const loop = second.batches();
			await loop.next();
			await expect(second.batches().next()).rejects.toMatchObject({
				message: expect.stringContaining("already being read"),
			});
			await loop.return();
			second.close();
			await expect(rowsOf(second)).rejects.toMatchObject({
				code: "closed",
				message: "reader: closed",
			});
		}));

	it("an abort stops the reads in progress; the reader can be read again", async () => {
		const held = new HeldSource();
		let isHeld = false;
		const source = {
			read: (key: string, options = {}) =>
				isHeld && /^agents\/[2-9]/.test(key)
					? held.read(key, options)
					: SOURCE.read(key, options),
		};
		using dataset = await ChunkedDataset.open(source);
		using reader = dataset.reader({ fields: ["row"], where: "yaw >= 0", batch: 3 });
		isHeld = true;
		const control = new AbortController();
		const next = reader.batches({ signal: control.signal }).next();
		while (held.reads.length === 0) await settled();
		const reason = new Error("enough");
		control.abort(reason);
		await expect(next).rejects.toBe(reason);
		await settled();
		expect(held.reads.every(({ options }) => options.signal?.aborted)).toBe(true);
		const asked = held.reads.length;
		isHeld = false;
		expect((await rowsOf(reader)).length).toBe(AGENTS);
		expect(held.reads.length).toBe(asked);
	});
});
