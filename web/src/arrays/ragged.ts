import { BevError } from "../base/errors.js";
import type { TypedArray } from "../core/types.js";

/** Values of rows; colours of a canvas, too. */
type Values = TypedArray | Uint8ClampedArray;

/**
 * Rows of variable length: points, or the bytes of images. Row i has the elements
 * `offsets[i]` to `offsets[i + 1]`, each of `width` values.
 */
export class RaggedColumn<T extends Values = TypedArray> {
	/** Values of all rows, one row after the other. */
	readonly data: T;
	/** Where the elements of each row begin, and where the last ones end. */
	readonly offsets: Uint32Array;
	/** Values of an element: the product of its shape. */
	readonly width: number;
	/** Which rows are not null; undefined: all. */
	readonly valid: Uint8Array | undefined;

	/** @internal */
	constructor(
		data: T,
		offsets: Uint32Array,
		width: number,
		valid: Uint8Array | undefined,
	) {
		this.data = data;
		this.offsets = offsets;
		this.width = width;
		this.valid = valid;
	}

	/** Number of rows. */
	get length(): number {
		return this.offsets.length - 1;
	}

	/**
	 * Returns a view of the values of row `i`; undefined if it is null. `await
	 * createImageBitmap(new Blob([bytes]))` decodes an image.
	 *
	 * @throws out_of_range
	 */
	at(i: number): T | undefined {
		const begin = this.offsets[i];
		const end = this.offsets[i + 1];
		if (begin === undefined || end === undefined) {
			throw new BevError(
				"out_of_range",
				`row ${i} is out of range (count ${this.length})`,
			);
		}
		if (this.valid && this.valid[i] !== 1) return undefined;
		return this.data.subarray(begin * this.width, end * this.width) as T;
	}
}

/** An array of rows, as loaders and readers have it. */
interface Rows {
	readonly data: Values;
	readonly shape: readonly number[];
}

/**
 * Returns a field of variable length of a loader's rows, or of other arrays by name:
 * `NAME`, `NAME.offsets` and, if rows may be null, `NAME.valid`.
 *
 * @throws not_found if there are no such arrays
 */
export function raggedOf(
	rows: Readonly<Record<string, Rows>>,
	name: string,
): RaggedColumn<Values> {
	const { [name]: values, [`${name}.offsets`]: offsets } = rows;
	const valid = rows[`${name}.valid`]?.data;
	if (!values || !(offsets?.data instanceof Uint32Array)) {
		throw new BevError(
			"not_found",
			`${name}: no field of variable length (found ${Object.keys(rows).join(", ")})`,
		);
	}
	return new RaggedColumn(
		values.data,
		offsets.data,
		values.shape.slice(1).reduce((product, length) => product * length, 1),
		valid instanceof Uint8Array ? valid : undefined,
	);
}
