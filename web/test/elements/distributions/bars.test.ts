import { describe, expect, it } from "vitest";
import {
	barsOf,
	brushOf,
	brushWords,
	isChosen,
} from "../../../src/elements/distributions/bars.js";
import type { ColumnInfo } from "../../../src/elements/distributions/columns.js";
import type { ColumnCounts } from "../../../src/reviewing/remote-distribution.js";

const ADE: ColumnInfo = { name: "ade", words: "ADE", unit: "m", shown: true };
const MISS: ColumnInfo = {
	...ADE,
	name: "miss",
	unit: "",
	categories: ["hit", "miss"],
};

function counts(edges: readonly number[], all: readonly number[]): ColumnCounts {
	const numbers = Uint32Array.from(all);
	return {
		name: "x",
		edges: Float64Array.from(edges),
		all: numbers,
		passing: [numbers],
	};
}

// Bins 0 to 0.5 to 1, below, above, missing.
const THREE = counts([-0.5, 0, 0.5, 1], [4, 5, 6, 1, 2, 3]);

describe("distributions/bars", () => {
	it("are in the order of values; values beyond the edges and none are told apart", () => {
		expect(barsOf(THREE, ADE).map(({ words, all }) => [words, all])).toEqual([
			["below \u22120.5 m", 1],
			["\u22120.5 to 0 m", 4],
			["0 to 0.5 m", 5],
			["0.5 to 1 m", 6],
			["1 m or more", 2],
			["no value", 3],
		]);
		const few = counts([0, 1], [7, 0, 0, 0]);
		expect(barsOf(few, ADE).map(({ kind }) => kind)).toEqual(["inside"]);
		const flags = counts([0, 1, 2], [3, 4, 0, 0, 9]);
		expect(barsOf(flags, MISS).map(({ words }) => words)).toEqual([
			...["hit", "miss", "no value"],
		]);
	});

	it("make brushes, which choose them and no others", () => {
		const bars = barsOf(THREE, ADE);
		for (let first = 0; first < bars.length; first += 1)
			for (let last = first; last < bars.length; last += 1) {
				const brush = brushOf(THREE, ADE, bars.slice(first, last + 1));
				const chosen = bars.flatMap((bar, i) =>
					isChosen(THREE, bar, brush) ? [i] : [],
				);
				const expected = Array.from({ length: last - first + 1 }, (_, i) => first + i);
				expect(chosen).toEqual(expected);
			}
		const flags = counts([0, 1, 2], [3, 4, 0, 0, 9]);
		const last = barsOf(flags, MISS).slice(1);
		expect(brushOf(flags, MISS, last)).toEqual({ chosen: [1], missing: true });
	});

	it("have brushes in words", () => {
		const words = (from: number, to: number) =>
			brushWords(brushOf(THREE, ADE, barsOf(THREE, ADE).slice(from, to)), ADE);
		expect(words(2, 4)).toBe("0 to 1 m");
		expect(words(0, 2)).toBe("below 0 m");
		expect(words(4, 5)).toBe("1 m or more");
		expect(words(5, 6)).toBe("no value");
		expect(words(3, 6)).toBe("0.5 m or more, no value");
		expect(brushWords({ chosen: [0, 1] }, MISS)).toBe("hit, miss");
	});
});
