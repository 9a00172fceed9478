import type { FileMetaData, SchemaElement } from "hyparquet";
import { BevError } from "../base/errors.js";
import { fixedSizeLists, type ListSizes } from "./arrow-schema.js";

/** Decimals of up to this many digits are float64, which keeps them. */
const MAX_DIGITS = 15;

/** Elements of a row. */
const MAX_ELEMENTS = 2 ** 24;

/** A column that a table has as a field, or the reason why it has not. */
export interface Column {
	readonly name: string;
	/** The file's type, as text; "partition" for a partition key. */
	readonly type: string;
	/** zarr's code of an element; "" for columns that are no fields. */
	readonly dtype: string;
	readonly shape: readonly number[];
	/** Unit of dates and times: "D", "ms", "us", "ns". */
	readonly unit?: string;
	/** Why it is no field. */
	readonly refused?: string;
	/** Lengths of the lists that rows consist of. */
	readonly lists: ListSizes;
	/** The element of its values; undefined for a partition key. */
	readonly element?: SchemaElement;
}

export function elementBytes({ dtype }: Column): number {
	return Number(dtype.slice(2));
}

export function elementsOf({ shape }: Column): number {
	return shape.reduce((product, length) => product * length, 1);
}

export function rowBytes(column: Column): number {
	return elementBytes(column) * elementsOf(column);
}

const UNITS = { MILLIS: "ms", MICROS: "us", NANOS: "ns" } as const;

/** Returns dtype and unit of elements of one length; `dtype` is "" for others. */
function dtypeOf(element: SchemaElement): { dtype: string; unit?: string } {
	const { type, logical_type: logical, converted_type: converted } = element;
	if (type === "BOOLEAN") return { dtype: "|b1" };
	if (type === "FLOAT") return { dtype: "<f4" };
	if (type === "DOUBLE") return { dtype: "<f8" };
	if (type === "INT96") return { dtype: "<i8", unit: "ns" };
	if (logical?.type === "FLOAT16") return { dtype: "<f2" };
	if (logical?.type === "DECIMAL" || converted === "DECIMAL") {
		const digits = element.precision ?? 99;
		return { dtype: digits <= MAX_DIGITS && type !== "BYTE_ARRAY" ? "<f8" : "" };
	}
	if (type === "FIXED_LEN_BYTE_ARRAY") return { dtype: "|u1" };
	if (type !== "INT32" && type !== "INT64") return { dtype: "" };
	const size = type === "INT32" ? 4 : 8;
	if (logical?.type === "INTEGER") {
		const bytes = logical.bitWidth / 8;
		return {
			dtype: `${bytes === 1 ? "|" : "<"}${logical.isSigned ? "i" : "u"}${bytes}`,
		};
	}
	const integer = /^(U?)INT_(\d+)$/.exec(converted ?? "");
	if (integer) {
		const bytes = Number(integer[2]) / 8;
		return { dtype: `${bytes === 1 ? "|" : "<"}${integer[1] ? "u" : "i"}${bytes}` };
	}
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
	let at = 1;
	const end = (from: number): number => {
		let next = from + 1;
		for (let i = 0; i < (schema[from]?.num_children ?? 0); i += 1) {
			if (next >= schema.length) break;
			next = end(next);
		}
		return next;
	};
	while (at < schema.length) {
		const next = end(at);
		trees.push(schema.slice(at, next) as unknown as Tree);
		at = next;
	}
	return trees;
}

function columnOf(tree: Tree, lists: ListSizes): Column {
	const [top] = tree;
	const { name } = top;
	const none = { name, type: typeName(top), dtype: "", shape: [], lists: [] };
	const refused = (why: string): Column => ({ ...none, refused: why });
	if (name === "" || name.includes("/") || name.includes("\0"))
		return refused("its name is empty or has a slash");
	// A list is a group in a group.
	const element = tree[2 * lists.length];
	const isFlat = tree.length === 2 * lists.length + 1 && element?.type !== undefined;
	if (!isFlat || !element) return refused("nested types are not supported");
	const shape = [...lists];
	const { dtype, unit } = dtypeOf(element);
	if (dtype === "|u1" && element.type === "FIXED_LEN_BYTE_ARRAY")
		shape.push(element.type_length ?? 0);
	const column = { ...none, type: typeName(element), dtype, shape, lists, element };
	if (elementsOf(column) > MAX_ELEMENTS)
		return refused(`more than ${MAX_ELEMENTS} elements in a row`);
	if (dtype === "" || shape.includes(0))
		return refused(`type ${typeName(element)} is not supported`);
	return unit === undefined ? column : { ...column, unit };
}

