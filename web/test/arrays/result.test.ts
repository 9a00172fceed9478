import { describe, expect, it, vi } from "vitest";
import { ResultArrays, stringsOf } from "../../src/arrays/result.js";
import { array, packed, text } from "../support/packed.js";

describe("result", () => {
	const arrays = new ResultArrays(
		packed(
			array("yaw", Float32Array.of(0.5, -1)),
			array("id", BigUint64Array.of(1n, 2n ** 63n)),
			...text("host", ["alpha", "", "gr\u00fcn"]),
		),
		() => {},
	);

	it("returns every array with the core's class", () => {
		expect(arrays.names).toEqual(["yaw", "id", "host", "host.offsets"]);
		expect(arrays.view("yaw", Float32Array)).toEqual(Float32Array.of(0.5, -1));
		expect(arrays.view("id", BigUint64Array)[1]).toBe(2n ** 63n);
	});

	it("decodes strings by their offsets", () => {
		expect(stringsOf(arrays, "host")).toEqual(["alpha", "", "gr\u00fcn"]);
		expect(arrays.text("host", 2)).toBe("gr\u00fcn");
		expect(arrays.isOffsets("host.offsets")).toBe(true);
		expect(arrays.isOffsets("yaw")).toBe(false);
	});

	it("reports a missing array or unexpected class", () => {
		expect(() => arrays.array("speed")).toThrow("result: array speed not found");
		expect(() => arrays.view("yaw", Float64Array)).toThrow(
			"result: unexpected type of yaw (found Float32Array, expected Float64Array)",
		);
	});

	it("releases its buffer once", () => {
		const recycle = vi.fn();
		const result = packed(array("a", Uint8Array.of(1)));
		const own = new ResultArrays(result, recycle);
		own.release();
		own.release();
		expect(recycle).toHaveBeenCalledExactlyOnceWith(result.buffer);
	});
});
