import type { FileMetaData, SchemaElement } from "hyparquet";
import { type ListSizes, listSizes } from "./arrow-schema.js";
import type { UnischemaField } from "./unischema.js";

/** Decimals of up to this many digits are float64, which keeps them; others are text. */
const MAX_DIGITS = 15;

/** Elements of a row. */
const MAX_ELEMENTS = 2 ** 24;

/** What a row is, as in the attribute bevscope_fields; "" if it has one shape. */
export type Kind = "" | "array" | "bytes" | "text" | "image" | "npy";

/** A column that a table has as a field, or the reason why it has not. */
export interface Column {
	readonly name: string;
	/** The file's type, as text; "partition" for a partition key. */
	readonly type: string;
	/** zarr's code of an element; "" for columns that are no fields. */
	readonly dtype: string;
	/** Of a row; of the elements of a list, of one. */
	readonly shape: readonly number[];
	readonly kind: Kind;
	/** How a row of bytes is encoded. */
	readonly codec?: "ndarray" | "npz";
	readonly nullable?: boolean;
	/** Unit of dates and times: "D", "ms", "us", "ns". */
	readonly unit?: string;
	readonly content_type?: string;
	/** Why it is no field. */
	readonly refused?: string;
	/** Of arrays in NumPy's format: their type, if it is known, and shape. */
	readonly npy?: {
		readonly dtype?: string;
		readonly shape: readonly (number | null)[];
	};
	/** Lengths of the lists that rows consist of; 0 varies. */
	readonly lists: ListSizes;
	/** The element of its values; undefined for a partition key. */
	readonly element?: SchemaElement;
}

/** Bytes of one number, or of a text. */
export function itemBytes({ dtype }: { readonly dtype: string }): number {
	return Number(dtype.slice(2)) * (dtype[1] === "U" ? 4 : 1);
}

export function product(shape: readonly number[]): number {
	return shape.reduce((all, length) => all * length, 1);
}

/** Bytes of an element of a list, or of a row of one shape. */
export function elementBytes(column: Column): number {
	return itemBytes(column) * product(column.shape);
}

/** Bytes of a row in the array that has one per row: values, or begin and end. */
export function rowBytes(column: Column): number {
	return column.kind === "" ? elementBytes(column) : 16;
}

const UNITS = { MILLIS: "ms", MICROS: "us", NANOS: "ns" } as const;

export function isDecimal(element: SchemaElement | undefined): boolean {
	return (
		element?.logical_type?.type === "DECIMAL" || element?.converted_type === "DECIMAL"
	);
}

/** Returns dtype and unit of elements of one length; `dtype` is "" for others. */
function dtypeOf(element: SchemaElement): { dtype: string; unit?: string } {
	const { type, logical_type: logical, converted_type: converted } = element;
	if (type === "BOOLEAN") return { dtype: "|b1" };
	if (type === "FLOAT") return { dtype: "<f4" };
	if (type === "DOUBLE") return { dtype: "<f8" };
	if (type === "INT96") return { dtype: "<i8", unit: "ns" };
	if (logical?.type === "FLOAT16") return { dtype: "<f2" };
	if (isDecimal(element)) return { dtype: "<f8" };
	if (type === "FIXED_LEN_BYTE_ARRAY") return { dtype: "|u1" };
	if (type !== "INT32" && type !== "INT64") return { dtype: "" };
	const size = type === "INT32" ? 4 : 8;
	const coded = (isSigned: boolean, bytes: number) =>
		`${bytes === 1 ? "|" : "<"}${isSigned ? "i" : "u"}${bytes}`;
	if (logical?.type === "INTEGER")
		return { dtype: coded(logical.isSigned, logical.bitWidth / 8) };
	const integer = /^(U?)INT_(\d+)$/.exec(converted ?? "");
	if (integer) return { dtype: coded(integer[1] === "", Number(integer[2]) / 8) };
	const dtype = `<i${size}`;
	if (logical?.type === "DATE" || converted === "DATE") return { dtype, unit: "D" };
	if (logical?.type === "TIMESTAMP" || logical?.type === "TIME")
		return { dtype, unit: UNITS[logical.unit] };
	if (/^TIME(STAMP)?_MILLIS$/.test(converted ?? "")) return { dtype, unit: "ms" };
	if (/^TIME(STAMP)?_MICROS$/.test(converted ?? "")) return { dtype, unit: "us" };
	return { dtype };
}

function typeName({ type, logical_type, converted_type }: SchemaElement): string {
	const logical = logical_type?.type ?? converted_type;
	return [type ?? "group", logical].filter(Boolean).join(" ");
}

/** The elements of a top-level column: itself, and those below it. */
type Tree = readonly [SchemaElement, ...SchemaElement[]];

/** Returns the trees of all columns, in order. */
function treesOf({ schema }: FileMetaData): Tree[] {
	const trees: Tree[] = [];
	const end = (from: number): number => {
		let next = from + 1;
		for (let i = 0; i < (schema[from]?.num_children ?? 0); i += 1) {
			if (next >= schema.length) break;
			next = end(next);
		}
		return next;
	};
	for (let at = 1; at < schema.length; ) {
		const next = end(at);
		trees.push(schema.slice(at, next) as unknown as Tree);
		at = next;
	}
	return trees;
}

const NONE = { dtype: "", shape: [], kind: "", lists: [] } as const;

function refusal(name: string, type: string, refused: string): Column {
	return { ...NONE, name, type, refused };
}

