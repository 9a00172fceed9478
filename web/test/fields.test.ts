import { describe, expect, it } from "vitest";
import { fieldsOf } from "../src/fields.js";

describe("fields", () => {
	it("gives a plain dtype as one nameless field", () => {
		expect(fieldsOf("<f8")).toEqual([{ name: "", dtype: "<f8", shape: [] }]);
	});

	it("gives the fields of a record in order, with the shapes of subarrays", () => {
		const dtype = [
			["centroid", "<f8", [2]],
			["yaw", "<f4"],
		] as const;
		expect(fieldsOf(dtype)).toEqual([
			{ name: "centroid", dtype: "<f8", shape: [2] },
			{ name: "yaw", dtype: "<f4", shape: [] },
		]);
	});

	it("takes a whole number for the shape of one axis, as NumPy does", () => {
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
