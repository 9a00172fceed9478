import { describe, expect, it } from "vitest";
import { covering, hole } from "../../../src/source/kept/pieces.js";

const pieces = (...ranges: [number, number][]) =>
	ranges.map(([begin, end]) => ({ begin, end }));

describe("source/kept/pieces", () => {
	it.each([
		{ held: pieces(), left: { begin: 10, end: 20 } },
		{ held: pieces([0, 10], [20, 30]), left: { begin: 10, end: 20 } },
		{ held: pieces([0, 12], [18, 20]), left: { begin: 12, end: 18 } },
		{ held: pieces([14, 16]), left: { begin: 10, end: 20 } },
		{ held: pieces([12, 15], [5, 12]), left: { begin: 15, end: 20 } },
		{ held: pieces([15, 17], [17, 25]), left: { begin: 10, end: 15 } },
		{ held: pieces([5, 14], [13, 21]), left: undefined },
		{ held: pieces([10, 20]), left: undefined },
	])("of 10 to 20 with $held, $left is missing", ({ held, left }) => {
		expect(hole({ begin: 10, end: 20 }, held)).toEqual(left);
	});

	it("covers a range with few pieces, in order", () => {
		const held = pieces([0, 5], [3, 9], [4, 8], [9, 12]);
		expect(covering({ begin: 2, end: 11 }, held)).toEqual(
			pieces([0, 5], [3, 9], [9, 12]),
		);
	});

	it("stops where a range is not covered", () => {
		expect(covering({ begin: 0, end: 9 }, pieces([0, 2], [5, 9]))).toEqual(
			pieces([0, 2]),
		);
	});
});
