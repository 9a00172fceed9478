import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	ChunkedDataset,
	MemorySource,
	type MixOptions,
	mixReaders,
	type ReaderMixture,
	type ReaderOptions,
} from "../../src/index.js";

interface Vector {
	readonly mixture: {
		readonly weights: readonly number[];
		readonly seed: number;
		readonly on_exhausted: NonNullable<MixOptions["onExhausted"]>;
	};
	/** Batches of each reader per epoch. */
	readonly batches: readonly number[];
	readonly chosen: readonly number[];
	readonly ends: boolean;
}

const FILE = new URL("../../../tests/vectors/mixture.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, "utf8")) as { vectors: Vector[] };

/** 30 frames per scene: the frames below n are n batches of one item. */
const SOURCE = new MemorySource(
	tinyDataset({ scenes: 1, framesPerScene: 30, rowsPerChunk: 8 }),
);

/** A mixture whose reader i has `batches[i]` batches of a row in each epoch. */
function mixed(
	dataset: ChunkedDataset,
	batches: readonly number[],
	{ weights, seed, on_exhausted: onExhausted }: Vector["mixture"],
): ReaderMixture {
	const readers = batches.map((count, i) => ({
		reader: dataset.reader({
			from: "frames",
			where: `frame < ${count}`,
			fields: ["frame"],
			batch: 1,
		}),
		weight: weights[i] ?? 0,
	}));
	return mixReaders(readers, { seed, onExhausted });
}

/** A batch: its reader, and the frame in it. */
type Taken = readonly [reader: number, frame: number];

/** Reads up to `most` batches. */
async function taken(
	mixture: ReaderMixture,
	most = Number.POSITIVE_INFINITY,
): Promise<Taken[]> {
	const out: Taken[] = [];
	if (most === 0) return out;
	for await (const { reader, batch } of mixture) {
		out.push([reader, Number(batch.column("frame").data[0])]);
		batch.release();
		if (out.length >= most) break;
	}
	return out;
}

async function stateAfter(mixture: ReaderMixture, batches: number): Promise<string> {
	await taken(mixture, batches);
	return mixture.state();
}

/** The batches of a vector: each reader's own are in stored order. */
function expected({ chosen, batches }: Vector): Taken[] {
	const next = batches.map(() => 0);
	return chosen.map((reader) => {
		const frame = (next[reader] ?? 0) % (batches[reader] ?? 1);
		next[reader] = (next[reader] ?? 0) + 1;
		return [reader, frame];
	});
}

/** Mixes two readers of equal options but `second`. */
function pair(
	dataset: ChunkedDataset,
	second: ReaderOptions = {},
	options: MixOptions = {},
): ReaderMixture {
	const common: ReaderOptions = { from: "frames", fields: ["frame"], batch: 4 };
	const readers = [common, { ...common, ...second }];
	return mixReaders(
		readers.map((one) => ({ reader: dataset.reader(one), weight: 1 })),
		options,
	);
}

describe("reader/mix", () => {
	it("batches come from the readers of the vectors", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		for (const vector of vectors) {
			using mixture = mixed(dataset, vector.batches, vector.mixture);
			const most = vector.chosen.length + (vector.ends ? 1 : 0);
			expect(await taken(mixture, most)).toEqual(expected(vector));
			if (vector.ends) expect(await taken(mixture)).toEqual([]);
		}
	});

	it("resumes at a state after any batch", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		for (const vector of vectors.slice(1, 4)) {
			const all = expected(vector);
			for (let after = 0; after <= all.length; after += 3) {
				using mixture = mixed(dataset, vector.batches, vector.mixture);
				const first = await taken(mixture, after);
				const state = await mixture.state();
				using other = mixed(dataset, vector.batches, vector.mixture);
				other.restore(state);
				const rest = await taken(other, all.length - after);
				expect([...first, ...rest]).toEqual(all);
				// The one that was left continues too, and begins again.
				expect(await taken(mixture, all.length - after)).toEqual(rest);
				mixture.reset();
				expect(await taken(mixture, all.length)).toEqual(all);
			}
		}
	});

	it("an empty reader is not restarted for ever", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const rule = { weights: [1, 1], seed: 0, on_exhausted: "restart" } as const;
		using mixture = mixed(dataset, [3, 0], rule);
		await expect(taken(mixture)).rejects.toMatchObject({
			code: "invalid_argument",
			message: expect.stringContaining("reader 1 has no items"),
		});
	});

	it("refuses invalid options, other states and differing columns", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const rule = { weights: [1, 2], seed: 0, on_exhausted: "stop" } as const;
		const invalid = { code: "invalid_argument" };
		expect(() => mixReaders([])).toThrow("mix: no readers");
		for (const weights of [
			[0, 1],
			[-1, 1],
			[Number.NaN, 1],
			[Number.POSITIVE_INFINITY, 1],
		]) {
			using mixture = mixed(dataset, [1, 1], { ...rule, weights });
			await expect(taken(mixture)).rejects.toMatchObject(invalid);
		}
		using one = mixed(dataset, [5, 5], rule);
		await taken(one, 2);
		const state = await one.state();
		using other = mixed(dataset, [5, 5], { ...rule, seed: 1 });
		for (const wrong of [state, "", "{}", "[1]", '{"version": 1}']) {
			other.restore(wrong);
			await expect(taken(other)).rejects.toMatchObject(invalid);
			await expect(other.state()).rejects.toMatchObject(invalid);
		}
		other.reset();
		expect((await taken(other)).length).toBeGreaterThan(0);
		using unlike = pair(dataset, { fields: ["frame", "timestamp"] });
		await expect(taken(unlike)).rejects.toThrow(
			"mix: fields of reader 1 differ (found frame <u4 (); timestamp <i8 (), expected frame <u4 ())",
		);
	});

	it("readers of two data sets are mixed", async () => {
		using first = await ChunkedDataset.open(SOURCE);
		using second = await ChunkedDataset.open(SOURCE);
		const options: ReaderOptions = { from: "frames", fields: ["frame"], batch: 1 };
		using mixture = mixReaders(
			[first, second].map((one) => ({ reader: one.reader(options), weight: 1 })),
			{ onExhausted: "renormalise" },
		);
		const all = await taken(mixture);
		const frames = Array.from({ length: 30 }, (_, frame) => frame);
		for (const number of [0, 1]) {
			const own = all.filter(([reader]) => reader === number);
			expect(own.map(([, frame]) => frame)).toEqual(frames);
		}
	});

	it("allows one loop at a time; leaving it ends those of the readers", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const options: ReaderOptions = { from: "frames", fields: ["frame"], batch: 4 };
		const readers = [0, 1].map(() => dataset.reader(options));
		using mixture = mixReaders(readers.map((reader) => ({ reader, weight: 1 })));
		let seen = 0;
		for await (const { batch } of mixture) {
			await expect(taken(mixture)).rejects.toThrow("already being read");
			seen += batch.length;
			if (seen >= 16) break;
		}
		for (const reader of readers) for await (const { items } of reader) seen += items;
		expect(seen).toBe(60);
	});

	it("a loop goes on at a position that was set meanwhile", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const rule = { onExhausted: "renormalise" } as const;
		using whole = pair(dataset, {}, rule);
		const all = await taken(whole);
		using part = pair(dataset, {}, rule);
		await taken(part, 5);
		const state = await part.state();
		using mixture = pair(dataset, {}, rule);
		const found: Taken[] = [];
		for await (const { reader, batch } of mixture) {
			found.push([reader, Number(batch.column("frame").data[0])]);
			if (found.length === 2) mixture.restore(state);
			if (found.length === 4) mixture.reset();
		}
		expect(found).toEqual([...all.slice(0, 2), ...all.slice(5, 7), ...all]);
		// Also while a batch is being read.
		const loop = mixture.batches();
		mixture.reset();
		const first = loop.next();
		mixture.reset();
		expect((await first).value?.reader).toBe(all[0]?.[0]);
		expect(await mixture.state()).toBe(await stateAfter(pair(dataset, {}, rule), 1));
		await loop.return();
	});

	it("an abort ends the loop, which continues later", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		using mixture = pair(dataset, {}, { onExhausted: "renormalise" });
		using whole = pair(dataset, {}, { onExhausted: "renormalise" });
		const all = await taken(whole);
		const control = new AbortController();
		const found: Taken[] = [];
		const loop = async (): Promise<void> => {
			for await (const { reader, batch } of mixture.batches(control)) {
				found.push([reader, Number(batch.column("frame").data[0])]);
				if (found.length === 3) control.abort(new Error("enough"));
			}
		};
		await expect(loop()).rejects.toThrow("enough");
		found.push(...(await taken(mixture)));
		expect(found).toEqual(all);
	});
});
