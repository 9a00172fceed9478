import type { Buffers } from "../buffers.js";
import type { CoreArray } from "../core.js";
import { BevError } from "../errors.js";
import type { PackedArray, PackedResult, ViewName } from "../result.js";

/** Size of the widest element, as in `pack`. */
const ALIGNMENT = 8;

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
		if (this.#filled === 0) this.#layOut(arrays);
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

	#layOut(arrays: readonly CoreArray[]): void {
		let size = 0;
		this.#arrays = arrays.map(({ name, dtype, shape, data }): PackedArray => {
			const byteOffset = size;
			const bytes = data.byteLength * this.#count;
			size += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
			return {
				name,
				dtype,
				shape: [this.#count, ...shape],
				view: data.constructor.name as ViewName,
				byteOffset,
				length: data.length * this.#count,
			};
		});
		this.#target = new Uint8Array(this.#buffers.take(size));
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
