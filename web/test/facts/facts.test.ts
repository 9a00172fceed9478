import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hashOf, type StreamVector } from "../../../tests/support/stream-hash.js";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import type { FactReader } from "../../src/elements/session/dataset.js";
import type { ClausedPart } from "../../src/facts/fact-table.js";
import { ChunkedDataset, type FactTable, MemorySource } from "../../src/index.js";

const FILE = new URL("../../../tests/vectors/facts.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, "utf8")) as {
	vectors: (Omit<StreamVector, "plan"> & { table: "scenes" | "tracks" })[];
};

const TRACKS = TINY.scenes * TINY.agentsPerFrame;

/** A source that counts reads of chunks. */
class Counted extends MemorySource {
	reads = 0;

	override read(...args: Parameters<MemorySource["read"]>) {
		if (!args[0].includes(".z")) this.reads += 1;
		return super.read(...args);
	}
}

/** A source with a damaged chunk. */
class Damaged extends MemorySource {
	damaged = true;

	override async read(...args: Parameters<MemorySource["read"]>) {
		const bytes = await super.read(...args);
		return this.damaged && args[0] === "agents/0" ? new Uint8Array(3) : bytes;
	}
}

async function* asBatches(tables: readonly FactTable[]) {
	for (const table of tables) {
		const { length, names } = table;
		yield { length, names, column: (name: string) => table.column(name) };
	}
}

describe("facts", () => {
	for (const { table, ...expected } of vectors) {
		it(`of ${table} are those of other hosts`, async () => {
			using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
			const found = await dataset.facts({ table }).read();
			expect(await hashOf(asBatches([found]))).toEqual(expected);
		});
	}

	it("a part of facts names the conditions that hold in each row", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const where = "track_id == 1 or track_id == 2 and scene == 0";
		const clauses = ["track_id == 1", "track_id == 2 and scene == 0"];
		const reader: FactReader = dataset.facts({ table: "tracks", where });
		const parts: ClausedPart[] = [];
		for await (const part of reader.parts({ clauses })) parts.push(part);
		const ids = (table?: FactTable) =>
			Array.from({ length: table?.length ?? 0 }, (_, i) =>
				["scene", "track_id"].map((name) => Number(table?.column(name).data[i])),
			);
		expect(parts.flatMap(({ table }) => ids(table))).toEqual([
			[0, 1],
			[0, 2],
			[1, 1],
		]);
		const held = (i: number) =>
			parts.flatMap(({ passing }) => ids(passing?.[i]?.table));
		expect([held(0), held(1)]).toEqual([
			[
				[0, 1],
				[1, 1],
			],
			[[0, 2]],
		]);
	});

	it("rows pass the filter; columns have units, names and places", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const facts = dataset.facts({
			table: "tracks",
			where: "scene == 1 and track_id > 1",
		});
		const found = await facts.read();
		expect(found.length).toBe(2);
		expect([...found.column("track_id").data]).toEqual([2n, 3n]);
		expect(found.column("max_speed")).toMatchObject({ unit: "m/s", dtype: "<f8" });
		expect(found.column("min_ttc").frame).toBe("min_ttc_frame");
		expect(found.column("turn").names).toContain("u_turn");
		expect(() => found.column("nothing")).toThrow("facts: column nothing: not found");
		const { version, scenes, tracks } = await facts.describe();
		expect(version).toBeGreaterThan(0);
		expect(scenes.map(({ name }) => name)).toContain("unprotected_left");
		expect(tracks.map(({ name }) => name)).toEqual(found.names);
	});

	it("are computed once per data set, and report progress", async () => {
		const source = new Counted(tinyDataset());
		using dataset = await ChunkedDataset.open(source, { byteBudget: 2 ** 20 });
		const seen: unknown[] = [];
		await dataset.facts().read({ onProgress: (progress) => seen.push(progress) });
		expect(seen).toContainEqual({ done: 1, of: 2 });
		expect(seen.at(-1)).toEqual({ done: 2, of: 2 });
		const { reads } = source;
		expect(reads).toBeGreaterThan(0);
		const again = await dataset.facts({ table: "tracks" }).read();
		expect(again.length).toBe(TRACKS);
		expect(source.reads).toBe(reads);
	});

	it("an invalid filter rejects before anything is read", async () => {
		const source = new Counted(tinyDataset());
		using dataset = await ChunkedDataset.open(source);
		await expect(dataset.facts({ where: "nonsense > 2" }).read()).rejects.toMatchObject(
			{
				code: "not_found",
				message: expect.stringContaining("filter, column 1: unknown field"),
			},
		);
		expect(source.reads).toBe(0);
	});

	it("scenes with damaged chunks are named, and not kept", async () => {
		const source = new Damaged(tinyDataset());
		using dataset = await ChunkedDataset.open(source);
		const found = await dataset.facts({ table: "tracks" }).read();
		expect(found.unread).toEqual([
			{ scene: 0, error: expect.stringMatching(/^agents\/0: /) },
		]);
		expect([...found.column("scene").data]).toEqual([1, 1, 1]);
		source.damaged = false;
		dataset.forgetFailures();
		expect((await dataset.facts({ table: "tracks" }).read()).length).toBe(TRACKS);
	});

	it("an abort rejects with its reason, and the next call starts again", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const control = new AbortController();
		const reading = dataset.facts().read({
			signal: control.signal,
			onProgress: () => control.abort(new Error("enough")),
		});
		await expect(reading).rejects.toThrow("enough");
		expect((await dataset.facts().read()).length).toBe(TINY.scenes);
	});

	it("a map of another package is refused", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const map = {} as never;
		await expect(dataset.facts({ map }).read()).rejects.toMatchObject({
			code: "invalid_argument",
		});
	});

	it("a data set without scenes has no facts", async () => {
		const files = tinyDataset();
		const empty = new Map(files);
		const meta = JSON.parse(new TextDecoder().decode(empty.get("scenes/.zarray")));
		const text = JSON.stringify({ ...meta, shape: [0] });
		empty.set("scenes/.zarray", new TextEncoder().encode(text));
		using dataset = await ChunkedDataset.open(new MemorySource(empty));
		const found = await dataset.facts().read();
		expect(found.length).toBe(0);
		expect(found.names).toContain("turn");
	});
});
