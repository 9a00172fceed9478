import type { Buffers } from "../buffers.js";
import type { CoreArray } from "../core.js";
import { BevError } from "../errors.js";
import type { PackedArray, PackedResult, ViewName } from "../result.js";

/**
 * Size of the widest element, so that each array may start where the previous one ends.
 */
const ALIGNMENT = 8;

/** The arrays of a result, placed one after the other, and the size of all. */
interface Layout {
	readonly arrays: readonly PackedArray[];
	readonly size: number;
}

/** Lays out `count` results, with a leading dimension; without it, a single result. */
function layOut(results: readonly CoreArray[], count?: number): Layout {
	let size = 0;
	const arrays = results.map(({ name, dtype, shape, data }): PackedArray => {
		const byteOffset = size;
		size += Math.ceil((data.byteLength * (count ?? 1)) / ALIGNMENT) * ALIGNMENT;
		return {
			name,
			dtype,
			shape: count === undefined ? [...shape] : [count, ...shape],
			view: data.constructor.name as ViewName,
			byteOffset,
			length: data.length * (count ?? 1),
		};
	});
	return { arrays, size };
}

/** Copies a result from WebAssembly memory into one buffer. */
export function pack(arrays: readonly CoreArray[], buffers: Buffers): PackedResult {
	const { arrays: packed, size } = layOut(arrays);
	const buffer = buffers.take(size);
	arrays.forEach(({ data }, i) => {
		const from = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		new Uint8Array(buffer, packed[i]?.byteOffset).set(from);
	});
	return { arrays: packed, buffer };
}

interface Place {
	readonly from: Uint8Array;
	readonly byteOffset: number;
}

/** Stacks results of equal layout: each array gets a leading dimension. */
export class Stack {
	readonly #count: number;
	readonly #buffers: Buffers;
	#arrays: readonly PackedArray[] = [];
	#target = new Uint8Array();
	/** The last arrays from the core, and their locations: samples share their memory. */
	#last: readonly CoreArray[] | undefined;
	#places: readonly Place[] = [];
	#filled = 0;

	constructor(count: number, buffers: Buffers) {
		this.#count = count;
		this.#buffers = buffers;
	}

	add(arrays: readonly CoreArray[]): void {
		if (this.#filled === 0) {
			const layout = layOut(arrays, this.#count);
			this.#arrays = layout.arrays;
			this.#target = new Uint8Array(this.#buffers.take(layout.size));
		}
		if (arrays !== this.#last) this.#place(arrays);
		for (const { from, byteOffset } of this.#places) {
			this.#target.set(from, byteOffset + this.#filled * from.length);
		}
		this.#filled += 1;
	}

	/** Returns the stacked result. Call it after `count` results were added. */
	result(): PackedResult {
		return { arrays: this.#arrays, buffer: this.#target.buffer };
	}

	/** Returns the memory to the pool. */
	drop(): void {
		this.#buffers.give(this.#target.buffer);
	}

	#place(arrays: readonly CoreArray[]): void {
		this.#places = this.#arrays.map(({ name, shape, byteOffset }, i) => {
			const found = arrays[i];
			if (found?.name !== name || String(found.shape) !== String(shape.slice(1))) {
				throw new BevError(
					"invalid_argument",
					`batch: shapes differ (found ${found?.name ?? "nothing"} (${found?.shape}), expected ${name} (${shape.slice(1)})); read these samples one by one`,
				);
			}
			const { buffer, byteOffset: at, byteLength } = found.data;
			return { from: new Uint8Array(buffer, at, byteLength), byteOffset };
		});
		if (arrays.length !== this.#arrays.length) {
			throw new BevError(
				"invalid_argument",
				`batch: array counts differ (found ${arrays.length}, expected ${this.#arrays.length})`,
			);
		}
		this.#last = arrays;
	}
}
