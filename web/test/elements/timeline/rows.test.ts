import { describe, expect, it } from "vitest";
import {
	keyOf,
	moved,
	rowOf,
	toggledRow,
} from "../../../src/elements/timeline/rows.js";
import { MAX_ROWS, parseRows } from "../../../src/elements/timeline/timeline-state.js";

describe("timeline/rows", () => {
	it.each([
		["speed", { kind: "quantity", name: "speed", who: undefined }],
		["jerk@26", { kind: "quantity", name: "jerk", who: 26n }],
		["speed@ego", { kind: "quantity", name: "speed", who: "ego" }],
		["agents.velocity.0@7", { kind: "quantity", name: "agents.velocity.0", who: 7n }],
		["error@2", { kind: "error", model: 2 }],
		["fact:min_ttc", { kind: "fact", name: "min_ttc", who: undefined }],
		["fact:hardest_brake@9", { kind: "fact", name: "hardest_brake", who: 9n }],
	])("%s is a row, and its key", (key, row) => {
		expect(rowOf(key)).toEqual(row);
		const parsed = rowOf(key);
		expect(parsed && keyOf(parsed)).toBe(key);
		expect(parseRows(key)).toEqual([key]);
	});

	it.each(["", "Speed", "speed@", "speed@-1", "fact:", "fact:A", "a b", "speed@1@2"])(
		"'%s' is no row",
		(key) => {
			expect(rowOf(key)).toBeUndefined();
			expect(parseRows(key)).toEqual(key === "" ? [] : undefined);
		},
	);

	it("a link has each row once, and no more than are shown", () => {
		expect(parseRows("speed,jerk@26,speed")).toEqual(["speed", "jerk@26"]);
		expect(parseRows("")).toEqual([]);
		expect(parseRows("speed,Nonsense!")).toBeUndefined();
		const many = Array.from({ length: MAX_ROWS + 1 }, (_, i) => `speed@${i}`);
		expect(parseRows(many.join(","))).toBeUndefined();
		expect(parseRows(many.slice(1).join(","))).toHaveLength(MAX_ROWS);
	});

	it("a row moves within the list, and not beyond its ends", () => {
		const rows = ["a", "b", "c"];
		expect(moved(rows, "a", 1)).toEqual(["b", "a", "c"]);
		expect(moved(rows, "c", -9)).toEqual(["c", "a", "b"]);
		expect(moved(rows, "a", -1)).toBe(rows);
		expect(moved(rows, "d", 1)).toBe(rows);
	});

	it("a row is added at the end, or removed", () => {
		expect(toggledRow(["a", "b"], "a")).toEqual(["b"]);
		expect(toggledRow(["a"], "b")).toEqual(["a", "b"]);
	});
});
