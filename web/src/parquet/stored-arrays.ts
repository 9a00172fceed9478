import { type Column, elementBytes, itemBytes, product } from "./columns.js";

/** The table of a data set's rows. */
export const TABLE = "rows";

/** Elements that row groups are apart in an array of values: more than any has. */
export const STRIDE = 2 ** 30;

/** Bytes of a chunk of values, at most and at least. */
const MAX_VALUES = 2 ** 20;
const MIN_VALUES = 2 ** 12;

/** An array of the store: rows, values of a field of variable length, or validity. */
export interface StoredArray {
	readonly path: string;
	readonly column: Column;
	readonly role: "rows" | "values" | "valid";
	readonly dtype: string;
	readonly length: number;
	/** Elements of a chunk. */
	readonly chunk: number;
	/** Of an element. */
	readonly shape: readonly number[];
}

export function rowBytesOf(array: StoredArray): number {
	return itemBytes(array) * product(array.shape);
}

/** Returns the array's .zarray. */
export function documentOf({ length, chunk, shape, dtype }: StoredArray): object {
	return {
		...{ zarr_format: 2, shape: [length, ...shape], chunks: [chunk, ...shape] },
		...{ dtype, compressor: null, filters: null, fill_value: null, order: "C" },
	};
}

/**
 * Returns the arrays of a column.
 *
 * @param size the number of rows and row groups, and rows of a chunk
 * @param largest decoded bytes of the largest column of a row group
 */
export function arraysOf(
	column: Column,
	size: { readonly rows: number; readonly groups: number; readonly chunkRows: number },
	largest: number,
): StoredArray[] {
	const { name, dtype, shape, kind } = column;
	const rows = { column, length: size.rows, chunk: size.chunkRows };
	const at = { path: `${TABLE}/${name}`, role: "rows" } as const;
	const found: StoredArray[] = [];
	if (kind === "") found.push({ ...rows, ...at, dtype, shape });
	else {
		found.push({ ...rows, ...at, dtype: "<i8", shape: [2] });
		const most = Math.min(Math.max(largest, MIN_VALUES), MAX_VALUES);
		const elements = Math.floor(most / elementBytes(column));
		const chunk = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(elements, 1))));
		const length = STRIDE * size.groups;
		const path = `values/${name}`;
		found.push({ path, column, role: "values", dtype, length, chunk, shape });
	}
	if (column.nullable)
		found.push({
			...rows,
			path: `valid/${name}`,
			role: "valid",
			dtype: "|b1",
			shape: [],
		});
	return found;
}

/** Returns a field's entry in the attribute bevscope_fields. */
export function fieldOf({ name, kind, nullable, content_type, npy }: Column): object {
	return {
		...{ name, array: `${TABLE}/${name}` },
		...(kind !== "" && { kind, values: `values/${name}` }),
		...(nullable && { valid: `valid/${name}` }),
		...(content_type && { content_type }),
		...npy,
	};
}
