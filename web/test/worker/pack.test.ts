import { describe, expect, it } from "vitest";
import { Buffers } from "../../src/arrays/buffers.js";
import { ResultArrays } from "../../src/arrays/result.js";
import type { CoreArray } from "../../src/core/types.js";
import { pack, Stack } from "../../src/worker/pack.js";
import { array } from "../support/packed.js";

describe("worker/pack", () => {
	it("copies every array into one buffer, each aligned", () => {
		const memory = new Uint8Array(32).fill(9);
		memory.set([1, 2, 3], 5);
		const bytes = new Uint8Array(memory.buffer, 5, 3);
		const arrays = [array("a", bytes), array("b", Float64Array.of(1.5, -2), [1, 2])];
		const { arrays: placed, buffer } = pack(arrays, new Buffers());
		expect(placed.map(({ name, view, shape }) => [name, view, shape])).toEqual([
			["a", "Uint8Array", [3]],
			["b", "Float64Array", [1, 2]],
		]);
		expect([...new Uint8Array(buffer, placed[0]?.byteOffset, 3)]).toEqual([1, 2, 3]);
		expect([...new Float64Array(buffer, placed[1]?.byteOffset, 2)]).toEqual([1.5, -2]);
		memory.fill(0);
		expect(new Uint8Array(buffer)[0]).toBe(1);
	});

	it("packs nothing into nothing", () => {
		expect(pack([], new Buffers()).buffer.byteLength).toBe(0);
		const empty = pack([array("none", new Float64Array())], new Buffers());
		expect(empty.arrays[0]).toMatchObject({ byteOffset: 0, length: 0 });
	});
});

const one = (data: Float64Array, shape = [data.length]): CoreArray => ({
	name: "centroid",
	dtype: "<f8",
	shape,
	data,
});

const two = (data: Uint8Array): CoreArray => ({
	name: "host_id",
	dtype: "|u1",
	shape: [data.length],
	data,
});

/** An image of `values`, and the function that converts it `size` values at a time. */
function inParts(values: readonly number[], size: number) {
	const data = new Float32Array(size);
	let done = 0;
	const next = (): number => {
		const part = values.slice(done, done + size);
		data.set(part);
		done += part.length;
		return part.length * data.BYTES_PER_ELEMENT;
	};
	return {
		image: { name: "image", dtype: "<f4", shape: [1, values.length], data },
		next,
	};
}

describe("worker/pack: arrays that are converted in parts", () => {
	it("copies each part, the last one shorter", () => {
		const { image, next } = inParts([1, 2, 3, 4, 5], 2);
		const result = pack([image, one(Float64Array.of(7))], new Buffers(), next);
		const arrays = new ResultArrays(result, () => {});
		expect([...arrays.view("image", Float32Array)]).toEqual([1, 2, 3, 4, 5]);
		expect([...arrays.view("centroid", Float64Array)]).toEqual([7]);
	});

	it("stacks results", () => {
		const stack = new Stack(2, new Buffers());
		for (const values of [
			[1, 2, 3],
			[4, 5, 6],
		]) {
			const { image, next } = inParts(values, 2);
			stack.add([image, one(Float64Array.of(values.length))], next);
		}
		const arrays = new ResultArrays(stack.result(), () => {});
		expect(arrays.array("image").shape).toEqual([2, 1, 3]);
		expect([...arrays.view("image", Float32Array)]).toEqual([1, 2, 3, 4, 5, 6]);
	});

	it("overwrites used memory with zeros that are not in the array", () => {
		const buffers = new Buffers();
		buffers.give(Float32Array.of(9, 9, 9, 9).buffer);
		const parts = [-8, 4, -4, 0];
		const image: CoreArray = {
			name: "image",
			dtype: "<f4",
			shape: [4],
			data: Float32Array.of(5),
		};
		const result = pack([image], buffers, () => parts.shift() ?? 0);
		const arrays = new ResultArrays(result, () => {});
		expect([...arrays.view("image", Float32Array)]).toEqual([0, 0, 5, 0]);
	});

	it("refuses parts that do not fill the array", () => {
		const { image } = inParts([1, 2, 3], 2);
		const code = expect.objectContaining({ code: "internal" }) as Error;
		expect(() => pack([image], new Buffers(), () => 0)).toThrow(code);
		expect(() => pack([image], new Buffers())).toThrow(code);
	});
});

describe("worker/pack: stacked results", () => {
	it("concatenates results by array", () => {
		const stack = new Stack(2, new Buffers());
		stack.add([one(Float64Array.of(1, 2)), two(Uint8Array.of(7, 8, 9))]);
		stack.add([one(Float64Array.of(3, 4)), two(Uint8Array.of(4, 5, 6))]);
		const arrays = new ResultArrays(stack.result(), () => {});
		expect(arrays.array("centroid").shape).toEqual([2, 2]);
		expect([...arrays.view("centroid", Float64Array)]).toEqual([1, 2, 3, 4]);
		expect([...arrays.view("host_id", Uint8Array)]).toEqual([7, 8, 9, 4, 5, 6]);
	});

	it("reads memory that was overwritten between results", () => {
		const data = Float64Array.of(1);
		const arrays = [one(data, [])];
		const stack = new Stack(2, new Buffers());
		stack.add(arrays);
		data[0] = 2;
		stack.add(arrays);
		const result = new ResultArrays(stack.result(), () => {});
		expect(result.array("centroid").shape).toEqual([2]);
		expect([...result.view("centroid", Float64Array)]).toEqual([1, 2]);
	});

	it("rejects other shapes, names or counts", () => {
		const stack = new Stack(4, new Buffers());
		stack.add([one(Float64Array.of(1, 2))]);
		const code = expect.objectContaining({ code: "invalid_argument" }) as Error;
		expect(() => stack.add([one(Float64Array.of(1))])).toThrow(code);
		expect(() => stack.add([two(Uint8Array.of(1, 2))])).toThrow(code);
		expect(() => stack.add([])).toThrow(code);
		expect(() =>
			stack.add([one(Float64Array.of(1, 2)), two(Uint8Array.of(1))]),
		).toThrow("array counts differ (found 2, expected 1)");
	});

	it("takes memory from the ring and returns it when dropped", () => {
		const buffers = new Buffers();
		const kept = new ArrayBuffer(16);
		buffers.give(kept);
		const stack = new Stack(1, buffers);
		stack.add([one(Float64Array.of(1, 2))]);
		expect(stack.result().buffer).toBe(kept);
		expect(buffers.bytes).toBe(0);
		stack.drop();
		expect(buffers.bytes).toBe(16);
	});
});