/** Returns the columns of a file by name. */
export function columnsOf(metadata: FileMetaData): Map<string, Column> {
	const lists = fixedSizeLists(metadata);
	const found = new Map<string, Column>();
	for (const tree of treesOf(metadata)) {
		const column = columnOf(tree, lists.get(tree[0].name) ?? []);
		const { name, type } = column;
		const twice = {
			name,
			type,
			dtype: "",
			shape: [],
			lists: [],
			refused: "it is given twice",
		};
		found.set(name, found.has(name) ? twice : column);
	}
	return found;
}

/** Numbers as decoded, without meaning. */
export type Values = ArrayLike<unknown>;

const ARRAYS = {
	"|b1": Uint8Array,
	"|i1": Int8Array,
	"|u1": Uint8Array,
	"<i2": Int16Array,
	"<u2": Uint16Array,
	"<i4": Int32Array,
	"<u4": Uint32Array,
	"<f4": Float32Array,
	"<f8": Float64Array,
} as const;

function nulls(): never {
	throw new BevError("corrupt_chunk", "null values");
}

function flat(values: Values, [size, ...inner]: ListSizes): Values {
	if (size === undefined) return values;
	const out: unknown[] = [];
	for (let row = 0; row < values.length; row += 1) {
		const list = values[row];
		if (!Array.isArray(list)) return nulls();
		if (list.length !== size) {
			const said = `list of ${list.length} elements, expected ${size}`;
			throw new BevError("corrupt_chunk", said);
		}
		for (const one of list) out.push(one);
	}
	return flat(out, inner);
}

/** Returns the signed number of big-endian bytes, or a number as it is. */
function unscaled(value: unknown): number {
	if (!(value instanceof Uint8Array)) return Number(value);
	let out = 0n;
	for (const byte of value) out = (out << 8n) | BigInt(byte);
	return Number(BigInt.asIntN(8 * value.length, out));
}

/**
 * Writes rows to the bytes of a chunk.
 *
 * @param values of whole rows, as the file stores them
 * @param at the first element in the chunk
 */
export function putValues(
	column: Column,
	values: Values,
	chunk: Uint8Array<ArrayBuffer>,
	at: number,
): void {
	const { dtype, element } = column;
	const all = flat(values, column.lists);
	for (let i = 0; i < all.length; i += 1) {
		if (all[i] === null || all[i] === undefined) nulls();
	}
	const { buffer } = chunk;
	if (element?.type === "FIXED_LEN_BYTE_ARRAY" && dtype !== "<f8") {
		const size = element.type_length ?? 0;
		for (let i = 0; i < all.length; i += 1)
			chunk.set(all[i] as Uint8Array, at * elementBytes(column) + i * size);
		return;
	}
	if (dtype === "<i8" || dtype === "<u8") {
		const out = new (dtype === "<i8" ? BigInt64Array : BigUint64Array)(buffer);
		if (all instanceof BigInt64Array) out.set(all, at);
		else for (let i = 0; i < all.length; i += 1) out[at + i] = BigInt(all[i] as bigint);
		return;
	}
	const out = new ARRAYS[dtype as keyof typeof ARRAYS](buffer);
	const scale = isDecimal(element) ? 10 ** (element?.scale ?? 0) : 1;
	if (scale !== 1 || isDecimal(element)) {
		for (let i = 0; i < all.length; i += 1) out[at + i] = unscaled(all[i]) / scale;
	} else if (ArrayBuffer.isView(all)) out.set(all as unknown as ArrayLike<number>, at);
	else for (let i = 0; i < all.length; i += 1) out[at + i] = Number(all[i]);
}

export function isDecimal(element: SchemaElement | undefined): boolean {
	return (
		element?.logical_type?.type === "DECIMAL" || element?.converted_type === "DECIMAL"
	);
}
