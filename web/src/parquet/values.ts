import { unzipSync } from "fflate";
import { BevError } from "../base/errors.js";
import { type Column, isDecimal, itemBytes, product } from "./columns.js";

/** Decoded bytes of a column of a row group. */
export const MAX_BYTES = 2 ** 30;

/** The rows of a column in a row group. */
export interface Values {
	/** Of a column of one shape: a row each. Otherwise the elements of all rows. */
	readonly bytes: Uint8Array;
	/** Where the elements of each row begin, and the end; absent in columns of one shape. */
	readonly offsets?: Float64Array;
	/** 1 for rows that are not null; absent if none is. */
	readonly valid?: Uint8Array;
}

/** Values as hyparquet decodes them, without their meaning. */
type Decoded = ArrayLike<unknown>;

function fail(said: string): never {
	throw new BevError("corrupt_chunk", said);
}

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

function isNull(value: unknown): value is null | undefined {
	return value === null || value === undefined;
}

function validityOf(column: Column, rows: Decoded): Uint8Array | undefined {
	let valid: Uint8Array | undefined;
	if (ArrayBuffer.isView(rows)) return valid;
	for (let i = 0; i < rows.length; i += 1) {
		if (!isNull(rows[i])) continue;
		if (!column.nullable) fail("null values, which the footer does not count");
		valid ??= new Uint8Array(rows.length).fill(1);
		valid[i] = 0;
	}
	return valid;
}

/**
 * Returns the elements of lists of one size, one after the other.
 *
 * @param isNullable whether a list may be null, and then has null elements
 */
function flat(rows: Decoded, sizes: readonly number[], isNullable: boolean): Decoded {
	const [size, ...inner] = sizes;
	if (size === undefined) return rows;
	const out: unknown[] = [];
	for (let row = 0; row < rows.length; row += 1) {
		const list = rows[row];
		if (isNull(list) && isNullable) {
			for (let i = 0; i < size; i += 1) out.push(null);
			continue;
		}
		if (!Array.isArray(list)) return fail("null values in a list");
		if (list.length !== size)
			return fail(`a list of ${list.length} elements instead of ${size}`);
		for (const one of list) out.push(one);
	}
	return flat(out, inner, isNullable);
}

/** Returns the signed number of big-endian bytes, or a number as it is. */
function unscaled(value: unknown): bigint {
	if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
	let out = 0n;
	for (const byte of value) out = (out << 8n) | BigInt(byte);
	return BigInt.asIntN(8 * value.length, out);
}

/** Returns numbers as bytes; 0 for those that are null. */
function numbers(column: Column, all: Decoded, isNullable: boolean): Uint8Array {
	const { dtype, element } = column;
	const width =
		element?.type === "FIXED_LEN_BYTE_ARRAY" ? (element.type_length ?? 0) : 0;
	const isBytes = width > 0 && !isDecimal(element);
	const bytes = new Uint8Array(all.length * (isBytes ? width : itemBytes(column)));
	if (!isNullable && !ArrayBuffer.isView(all)) {
		for (let i = 0; i < all.length; i += 1)
			if (isNull(all[i])) fail("null values in a list");
	}
	if (isBytes) {
		for (let i = 0; i < all.length; i += 1)
			if (!isNull(all[i])) bytes.set(all[i] as Uint8Array, i * width);
		return bytes;
	}
	const { buffer } = bytes;
	if (dtype === "<i8" || dtype === "<u8") {
		const out = new (dtype === "<i8" ? BigInt64Array : BigUint64Array)(buffer);
		if (all instanceof BigInt64Array) out.set(all);
		else
			for (let i = 0; i < all.length; i += 1)
				out[i] = isNull(all[i]) ? 0n : BigInt(all[i] as bigint);
		return bytes;
	}
	const out = new ARRAYS[dtype as keyof typeof ARRAYS](buffer);
	if (isDecimal(element)) {
		const scale = 10 ** (element?.scale ?? 0);
		for (let i = 0; i < all.length; i += 1)
			out[i] = isNull(all[i]) ? 0 : Number(unscaled(all[i])) / scale;
	} else if (ArrayBuffer.isView(all) && !(all instanceof BigInt64Array)) {
		out.set(all as unknown as ArrayLike<number>);
	} else {
		for (let i = 0; i < all.length; i += 1)
			out[i] = isNull(all[i]) ? 0 : Number(all[i] as number | bigint);
	}
	requireInside(column, all, out);
	return bytes;
}

/** Throws for integers that Petastorm's type of the column does not have. */
function requireInside(column: Column, all: Decoded, out: ArrayLike<number>): void {
	const { dtype, element } = column;
	const isStored = element?.type === "INT32" && (dtype === "<i4" || dtype === "<u4");
	if (isStored || dtype[1] === "f" || element?.type === "BOOLEAN") return;
	for (let i = 0; i < all.length; i += 1) {
		if (isNull(all[i]) || Number(all[i]) === out[i]) continue;
		// Unsigned numbers are stored as signed ones.
		if (dtype[1] === "u" && Number(all[i]) < 0 && !isNarrow(element)) continue;
		fail(`a value is outside of ${dtype}`);
	}
}

function isNarrow(element: Column["element"]): boolean {
	const { logical_type: logical, converted_type: converted } = element ?? {};
	if (logical?.type === "INTEGER") return logical.isSigned;
	return !converted?.startsWith("UINT_");
}

