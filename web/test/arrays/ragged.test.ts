import { describe, expect, it } from "vitest";
import { Columns } from "../../src/arrays/columns.js";
import { RaggedColumn, raggedOf } from "../../src/arrays/ragged.js";
import { ResultArrays } from "../../src/arrays/result.js";
import { array, packed } from "../support/packed.js";

function columns(): Columns {
	const result = packed(
		array("points", Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2]),
		array("points.offsets", Uint32Array.of(0, 1, 1, 3)),
		array("points.valid", Uint8Array.of(1, 0, 1)),
		array("label", Int32Array.of(7, 8, 9)),
	);
	return new Columns(new ResultArrays(result, () => {}));
}

describe("ragged columns", () => {
	it("are rows of variable length that share memory", () => {
		const points = columns().ragged("points");
		expect(points.length).toBe(3);
		expect(points.at(0)).toEqual(Float32Array.of(1, 2));
		expect(points.at(1)).toBeUndefined();
		expect(points.at(2)).toEqual(Float32Array.of(3, 4, 5, 6));
		expect(points.at(2)?.buffer).toBe(points.data.buffer);
	});

	it("count as one row each", () => {
		expect(columns().length).toBe(3);
		expect(columns().names).toEqual(["points", "points.valid", "label"]);
		expect(columns().record(2)).toEqual({
			points: [3, 4, 5, 6],
			"points.valid": 1,
			label: 9,
		});
	});

	it("refuse rows that do not exist, and other columns", () => {
		expect(() => columns().ragged("points").at(3)).toThrow(/row 3 is out of range/);
		expect(() => columns().ragged("points").at(-1)).toThrow(/out of range/);
		expect(() => columns().ragged("label")).toThrow(/expected variable length/);
		expect(() =>
			raggedOf({ label: { data: Int32Array.of(1), shape: [1] } }, "x"),
		).toThrow(/x: no field of variable length \(found label\)/);
	});

	it("without validity have no null", () => {
		const bytes = new RaggedColumn(
			Uint8Array.of(1, 2),
			Uint32Array.of(0, 2),
			1,
			undefined,
		);
		expect(bytes.at(0)).toEqual(Uint8Array.of(1, 2));
	});
});
