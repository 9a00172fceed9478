import { describe, expect, it, vi } from "vitest";
import { ResultArrays } from "../../src/arrays/result.js";
import { imageData, release, sampleOf } from "../../src/samples/sample.js";

function sample(shape: number[]) {
	const length = shape.reduce((all, side) => all * side, 1);
	const image = {
		name: "image",
		dtype: "|u1",
		shape,
		view: "Uint8Array",
		byteOffset: 0,
		length,
	} as const;
	const recycle = vi.fn();
	const buffer = new Uint8Array(length).fill(9).buffer;
	return {
		made: sampleOf(new ResultArrays({ arrays: [image], buffer }, recycle)),
		recycle,
	};
}

class FakeImageData {
	constructor(
		readonly data: Uint8ClampedArray,
		readonly width: number,
		readonly height: number,
	) {}
}

describe("samples/sample", () => {
	it("has L5Kit's keys and no others", () => {
		const { made } = sample([2, 3, 4]);
		expect(Object.keys(made)).toEqual(["image"]);
		expect(made.image.shape).toEqual([2, 3, 4]);
	});

	it("frees its memory once", () => {
		const { made, recycle } = sample([1]);
		made.release();
		release(made); // the former way
		made[Symbol.dispose]();
		expect(recycle).toHaveBeenCalledOnce();
	});

	it("converts only rgba to ImageData", () => {
		vi.stubGlobal("ImageData", FakeImageData);
		const { width, height, data } = imageData(sample([2, 3, 4]).made);
		expect([width, height, data[0]]).toEqual([3, 2, 9]);
		expect(() => imageData(sample([4, 2, 3]).made)).toThrow("expected rgba");
		vi.unstubAllGlobals();
	});
});
