import { describe, expect, it } from "vitest";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import { HeldSource, settled } from "../support/sources.js";

const SOURCE = new MemorySource(tinyDataset());
const AGENTS = TINY.scenes * TINY.framesPerScene * TINY.agentsPerFrame;

describe("reader/describe", () => {
	it("has limits, mean, deviation and bins of the rows that pass", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		using reader = dataset.reader({ fields: ["row"], where: "row < 4" });
		const { rows, columns } = await reader.describe();
		expect(rows).toBe(4);
		expect(columns).toHaveLength(1);
		expect(columns[0]).toMatchObject({
			name: "row",
			count: 4,
			nan: 0,
			infinite: 0,
			min: 0,
			max: 3,
			mean: 1.5,
			std: Math.sqrt(1.25),
			rankError: 0,
		});
		const counts = columns[0]?.histogram?.counts ?? [];
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
		using none = dataset.reader({ fields: ["row"], where: "row < 0" });
		expect((await none.describe()).columns[0]).toMatchObject({
			count: 0,
			min: null,
			mean: null,
			histogram: null,
		});
	});

	it("groups are in the order of their values, with names", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		using reader = dataset.reader({ fields: ["row"] });
		const { by, rows, groups } = await reader.describe({ by: "host" });
		expect([by, rows]).toEqual(["host", AGENTS]);
		const found = groups.map(({ value, rows, columns: [row] }) => [
			value,
			rows,
			row?.min,
		]);
		expect(found).toEqual([
			["host-0", 18, 0],
			["host-1", 18, 18],
		]);
	});

	it("describes the rows of the filter and shard; the position stays", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const shard = { index: 1, count: 3 };
		using reader = dataset.reader({ fields: ["row"], where: "row >= 6", shard });
		const rows: number[] = [];
		for await (const batch of reader) {
			rows.push(...Array.from(batch.column("row").data, Number));
			const { columns } = await reader.describe();
			expect(columns[0]).toMatchObject({ count: 10, min: 7, max: 34, nan: 0 });
		}
		expect(rows).toEqual(Array.from({ length: 10 }, (_, i) => 7 + 3 * i));
	});

	it("fields are also chosen by regular expressions", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		using reader = dataset.reader({ fields: [/^extent$/, "label"] });
		const { rows, columns } = await reader.describe();
		expect(rows).toBe(AGENTS);
		const names = columns.map(({ name, element }) => [name, element]);
		expect(names).toEqual([
			["extent", 0],
			["extent", 1],
			["extent", 2],
			["label", undefined],
		]);
	});

	it("windows and columns that cannot group are refused", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		using windows = dataset.reader({ window: { past: 1 } });
		await expect(windows.describe()).rejects.toMatchObject({
			code: "invalid_argument",
			message: "describe: windows are not supported",
		});
		using reader = dataset.reader();
		for (const [by, code] of [
			["yaw", "invalid_argument"],
			["sceen", "not_found"],
			["", "not_found"],
		] as const) {
			await expect(reader.describe({ by })).rejects.toMatchObject({ code });
		}
	});

	it("reports progress and ends at an abort, a close and a failed read", async () => {
		const size = { scenes: 40, framesPerScene: 4, rowsPerChunk: 8 };
		const source = new MemorySource(tinyDataset(size));
		using dataset = await ChunkedDataset.open(source);
		using reader = dataset.reader({ fields: ["yaw"] });
		const done: number[] = [];
		await reader.describe({
			onProgress: (progress) => {
				expect(progress.of).toBe(40);
				done.push(progress.done);
			},
		});
		expect(done.length).toBeGreaterThan(1);
		expect(done).toEqual([...done].sort((a, b) => a - b));
		const control = new AbortController();
		const aborted = reader.describe({
			signal: control.signal,
			onProgress: () => control.abort(new Error("enough")),
		});
		await expect(aborted).rejects.toThrow("enough");
		expect((await reader.describe()).rows).toBe(480);
		reader.close();
		await expect(reader.describe()).rejects.toThrow("reader: closed");
	});

	it("an abort while data is read cancels the reads", async () => {
		const held = new HeldSource();
		const documents = tinyDataset();
		const opened = ChunkedDataset.open(held);
		const answerAll = async (match: (key: string) => boolean): Promise<void> => {
			for (let round = 0; round < 20; round += 1) {
				await settled();
				for (const read of held.reads) {
					if (match(read.key)) read.answer(documents.get(read.key));
				}
			}
		};
		const isAgents = (key: string): boolean => /^agents\/\d/.test(key);
		await answerAll((key) => !isAgents(key));
		using dataset = await opened;
		using reader = dataset.reader({ fields: ["yaw"] });
		const control = new AbortController();
		const described = reader.describe({ signal: control.signal });
		const failed = expect(described).rejects.toThrow("enough");
		await answerAll((key) => !isAgents(key));
		const reads = held.reads.filter(({ key }) => isAgents(key));
		expect(reads.length).toBeGreaterThan(0);
		control.abort(new Error("enough"));
		await failed;
		await settled();
		expect(reads.every(({ options }) => options.signal?.aborted)).toBe(true);
	});
});
