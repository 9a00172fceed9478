import "./dispose.js";
import type { Column } from "./columns.js";
import type { CoreView } from "./core.js";
import { type ResultArrays, stringsOf } from "./result.js";

/** A box of an array, in C order. */
export class NdArray implements Column, Disposable {
	/** Empty for one value alone; a field's own shape comes last. */
	readonly shape: readonly number[];
	/** NumPy's little-endian code of what `data` holds, e.g. `<f8`, or `utf8` for text. */
	readonly dtype: string;
	readonly #arrays: ResultArrays;
	readonly #name: string;

	constructor(arrays: ResultArrays) {
		this.#arrays = arrays;
		this.#name = arrays.names[0] ?? "";
		const { shape, dtype } = arrays.array(this.#name);
		this.shape = shape;
		this.dtype = dtype;
	}

	/** The values; a text comes as UTF-8 bytes, see `strings`. */
	get data(): CoreView {
		return this.#arrays.array(this.#name).data;
	}

	/** Text, one string an element. */
	strings(): string[] {
		return stringsOf(this.#arrays, this.#name);
	}

	/** Gives the memory back for a later read; `data` is empty afterwards. */
	release(): void {
		this.#arrays.release();
	}

	[Symbol.dispose](): void {
		this.release();
	}
}
