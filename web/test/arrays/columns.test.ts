import { describe, expect, it } from "vitest";
import { Columns } from "../../src/arrays/columns.js";
import { ResultArrays } from "../../src/arrays/result.js";
import { array, packed, text } from "../support/packed.js";

function columns(recycle = (_: ArrayBuffer): void => {}): Columns {
	const result = packed(
		array("track_id", BigUint64Array.of(7n, 9n)),
		array("centroid", Float64Array.of(1, 2, 3, 4), [2, 2]),
		array("phase", Float32Array.of(1, 0, 0, 1), [2]), // complex: two floats each
		...text("host", ["a", "b"]),
	);
	return new Columns(new ResultArrays(result, recycle));
}

describe("columns", () => {
	it("lists the fields without text offsets", () => {
		expect(columns().names).toEqual(["track_id", "centroid", "phase", "host"]);
		expect(columns().length).toBe(2);
	});

	it("returns a field's data and shape", () => {
		const { data, shape } = columns().column("centroid");
		expect(data).toEqual(Float64Array.of(1, 2, 3, 4));
		expect(shape).toEqual([2, 2]);
	});

	it("rejects columns of another dtype than the format's", () => {
		const result = (): ResultArrays =>
			new ResultArrays(packed(array("yaw", Float64Array.of(1))), () => {});
		expect(() => new Columns(result(), { yaw: "<f4" })).toThrow(
			/column yaw: unexpected dtype \(found .*, expected <f4\); dataset.array\(\) reads any/,
		);
		expect(new Columns(result(), { speed: "<f4" }).names).toEqual(["yaw"]);
	});

	it("returns text as strings, and rejects other fields", () => {
		expect(columns().strings("host")).toEqual(["a", "b"]);
		expect(() => columns().strings("track_id")).toThrow(/expected text/);
	});

	it("lists the fields in its error", () => {
		expect(() => columns().column("yaw")).toThrow(
			"column yaw: not read (found track_id, centroid, phase, host)",
		);
		expect(() => columns().column("host.offsets")).toThrow(/not read/);
	});

	it("returns one record by field name", () => {
		expect(columns().record(1)).toEqual({
			track_id: 9n,
			centroid: [3, 4],
			phase: [0, 1],
			host: "b",
		});
		for (const i of [-1, 2, 0.5]) expect(() => columns().record(i)).toThrow(/count 2/);
	});

	it("returns every string of a row with further axes", () => {
		const [words, offsets] = text("words", ["a", "b", "", "d"]);
		if (!words || !offsets) throw new Error("no text");
		const result = packed({ ...words, shape: [2, 2] }, offsets);
		const grid = new Columns(new ResultArrays(result, () => {}));
		expect(grid.strings("words")).toEqual(["a", "b", "", "d"]);
		expect(grid.record(1)).toEqual({ words: ["", "d"] });
	});

	it("frees its memory when released or disposed", () => {
		const given: ArrayBuffer[] = [];
		columns((buffer) => given.push(buffer)).release();
		columns((buffer) => given.push(buffer))[Symbol.dispose]();
		expect(given).toHaveLength(2);
	});

	it("may be empty", () => {
		const none = new Columns(new ResultArrays(packed(), () => {}));
		expect([none.length, none.names]).toEqual([0, []]);
	});
});
