import type { Buffers } from "../buffers.js";
import type { CoreArray } from "../core.js";
import type { PackedArray, PackedResult, ViewName } from "../result.js";

/**
 * Size of the widest element, so that each array may start where the previous one ends.
 */
const ALIGNMENT = 8;

/** Copies a result from WebAssembly memory into one buffer. */
export function pack(arrays: readonly CoreArray[], buffers: Buffers): PackedResult {
	let size = 0;
	const packed = arrays.map(({ name, dtype, shape, data }): PackedArray => {
		const byteOffset = size;
		size += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT;
		const view = data.constructor.name as ViewName;
		return { name, dtype, shape: [...shape], view, byteOffset, length: data.length };
	});
	const buffer = buffers.take(size);
	arrays.forEach(({ data }, i) => {
		const from = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		new Uint8Array(buffer, packed[i]?.byteOffset).set(from);
	});
	return { arrays: packed, buffer };
}
