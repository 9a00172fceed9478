import { describe, expect, it } from "vitest";
import {
	alternativesOf,
	clauseOf,
	holding,
	namesIn,
} from "../../../src/elements/find/clauses.js";

const alternatives = (filter: string): readonly string[] =>
	alternativesOf(clauseOf(filter)).map(({ text }) => text);

describe("find/clauses", () => {
	it("alternatives are joined by or, at any depth", () => {
		expect(alternatives("a > 1 and b < 2")).toEqual([]);
		expect(alternatives("a > 1 or b < 2 and c")).toEqual(["a > 1", "b < 2 and c"]);
		expect(alternatives("((a > 1 or (b < 2))) and c")).toEqual(["a > 1", "b < 2"]);
		expect(alternatives("a or (b and (c or d))")).toEqual([
			"a",
			"b and (c or d)",
			"c",
			"d",
		]);
	});

	it("strings, calls, brackets, not and between are parts of conditions", () => {
		expect(alternatives('x == \'a or b\' and y == "c\\" or d"')).toEqual([]);
		expect(alternatives("a between 1 and 2 or b")).toEqual(["a between 1 and 2", "b"]);
		expect(alternatives("not (a or b)")).toEqual([]);
		expect(alternatives("(a + b) * (c) > 2 or max(a, b) > 1")).toEqual([
			"(a + b) * (c) > 2",
			"max(a, b) > 1",
		]);
	});

	it("of the alternatives only those that hold count", () => {
		const clause = clauseOf("(a < 1 or b < 2) and (c or d) and e between 1 and 2");
		const held = holding(clause, ({ text }) => text === "b < 2" || text === "c");
		expect(held).toEqual(["b < 2", "c", "e between 1 and 2"]);
	});

	it("names are the words outside of strings", () => {
		expect(namesIn("turn == 'left' and min_ttc < 2")).toEqual([
			"turn",
			"and",
			"min_ttc",
		]);
	});

	it("any text is read", () => {
		for (const text of ["", "(", ")) or", "or or", "'", "a and"]) {
			expect(clauseOf(text).text).toBe(text.trim());
		}
	});
});