function isText({ logical_type: logical, converted_type }: SchemaElement): boolean {
	return /^(STRING|JSON)$/.test(logical?.type ?? "") || converted_type === "UTF8";
}

function columnOf(tree: Tree, known: ListSizes | undefined, length?: number): Column {
	const [top] = tree;
	const { name } = top;
	if (name === "" || name.includes("/") || name.includes("\0"))
		return refusal(name, typeName(top), "its name is empty or has a slash");
	// A list is a group with a repeated group.
	const isList = tree.length === 3 && tree[1]?.repetition_type === "REPEATED";
	const lists = known ?? (isList ? [0] : []);
	const element = tree[2 * lists.length];
	if (tree.length !== 2 * lists.length + 1 || !element?.type)
		return refusal(name, typeName(top), "nested types are not supported");
	const type = typeName(element);
	const column = { ...NONE, name, type, lists, element };
	if (lists.length === 0 && element.type === "BYTE_ARRAY" && !isDecimal(element)) {
		if (!isText(element)) return { ...column, dtype: "|u1", kind: "bytes" };
		if (length !== undefined) return { ...column, dtype: `<U${length}` };
		return { ...column, dtype: "|u1", kind: "text" };
	}
	if (
		lists.length === 0 &&
		isDecimal(element) &&
		(element.precision ?? 99) > MAX_DIGITS
	)
		return { ...column, dtype: "|u1", kind: "text" };
	const [first, ...inner] = lists;
	const kind: Kind = first === 0 ? "array" : "";
	const shape = [...(kind === "" ? lists : inner)];
	const { dtype, unit } = dtypeOf(element);
	if (dtype === "|u1" && element.type === "FIXED_LEN_BYTE_ARRAY")
		shape.push(element.type_length ?? 0);
	if (product(shape) > MAX_ELEMENTS)
		return refusal(name, type, `more than ${MAX_ELEMENTS} elements in a row`);
	if (dtype === "" || shape.includes(0))
		return refusal(name, type, `type ${type} is not supported`);
	return { ...column, dtype, shape, kind, ...(unit && { unit }) };
}

const NUMBERS: Readonly<Record<string, string>> = {
	...{ bool: "|b1", bool_: "|b1", int8: "|i1", uint8: "|u1", int16: "<i2" },
	...{ uint16: "<u2", int32: "<i4", uint32: "<u4", int64: "<i8", uint64: "<u8" },
	...{ float16: "<f2", float32: "<f4", float64: "<f8" },
};

const IMAGES: Readonly<Record<string, string>> = {
	...{ png: "image/png", jpeg: "image/jpeg", jpg: "image/jpeg" },
};

/** Returns a column as the field of Petastorm's schema that it is. */
function withCodec(column: Column, field: UnischemaField, length?: number): Column {
	const { name, type, element } = column;
	const isBinary = element?.type === "BYTE_ARRAY" && column.kind === "bytes";
	const { codec, dtype, shape } = field;
	const number = NUMBERS[dtype];
	if (/^(Compressed)?NdarrayCodec$/.test(codec) && isBinary) {
		const how = codec === "NdarrayCodec" ? "ndarray" : "npz";
		const isKnown = number && shape.every((one) => one !== null && one > 0);
		const fixed = shape.map((one) => one ?? 0);
		if (isKnown && product(fixed) <= MAX_ELEMENTS)
			return { ...column, kind: "", dtype: number, shape: fixed, codec: how };
		const npy = { ...(number && { dtype: number }), shape };
		return { ...column, kind: "npy", codec: how, npy };
	}
	if (codec === "CompressedImageCodec" && isBinary) {
		const content_type = IMAGES[field.image.toLowerCase()];
		if (content_type) return { ...column, kind: "image", content_type };
		return refusal(name, type, `images of type ${field.image} are not supported`);
	}
	if (codec !== "" && codec !== "ScalarCodec")
		return refusal(name, type, `Petastorm's codec ${codec} is not supported`);
	if (isBinary && /^(str|unicode)_$/.test(dtype)) {
		// Spark wrote text without saying so.
		if (length !== undefined) return { ...column, kind: "", dtype: `<U${length}` };
		return { ...column, kind: "text" };
	}
	const isInteger = /^.[iu]/.test(column.dtype) && !column.unit && column.kind === "";
	return isInteger && number && /^.[iub]/.test(number)
		? { ...column, dtype: number }
		: column;
}

/**
 * Returns the columns of a file by name, without knowing which have null values.
 *
 * @param text characters of columns of text that are stored as of one length
 */
export function columnsOf(
	metadata: FileMetaData,
	text: Readonly<Record<string, number>>,
): Map<string, Column> {
	const lists = listSizes(metadata);
	const found = new Map<string, Column>();
	for (const tree of treesOf(metadata)) {
		const [{ name }] = tree;
		const column = columnOf(tree, lists.get(name), text[name]);
		const twice = refusal(name, column.type, "it is given twice");
		found.set(name, found.has(name) ? twice : column);
	}
	return found;
}

/** Changes columns to the fields of Petastorm's schema that they are. */
export function applySchema(
	columns: Map<string, Column>,
	schema: readonly UnischemaField[],
	text: Readonly<Record<string, number>>,
): void {
	for (const field of schema) {
		const column = columns.get(field.name);
		if (column && !column.refused)
			columns.set(field.name, withCodec(column, field, text[field.name]));
	}
}
