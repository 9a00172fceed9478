import type { SampleArray } from "../samples/sample.js";
import type { SampleArraysByKey } from "./binding.js";
import type { ModelTensor, ModelTensors } from "./types.js";

// Models with a fixed size of batches, which samples of any number run through.

/** Arrays of values with a first axis. */
type Rows = SampleArray["data"];

/** Returns rows [begin, begin + size); the last row repeats behind the end. */
function rowsOf(data: Rows, each: number, begin: number, size: number): Rows {
	const end = (begin + size) * each;
	if (end <= data.length) return data.subarray(begin * each, end);
	const there = data.subarray(begin * each) as Float64Array;
	const out = new (data.constructor as Float64ArrayConstructor)(size * each);
	out.set(there);
	for (let at = there.length; at < out.length; at += each)
		out.set(there.subarray(there.length - each), at);
	return out;
}

/**
 * Splits arrays of `count` samples into batches of `size`; the last one repeats its last
 * sample.
 *
 * @param batched whether the arrays have the axis of a batch
 */
export function splitBatch(
	arrays: SampleArraysByKey,
	{ count, size, batched }: { count: number; size: number; batched: boolean },
): SampleArraysByKey[] {
	const parts: SampleArraysByKey[] = [];
	for (let begin = 0; begin < count; begin += size) {
		const part = Object.entries(arrays).map(([key, array]) => {
			const shape = batched ? array.shape.slice(1) : [...array.shape];
			const each = shape.reduce((all, length) => all * length, 1);
			const data = rowsOf(array.data, each, begin, size);
			return [key, { ...array, data, shape: [size, ...shape] }];
		});
		parts.push(Object.fromEntries(part));
	}
	return parts;
}

/** Joins the outputs of batches to those of `count` samples. */
export function joinBatches(
	parts: readonly ModelTensors[],
	count: number,
): ModelTensors {
	const [first = {}] = parts;
	return Object.fromEntries(
		Object.entries(first).map(([name, tensor]) => [
			name,
			joined(
				parts.map((part) => part[name] ?? tensor),
				tensor,
				count,
			),
		]),
	);
}

/** Returns the first one if they have no rows: its shape is then refused with a reason. */
function joined(
	parts: readonly ModelTensor[],
	first: ModelTensor,
	count: number,
): ModelTensor {
	const [size = 0, ...rest] = first.dims;
	const each = rest.reduce((all, length) => all * length, 1);
	const is = ({ dims, data }: ModelTensor): boolean =>
		String(dims) === String(first.dims) && data.length === size * each;
	if (size * parts.length < count || !parts.every(is)) return first;
	const Values = first.data.constructor as Float64ArrayConstructor;
	const all = new Values(size * each * parts.length);
	for (const [i, { data }] of parts.entries())
		all.set(data as Float64Array, i * size * each);
	return { ...first, data: all.subarray(0, count * each), dims: [count, ...rest] };
}
