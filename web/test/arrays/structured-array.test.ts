import { describe, expect, it } from "vitest";
import { fieldsOf } from "../../src/arrays/structured-array.js";

describe("structured-array: fields", () => {
	it("returns a plain dtype as one unnamed field", () => {
		expect(fieldsOf("<f8")).toEqual([{ name: "", dtype: "<f8", shape: [] }]);
	});

	it("returns a record's fields in order, with subarray shapes", () => {
		const dtype = [
			["centroid", "<f8", [2]],
			["yaw", "<f4"],
		] as const;
		expect(fieldsOf(dtype)).toEqual([
			{ name: "centroid", dtype: "<f8", shape: [2] },
			{ name: "yaw", dtype: "<f4", shape: [] },
		]);
	});

	it("accepts an integer as shape, like NumPy", () => {
		const dtype = [
			["centroid", "<f8", 2],
			["pose", [["xy", "<f8", 2]], 3],
		] as const;
		expect(fieldsOf(dtype)).toEqual([
			{ name: "centroid", dtype: "<f8", shape: [2] },
			{ name: "pose.xy", dtype: "<f8", shape: [3, 2] },
		]);
	});

	it("joins nested names by dots and their shapes from outside in", () => {
		const dtype = [["pose", [["xy", "<f8", [2]]], [3]]] as const;
		expect(fieldsOf(dtype)).toEqual([{ name: "pose.xy", dtype: "<f8", shape: [3, 2] }]);
	});
});
