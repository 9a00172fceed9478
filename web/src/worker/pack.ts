import type { Buffers } from "../arrays/buffers.js";
import type { PackedArray, PackedResult, ViewName } from "../arrays/result.js";
import { BevError } from "../base/errors.js";
import type { CoreArray } from "../core/types.js";

/**
 * Size of the widest element, so that each array may start where the previous one ends.
 */
const ALIGNMENT = 8;

/** The arrays of a result, placed one after the other, and the size of all. */
interface Layout {
	readonly arrays: readonly PackedArray[];
	readonly size: number;
}

/** See `Core.nextPart`. */
export type NextPart = () => number;

const noPart: NextPart = () => 0;

/** Returns the elements of one result's array, also of one that is converted in parts. */
function lengthOf({ dtype, shape, data }: CoreArray): number {
	if (dtype !== "<f4") return data.length;
	return shape.reduce((product, axis) => product * axis, 1);
}

/** Lays out `count` results, with a leading dimension; without it, a single result. */
function layOut(results: readonly CoreArray[], count?: number): Layout {
	let size = 0;
	const arrays = results.map((array): PackedArray => {
		const { name, dtype, shape, data } = array;
		const byteOffset = size;
		const length = lengthOf(array) * (count ?? 1);
		const bytes = length * data.BYTES_PER_ELEMENT;
		size += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
		return {
			name,
			dtype,
			shape: count === undefined ? [...shape] : [count, ...shape],
			view: data.constructor.name as ViewName,
			byteOffset,
			length,
		};
	});
	return { arrays, size };
}

/** Copies a result from WebAssembly memory into one buffer. */
export function pack(
	arrays: readonly CoreArray[],
	buffers: Buffers,
	nextPart = noPart,
): PackedResult {
	const { arrays: packed, size } = layOut(arrays);
	const buffer = buffers.take(size);
	const target = new Uint8Array(buffer);
	arrays.forEach((array, i) => {
		copy(placeOf(array, packed[i]?.byteOffset ?? 0), target, 0, nextPart);
	});
	return { arrays: packed, buffer };
}

/** The memory of a result's array, and where results are copied to. */
interface Place {
	readonly from: Uint8Array;
	/** Of the first result. */
	readonly byteOffset: number;
	/** Bytes of one result; more than those of `from` if it is converted in parts. */
	readonly size: number;
}

function placeOf(array: CoreArray, byteOffset: number): Place {
	const { buffer, byteOffset: at, byteLength, BYTES_PER_ELEMENT } = array.data;
	const from = new Uint8Array(buffer, at, byteLength);
	return { from, byteOffset, size: lengthOf(array) * BYTES_PER_ELEMENT };
}

/** Copies the array of result `i`. */
function copy(
	{ from, byteOffset, size }: Place,
	target: Uint8Array,
	i: number,
	nextPart: NextPart,
): void {
	let at = byteOffset + i * size;
	if (size === from.length) {
		target.set(from, at);
		return;
	}
	for (let part = nextPart(); part !== 0; part = nextPart()) {
		if (part < 0) target.fill(0, at, at - part);
		else target.set(from.subarray(0, part), at);
		at += Math.abs(part);
	}
	if (at !== byteOffset + (i + 1) * size) {
		throw new BevError("internal", "image: parts do not fill it");
	}
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

	add(arrays: readonly CoreArray[], nextPart = noPart): void {
		if (this.#filled === 0) {
			const layout = layOut(arrays, this.#count);
			this.#arrays = layout.arrays;
			this.#target = new Uint8Array(this.#buffers.take(layout.size));
		}
		if (arrays !== this.#last) this.#place(arrays);
		for (const place of this.#places) {
			copy(place, this.#target, this.#filled, nextPart);
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
			return placeOf(found, byteOffset);
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
