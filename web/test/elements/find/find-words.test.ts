import { describe, expect, it } from "vitest";
import type { Found } from "../../../src/elements/find/find-loader.js";
import {
	columnOf,
	shortened,
	statusOf,
	uncheckedWords,
	unreadWords,
	wordsOf,
} from "../../../src/elements/find/find-words.js";

const base: Found = {
	filter: { table: "scenes", where: "turn == 'left'" },
	phase: "done",
	done: 4,
	of: 4,
	count: 0,
	hits: [],
	order: { by: "found", descending: false },
	unread: [],
	problem: undefined,
};

describe("find/find-words", () => {
	it("tell what was found, and how far the search is", () => {
		expect(wordsOf(base)).toBe("No scene passes the filter");
		const tracks = { ...base, filter: { table: "tracks" as const, where: "cut_in" } };
		expect(wordsOf(tracks)).toBe("No track passes the filter");
		expect(wordsOf({ ...base, phase: "running", done: 0, of: 0 })).toBe("Searching");
		const some = { ...base, count: 1200, hits: new Array(1000), done: 900, of: 1000 };
		expect(wordsOf(some)).toBe("1,200 hits, the first 1,000 are listed");
		const order = { by: "worst", descending: false } as const;
		expect(wordsOf({ ...some, order })).toBe(
			"1,200 hits, the first 1,000 in this order are listed",
		);
		expect(wordsOf({ ...base, phase: "running", done: 1 })).toBe(
			"0 hits in 1 of 4 scenes",
		);
		expect(wordsOf({ ...base, phase: "stopped", done: 1 })).toBe(
			"Stopped: 0 hits in 1 of 4 scenes. What was computed is kept",
		);
		expect(statusOf({ ...base, phase: "running", done: 1 })).toBe("Searching");
		expect(statusOf({ ...base, phase: "failed" })).toBe("");
	});

	it("name scenes that could not be searched", () => {
		expect(unreadWords(base)).toBeUndefined();
		const damage = (scene: number) => ({ scene, error: "agents/1: damaged" });
		expect(unreadWords({ ...base, unread: [damage(3)] })).toBe(
			"Scene 3 could not be searched: agents/1: damaged",
		);
		expect(unreadWords({ ...base, unread: [damage(3), damage(4)] })).toBe(
			"2 scenes could not be searched, the first is scene 3: agents/1: damaged",
		);
	});

	it("say that stored results are not compared with the data yet", () => {
		expect(uncheckedWords(base)).toBeUndefined();
		expect(uncheckedWords({ ...base, isUnchecked: true })).toBe(
			"Found in results stored with the data. Whether the data has changed since is being checked",
		);
		expect(uncheckedWords({ ...base, phase: "running", isUnchecked: true })).toBe(
			"Results stored with the data are used",
		);
		const failed = { ...base, phase: "failed", isUnchecked: true } as const;
		expect(uncheckedWords(failed)).toBeUndefined();
	});

	it("shorten long lists of names in errors, and find the column", () => {
		const names = Array.from({ length: 20 }, (_, i) => `f${i}`);
		const why = `filter, column 17: unknown field "x" (expected ${names.join(", ")})`;
		expect(columnOf(why)).toBe(16);
		expect(shortened(why)).toBe(
			'filter, column 17: unknown field "x" (expected f0, f1, f2, f3, f4, f5 or 14 others)',
		);
		expect(shortened('x (expected "a", "b")')).toBe('x (expected "a", "b")');
	});
});