/** Returns lists of different lengths. */
function listsOf(column: Column, rows: Decoded, valid: Uint8Array | undefined): Values {
	const offsets = new Float64Array(rows.length + 1);
	const all: unknown[] = [];
	for (let row = 0; row < rows.length; row += 1) {
		const list = rows[row];
		if (Array.isArray(list)) for (const one of list) all.push(one);
		else if (!isNull(list)) fail("a row that is no list");
		offsets[row + 1] = all.length;
	}
	const bytes = numbers(column, flat(all, column.lists.slice(1), false), false);
	return { bytes, offsets, ...(valid && { valid }) };
}

function joined(parts: readonly Uint8Array[], valid: Uint8Array | undefined): Values {
	const offsets = new Float64Array(parts.length + 1);
	for (const [i, part] of parts.entries())
		offsets[i + 1] = (offsets[i] ?? 0) + part.length;
	const size = offsets.at(-1) ?? 0;
	if (size > MAX_BYTES)
		throw new BevError("limit_exceeded", `too large (limit ${MAX_BYTES} bytes)`);
	const bytes = new Uint8Array(size);
	for (const [i, part] of parts.entries()) bytes.set(part, offsets[i]);
	return { bytes, offsets, ...(valid && { valid }) };
}

/** Returns a decimal as text. */
function decimalText(value: unknown, scale: number): string {
	const number = unscaled(value);
	const digits = String(number < 0n ? -number : number).padStart(scale + 1, "0");
	const cut = digits.length - scale;
	const text = scale > 0 ? `${digits.slice(0, cut)}.${digits.slice(cut)}` : digits;
	return number < 0n ? `-${text}` : text;
}

/** Returns the array in an .npz, in NumPy's format. */
function inflated(row: Uint8Array): Uint8Array {
	let size = 0;
	const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
		size += originalSize;
		if (size > MAX_BYTES)
			throw new BevError(
				"limit_exceeded",
				`an array is too large (limit ${MAX_BYTES} bytes)`,
			);
		return name === "arr.npy";
	};
	try {
		return (
			unzipSync(row, { filter })["arr.npy"] ?? fail("a row is not an .npz of one array")
		);
	} catch (error) {
		if (error instanceof BevError) throw error;
		return fail(`a row is not an .npz of one array (${(error as Error).message})`);
	}
}

/** Returns the length of the header of an array in NumPy's format, which must be as expected. */
function headerOf(part: Uint8Array, { dtype, shape }: Column): number {
	const isNumpy =
		part[0] === 0x93 && new TextDecoder().decode(part.subarray(1, 6)) === "NUMPY";
	const version = part[6] ?? 0;
	if (!isNumpy || version < 1 || version > 2)
		return fail("a row is no array of NumPy's");
	const view = new DataView(part.buffer, part.byteOffset, part.length);
	const [begin, length] =
		version === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
	const header = new TextDecoder().decode(part.subarray(begin, begin + length));
	const [, descr] = /'descr': '([^']*)'/.exec(header) ?? [];
	const [, order] = /'fortran_order': (\w+)/.exec(header) ?? [];
	const [, lengths] = /'shape': \(([^)]*)\)/.exec(header) ?? [];
	const found = (lengths ?? "")
		.split(",")
		.filter((one) => one.trim() !== "")
		.map(Number);
	const isOther = descr !== dtype || found.join() !== shape.join();
	if (isOther || (order !== "False" && shape.length > 1))
		return fail(`an array of ${descr} [${found}] instead of ${dtype} [${shape}]`);
	return begin + length;
}

function arraysOf(
	column: Column,
	parts: readonly Uint8Array[],
	valid?: Uint8Array,
): Values {
	const size = itemBytes(column) * product(column.shape);
	const bytes = new Uint8Array(size * parts.length);
	for (const [i, part] of parts.entries()) {
		if (valid?.[i] === 0) continue;
		const body = part.subarray(headerOf(part, column));
		if (body.length !== size)
			fail(`an array has ${body.length} bytes instead of ${size}`);
		bytes.set(body, i * size);
	}
	return { bytes, ...(valid && { valid }) };
}

/** Returns texts of up to a number of characters, as NumPy has them. */
function textsOf(
	column: Column,
	parts: readonly Uint8Array[],
	valid?: Uint8Array,
): Values {
	const most = itemBytes(column) / 4;
	const points = new Uint32Array(most * parts.length);
	const decoder = new TextDecoder("utf-8", { fatal: true });
	for (const [i, part] of parts.entries()) {
		const text = Array.from(decoder.decode(part), (one) => one.codePointAt(0) ?? 0);
		if (text.length > most)
			fail(
				`a text is too long (found ${text.length} characters, expected at most ${most})`,
			);
		points.set(text, i * most);
	}
	return { bytes: new Uint8Array(points.buffer), ...(valid && { valid }) };
}

/** Returns the decoded rows of a column. Throws BevError for rows that are not as expected. */
export function valuesOf(column: Column, rows: Decoded): Values {
	const valid = validityOf(column, rows);
	if (column.kind === "array") return listsOf(column, rows, valid);
	const isText = column.dtype[1] === "U";
	if (column.kind === "" && !column.codec && !isText) {
		const all = flat(rows, column.lists, valid !== undefined);
		return {
			bytes: numbers(column, all, valid !== undefined),
			...(valid && { valid }),
		};
	}
	const { element, codec } = column;
	const empty = new Uint8Array();
	const parts = Array.from(rows, (row): Uint8Array => {
		if (isNull(row)) return empty;
		if (isDecimal(element))
			return new TextEncoder().encode(decimalText(row, element?.scale ?? 0));
		return codec === "npz" ? inflated(row as Uint8Array) : (row as Uint8Array);
	});
	if (isText) return textsOf(column, parts, valid);
	return column.kind === "" ? arraysOf(column, parts, valid) : joined(parts, valid);
}
