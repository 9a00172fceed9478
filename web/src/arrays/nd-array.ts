import "../base/dispose.js";
import type { TypedArray } from "../core/types.js";
import type { Column } from "./columns.js";
import { type ResultArrays, stringsOf } from "./result.js";

/** The values of a box of an array, in C order. */
export class NdArray implements Column, Disposable {
	/** Empty for a single value. The axes of a field's own shape come last. */
	readonly shape: readonly number[];
	/**
	 * NumPy's little-endian code of the elements of `data`, e.g. `<f8`; `utf8` for text.
	 */
	readonly dtype: string;
	readonly #arrays: ResultArrays;
	readonly #name: string;

	/** @internal */
	constructor(arrays: ResultArrays) {
		this.#arrays = arrays;
		this.#name = arrays.names[0] ?? "";
		const { shape, dtype } = arrays.array(this.#name);
		this.shape = shape;
		this.dtype = dtype;
	}

	/** The values; text as UTF-8 bytes, see `strings`. */
	get data(): TypedArray {
		return this.#arrays.array(this.#name).data;
	}

	/** Returns text as one string per element. */
	strings(): string[] {
		return stringsOf(this.#arrays, this.#name);
	}

	/** Recycles the memory for later reads; `data` is empty afterwards. */
	release(): void {
		this.#arrays.release();
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}
