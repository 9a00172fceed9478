import { describe, expect, it } from "vitest";
import { CachedRanges, holeIn } from "../../../src/source/cache/cached-ranges.js";

type Pair = readonly [begin: number, end: number];

/** Ranges whose holders are their indices in the list. */
function held(...pairs: Pair[]): CachedRanges<number> {
	const ranges = new CachedRanges<number>();
	pairs.forEach(([begin, end], holder) => {
		ranges.add({ begin, end }, holder);
	});
	return ranges;
}

const range = { begin: 10, end: 20 };

describe("source/cache/held-ranges", () => {
	it.each<{ pairs: Pair[]; hole: Pair | undefined }>([
		{ pairs: [], hole: [10, 20] },
		{
			pairs: [
				[0, 10],
				[20, 30],
			],
			hole: [10, 20],
		},
		{
			pairs: [
				[18, 20],
				[0, 12],
			],
			hole: [12, 18],
		},
		{ pairs: [[14, 16]], hole: [10, 20] },
		{
			pairs: [
				[12, 15],
				[5, 12],
			],
			hole: [15, 20],
		},
		{
			pairs: [
				[17, 25],
				[15, 17],
			],
			hole: [10, 15],
		},
		{
			pairs: [
				[5, 14],
				[13, 21],
			],
			hole: undefined,
		},
		{ pairs: [[10, 20]], hole: undefined },
	])("completes $pairs to 10-20 with $hole", ({ pairs, hole }) => {
		const found = holeIn(range, held(...pairs).within(range));
		expect(found && [found.begin, found.end]).toEqual(hole);
	});

	it("returns disjoint ranges in order, clipped to the request", () => {
		const ranges = held([0, 5], [9, 12], [3, 11], [4, 8], [20, 30]);
		expect(ranges.within({ begin: 2, end: 25 })).toEqual([
			{ begin: 2, end: 5, holder: 0 },
			{ begin: 5, end: 9, holder: 2 },
			{ begin: 9, end: 12, holder: 1 },
			{ begin: 20, end: 25, holder: 4 },
		]);
		expect(ranges.within({ begin: 12, end: 20 })).toEqual([]);
	});

	it("removes only the given holder's ranges", () => {
		const ranges = held([0, 5], [5, 9], [9, 12]);
		ranges.remove(new Set([1]));
		const parts = ranges.within({ begin: 0, end: 12 });
		expect(parts.map(({ holder }) => holder)).toEqual([0, 2]);
	});

	it("agrees with a byte map for any order of ranges", () => {
		let seed = 7;
		const random = (below: number): number => {
			seed = (seed * 1103515245 + 12345) % 2147483648;
			return seed % below;
		};
		for (let round = 0; round < 200; round += 1) {
			const ranges = new CachedRanges<number>();
			const bytes = new Set<number>();
			for (let i = 0; i < 8; i += 1) {
				const begin = random(40);
				const end = begin + random(12);
				ranges.add({ begin, end }, i);
				for (let at = begin; at < end; at += 1) bytes.add(at);
			}
			const found = ranges
				.within({ begin: 0, end: 60 })
				.flatMap(({ begin, end }) =>
					Array.from({ length: end - begin }, (_, i) => begin + i),
				);
			expect(found).toEqual([...bytes].sort((a, b) => a - b));
		}
	});
});
