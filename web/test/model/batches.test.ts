import { describe, expect, it } from "vitest";
import { joinBatches, splitBatch } from "../../src/model/batches.js";

const array = (data: Float32Array | BigInt64Array, shape: number[]) => ({
	...{ data, shape },
	dtype: data instanceof Float32Array ? "<f4" : "<i8",
});

const BATCH = {
	pairs: array(Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2]),
	ids: array(BigInt64Array.of(7n, 8n, 9n), [3]),
};

describe("model/batches", () => {
	it("splits a batch; the last part repeats its last sample", () => {
		const parts = splitBatch(BATCH, { count: 3, size: 2, batched: true });
		expect(parts).toEqual([
			{
				pairs: array(Float32Array.of(1, 2, 3, 4), [2, 2]),
				ids: array(BigInt64Array.of(7n, 8n), [2]),
			},
			{
				pairs: array(Float32Array.of(5, 6, 5, 6), [2, 2]),
				ids: array(BigInt64Array.of(9n, 9n), [2]),
			},
		]);
	});

	it("makes a batch of a sample", () => {
		const sample = {
			pairs: array(Float32Array.of(1, 2), [2]),
			ids: array(BigInt64Array.of(7n), []),
		};
		expect(splitBatch(sample, { count: 1, size: 2, batched: false })).toEqual([
			{
				pairs: array(Float32Array.of(1, 2, 1, 2), [2, 2]),
				ids: array(BigInt64Array.of(7n, 7n), [2]),
			},
		]);
		expect(splitBatch(sample, { count: 0, size: 2, batched: true })).toEqual([]);
	});

	it("joins outputs, without those of repeated samples", () => {
		const part = (...data: number[]) => ({
			positions: { data: Float32Array.from(data), dims: [2, 1, 2] },
		});
		expect(joinBatches([part(1, 2, 3, 4), part(5, 6, 0, 0)], 3)).toEqual({
			positions: { data: Float32Array.of(1, 2, 3, 4, 5, 6), dims: [3, 1, 2] },
		});
	});

	it("leaves outputs without rows as they are, to be refused", () => {
		const odd = { positions: { data: Float32Array.of(1), dims: [1] } };
		expect(joinBatches([odd, odd], 3)).toEqual(odd);
		const other = { positions: { data: Float32Array.of(1, 2), dims: [2] } };
		expect(joinBatches([other, odd], 4)).toEqual(other);
		expect(joinBatches([], 0)).toEqual({});
	});
});
