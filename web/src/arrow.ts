/** Entry `bevscope/arrow`: columns as an Apache Arrow table. Needs the npm package `apache-arrow`. */

import {
	Data,
	type DataType,
	DurationMicrosecond,
	DurationMillisecond,
	DurationNanosecond,
	DurationSecond,
	Field,
	FixedSizeBinary,
	FixedSizeList,
	Float32,
	Float64,
	Int8,
	Int16,
	Int32,
	Int64,
	makeData,
	RecordBatch,
	Schema,
	Struct,
	Table,
	TimestampMicrosecond,
	TimestampMillisecond,
	TimestampNanosecond,
	TimestampSecond,
	tableToIPC,
	Uint8,
	Uint16,
	Uint32,
	Uint64,
	Utf8,
} from "apache-arrow";
import type { Column, Columns } from "./arrays/columns.js";
import { BevError } from "./base/errors.js";
import type { TypedArray } from "./core/types.js";

/** Arrow types of numbers, by class name of the typed array. */
const NUMBERS: Readonly<Record<string, () => DataType>> = {
	Int8Array: () => new Int8(),
	Uint8Array: () => new Uint8(),
	Int16Array: () => new Int16(),
	Uint16Array: () => new Uint16(),
	Int32Array: () => new Int32(),
	Uint32Array: () => new Uint32(),
	Float32Array: () => new Float32(),
	Float64Array: () => new Float64(),
	BigInt64Array: () => new Int64(),
	BigUint64Array: () => new Uint64(),
};

/**
 * Arrow types of times, by NumPy code. Units that Arrow lacks (days, for example) stay
 * integers.
 */
const TIMES: Readonly<Record<string, () => DataType>> = {
	"<M8[s]": () => new TimestampSecond(),
	"<M8[ms]": () => new TimestampMillisecond(),
	"<M8[us]": () => new TimestampMicrosecond(),
	"<M8[ns]": () => new TimestampNanosecond(),
	"<m8[s]": () => new DurationSecond(),
	"<m8[ms]": () => new DurationMillisecond(),
	"<m8[us]": () => new DurationMicrosecond(),
	"<m8[ns]": () => new DurationNanosecond(),
};

/**
 * Returns the columns as an Arrow table, without copying. The table's vectors are views
 * of the columns' memory.
 *
 * Numbers and times keep their width; text becomes Utf8, raw bytes FixedSizeBinary. A
 * field with a shape becomes one FixedSizeList per axis, a complex number a list of
 * two. Booleans stay bytes of 0 and 1 (Uint8), because Arrow packs them as bits. Each
 * field's metadata has the NumPy code as `dtype`.
 *
 * Lifetime: the table is valid until `columns.release()`. Serialize it before, for
 * example with `toArrowIPC`, to keep it.
 */
export function toArrow(columns: Columns): Table {
	const fields: Field[] = [];
	const children: Data[] = [];
	for (const name of columns.names) {
		const column = columns.column(name);
		const data = dataOf(columns, name, column);
		fields.push(new Field(name, data.type, false, new Map([["dtype", column.dtype]])));
		children.push(data);
	}
	const type = new Struct(fields);
	const length = columns.length;
	const rows = makeData({ type, length, nullCount: 0, children });
	return new Table(new RecordBatch(new Schema(fields), rows));
}

/**
 * Returns the columns as bytes of Arrow's IPC format, for programs with another Arrow
 * library: DuckDB, pyarrow, Polars, workers. `stream` is for readers of any length,
 * `file` for random access (Feather version 2). Types are those of `toArrow`.
 *
 * Lifetime: the bytes are a copy, and independent of `columns`.
 */
export function toArrowIPC(
	columns: Columns,
	format: "stream" | "file" = "stream",
): Uint8Array<ArrayBuffer> {
	// The writer allocates its own memory, which is never shared.
	return tableToIPC(toArrow(columns), format) as Uint8Array<ArrayBuffer>;
}

function dataOf(columns: Columns, name: string, column: Column): Data {
	const { data, shape, dtype } = column;
	if (dtype === "utf8") {
		const valueOffsets = int32(columns.offsets(name));
		const text = { type: new Utf8(), length: valueOffsets.length - 1, nullCount: 0 };
		const strings = makeData({ ...text, valueOffsets, data: data as Uint8Array });
		return shape.slice(1).reduceRight<Data>(listOf, strings);
	}
	const type = elementType(name, data, dtype);
	const length = data.length / widthOf(type);
	const values: Data = new Data(type, 0, length, 0, [undefined, data]);
	const axes = shape.slice(1);
	if (/^<c/.test(dtype)) axes.push(2);
	return axes.reduceRight(listOf, values);
}

function elementType(name: string, data: TypedArray, dtype: string): DataType {
	const raw = /^\|V(\d+)$/.exec(dtype);
	if (raw) return new FixedSizeBinary(Number(raw[1]));
	const known = TIMES[dtype] ?? NUMBERS[data.constructor.name];
	if (known) return known();
	throw new BevError(
		"internal",
		`column ${name}: unsupported type ${data.constructor.name}`,
	);
}

/** Elements of the typed array per Arrow value. */
function widthOf(type: DataType): number {
	return type instanceof FixedSizeBinary ? type.byteWidth : 1;
}

/** Groups the values into lists of `width`. */
function listOf(child: Data, width: number): Data {
	const type = new FixedSizeList(width, new Field("item", child.type, false));
	const length = width > 0 ? child.length / width : 0;
	return makeData({ type, length, nullCount: 0, child });
}

/** Returns the same memory as signed integers, Arrow's offset type. */
function int32({ buffer, byteOffset, length }: Uint32Array): Int32Array {
	return new Int32Array(buffer, byteOffset, length);
}
