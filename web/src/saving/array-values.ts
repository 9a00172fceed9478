import type { AxisSelection } from "../api.js";
import { axesOf } from "../arrays/structured-array.js";
import { asNumbers, check, refuse } from "../base/arguments.js";
import type { Given } from "../core/core.js";
import type { BatchData } from "./config.js";

/**
 * Elements of an array: an index, a slice or null per axis; row indices; or a mask with a
 * value per row.
 */
export type ElementSelection =
	| readonly AxisSelection[]
	| {
			/** Indices along the first axis. */
			readonly rows: ArrayLike<number>;
	  }
	| {
			/** A value per row. */
			readonly mask: Uint8Array | readonly boolean[];
	  };

/**
 * Values of elements, in C order: of the element's type, strings and records as stored
 * bytes; a column or array that was read; or one value for all elements.
 */
export type ArrayValues =
	| BatchData
	| {
			/** Elements in C order. */
			readonly data: ArrayBufferView;
	  }
	| number
	| bigint
	| boolean
	| string;

/** Returns a value as a fill value in metadata. */
export function jsonOf(of: string, value: unknown, isNull = false): string {
	if (isNull) return "null";
	if (typeof value === "bigint") return String(value);
	if (typeof value === "number") {
		return JSON.stringify(Number.isFinite(value) ? value : String(value));
	}
	if (typeof value === "boolean" || typeof value === "string") {
		return JSON.stringify(value);
	}
	return refuse(of, value, "a typed array or one value");
}

/** Returns a selection as the core takes it. */
export function chosenOf(
	path: string,
	selection: ElementSelection,
): Omit<Given<"writable_read">, "array"> {
	check(`${path}: selection`, selection ?? null, "object");
	if ("rows" in selection) {
		check(`${path}: rows`, selection.rows ?? null, "list");
		return { indices: asNumbers(selection.rows) };
	}
	if ("mask" in selection) {
		check(`${path}: mask`, selection.mask ?? null, "list");
		return { mask: Uint8Array.from(selection.mask, Number) };
	}
	check(`${path}: selection`, selection, "list");
	return { axes: axesOf(selection) };
}

/** Returns the values of each field; "" for whole elements. */
export function valuesByField(
	path: string,
	values: ArrayValues | Readonly<Record<string, ArrayValues>>,
): (readonly [string, ArrayValues])[] {
	const isOne = typeof values !== "object" || values === null;
	if (isOne || ArrayBuffer.isView(values)) return [["", values as ArrayValues]];
	if ("data" in values && ArrayBuffer.isView(values.data))
		return [["", values as ArrayValues]];
	if (isColumns(values)) return values.names.map((name) => [name, values.column(name)]);
	const fields = Object.entries(values as Readonly<Record<string, ArrayValues>>);
	if (fields.length === 0) refuse(`${path}: values`, values, "values of a field");
	return fields;
}

/** Whether values are rows that a data set returned: `Columns`. */
function isColumns(values: object): values is {
	readonly names: readonly string[];
	column(name: string): { readonly data: ArrayBufferView };
} {
	return "names" in values && typeof Object(values).column === "function";
}
