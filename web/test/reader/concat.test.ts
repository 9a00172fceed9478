import { describe, expect, it } from "vitest";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	ChunkedDataset,
	concatReaders,
	MemorySource,
	type ReaderConcatenation,
	type ReaderOptions,
} from "../../src/index.js";

const SOURCE = new MemorySource(tinyDataset());
const FRAMES = TINY.scenes * TINY.framesPerScene;
const OPTIONS: ReaderOptions = { from: "frames", fields: ["frame_index"], batch: 5 };

/** A batch: its reader, and the frames in it. */
type Taken = readonly [reader: number, frames: readonly number[]];

/** Reads up to `most` batches. */
async function taken(
	all: ReaderConcatenation,
	most = Number.POSITIVE_INFINITY,
): Promise<Taken[]> {
	const out: Taken[] = [];
	for await (const { reader, batch } of all) {
		out.push([reader, Array.from(batch.column("frame_index").data, Number)]);
		batch.release();
		if (out.length >= most) break;
	}
	return out;
}

/** Runs `work` with two data sets. */
async function withTwo(
	work: (join: (...options: ReaderOptions[]) => ReaderConcatenation) => Promise<void>,
): Promise<void> {
	using first = await ChunkedDataset.open(SOURCE);
	using second = await ChunkedDataset.open(SOURCE);
	await work((...options) =>
		concatReaders(options.map((one, i) => (i % 2 === 0 ? first : second).reader(one))),
	);
}

describe("reader/concat", () => {
	it("readers follow each other, and loops are epochs", () =>
		withTwo(async (join) => {
			using all = join(OPTIONS, { ...OPTIONS, where: "scene == 1" });
			const expected: Taken[] = [
				[0, [0, 1, 2, 3, 4]],
				[0, [5, 6, 7, 8, 9]],
				[0, [10, 11]],
				[1, [6, 7, 8, 9, 10]],
				[1, [11]],
			];
			for (let epoch = 0; epoch < 2; epoch += 1) {
				expect(await taken(all)).toEqual(expected);
			}
			expect(await all.count({ of: "shard" })).toBe(FRAMES * 1.5);
			expect(await all.count()).toBe(FRAMES * 1.5);
		}));

	it("epochs differ if the readers' orders do; a reset returns to the first", () =>
		withTwo(async (join) => {
			const shuffled: ReaderOptions = { ...OPTIONS, order: { mode: "full", seed: 3 } };
			using all = join(shuffled, shuffled);
			const first = await taken(all);
			const second = await taken(all);
			expect(second).not.toEqual(first);
			const sorted = (taken: Taken[]) => taken.flatMap(([, rows]) => rows).sort();
			expect(sorted(second)).toEqual(sorted(first));
			all.reset();
			expect(await taken(all)).toEqual(first);
		}));

	it("resumes at a state after any batch, also at the end", () =>
		withTwo(async (join) => {
			const plans = [OPTIONS, { ...OPTIONS, where: "scene > 9" }, OPTIONS];
			using whole = join(...plans);
			const all = [...(await taken(whole)), ...(await taken(whole))];
			for (let after = 0; after <= 6; after += 1) {
				using part = join(...plans);
				if (after > 0) await taken(part, after);
				using other = join(...plans);
				other.restore(await part.state());
				const rest = await taken(other);
				expect(rest).toEqual(all.slice(after, 6));
				expect(await taken(other)).toEqual(all.slice(6));
			}
		}));

	it("readers without items are left out; all of them may be", () =>
		withTwo(async (join) => {
			const none = { ...OPTIONS, where: "scene > 9" };
			using empty = join(none, none);
			expect(await taken(empty)).toEqual([]);
			expect(await empty.count({ of: "shard" })).toBe(0);
			using all = join(none, OPTIONS, none);
			expect((await taken(all)).map(([reader]) => reader)).toEqual([1, 1, 1]);
		}));

	it("refuses no readers, differing fields, other states and two loops", () =>
		withTwo(async (join) => {
			expect(() => concatReaders([])).toThrow("concat: no readers");
			using unlike = join(OPTIONS, {
				...OPTIONS,
				fields: ["frame_index", "timestamp"],
			});
			await expect(taken(unlike)).rejects.toThrow(
				"concat: fields of reader 1 differ (found frame_index <i8 (); timestamp <i8 (), expected frame_index <i8 ())",
			);
			using all = join(OPTIONS, OPTIONS);
			using more = join(OPTIONS, OPTIONS, OPTIONS);
			const invalid = { code: "invalid_argument" };
			for (const wrong of [await more.state(), "", "{}", '{"version": 1}']) {
				all.restore(wrong);
				await expect(taken(all)).rejects.toMatchObject(invalid);
			}
			all.reset();
			for await (const { batch } of all) {
				await expect(taken(all)).rejects.toThrow("concat: already being read");
				batch.release();
				break;
			}
		}));
});
