import type { DecodedArray, FileMetaData, SchemaElement } from "hyparquet";
import { parquetMetadata, parquetRead } from "hyparquet";
import { BevError, messageOf } from "../base/errors.js";
import type { Given } from "../core/core.js";
import { COMPRESSORS } from "./pages.js";

const CODECS = ["UNCOMPRESSED", ...Object.keys(COMPRESSORS)];

/** Rows of a scenario: 110 frames of 9,000 tracks. */
const MAX_ROWS = 1_000_000;

/** A decoded column; of text, row i is the bytes from integer i to i + 1. */
export type Column = Omit<Given<"add_column">, "converter">;

type Kind = "number" | "integer" | "text";

function kindOf({
	type,
	converted_type,
	logical_type,
}: SchemaElement): Kind | undefined {
	const logical = logical_type?.type ?? converted_type ?? "";
	if (type === "DOUBLE" || type === "FLOAT")
		return logical === "" ? "number" : undefined;
	if (type === "INT32" || type === "INT64")
		return /^(|U?INT_\d+|INTEGER)$/.test(logical) ? "integer" : undefined;
	if (type === "BYTE_ARRAY" && /^(UTF8|STRING)$/.test(logical)) return "text";
	return undefined;
}

function typeName({ type, converted_type, logical_type }: SchemaElement): string {
	const logical = logical_type?.type ?? converted_type;
	return [type ?? "group", logical].filter(Boolean).join(" ");
}

/** Returns the file's columns of these names, without nested ones. */
function elementsOf(
	{ schema }: FileMetaData,
	names: readonly string[],
): Map<string, SchemaElement> {
	const out = new Map<string, SchemaElement>();
	// The tree is flattened depth first; the root is the first element.
	let inner = 0;
	for (const element of schema.slice(1)) {
		if (inner === 0 && names.includes(element.name)) out.set(element.name, element);
		inner = Math.max(0, inner - 1) + (element.num_children ?? 0);
	}
	return out;
}

/** Throws for too many rows, and for codecs of the wanted columns. */
export function requireSupported(
	metadata: FileMetaData,
	wanted: readonly string[],
): void {
	const rows = metadata.num_rows;
	if (rows < 0n || rows > BigInt(MAX_ROWS)) {
		throw new BevError(
			"limit_exceeded",
			`too many rows (found ${rows}, expected at most ${MAX_ROWS})`,
		);
	}
	for (const { columns } of metadata.row_groups) {
		for (const { meta_data } of columns) {
			const name = meta_data?.path_in_schema[0] ?? "";
			if (!meta_data || !wanted.includes(name) || CODECS.includes(meta_data.codec))
				continue;
			throw new BevError(
				"unsupported",
				`column ${name}: unsupported codec (found ${meta_data.codec}, expected ${CODECS.join(", ")})`,
			);
		}
	}
}

function isNull(value: unknown): boolean {
	return value === null || value === undefined;
}

function integersOf(name: string, values: ArrayLike<unknown>): BigInt64Array {
	const out = new BigInt64Array(values.length);
	for (let row = 0; row < values.length; row += 1) {
		const value = BigInt(values[row] as bigint | number);
		if (BigInt.asIntN(64, value) !== value) {
			throw new BevError(
				"invalid_metadata",
				`column ${name}: not a 64-bit signed integer in row ${row} (found ${value})`,
			);
		}
		out[row] = value;
	}
	return out;
}

function textColumn(name: string, values: ArrayLike<unknown>): Column {
	const encoder = new TextEncoder();
	const known = new Map<string, Uint8Array>();
	const parts: Uint8Array[] = [];
	const offsets = new BigInt64Array(values.length + 1);
	let size = 0;
	for (let row = 0; row < values.length; row += 1) {
		const value = String(values[row]);
		const bytes = known.get(value) ?? encoder.encode(value);
		known.set(value, bytes);
		parts.push(bytes);
		size += bytes.length;
		offsets[row + 1] = BigInt(size);
	}
	const text = new Uint8Array(size);
	let at = 0;
	for (const part of parts) {
		text.set(part, at);
		at += part.length;
	}
	return { name, integers: offsets, text };
}

function columnOf(name: string, kind: Kind, values: ArrayLike<unknown>): Column {
	if (kind === "text") return textColumn(name, values);
	if (kind === "integer") return { name, integers: integersOf(name, values) };
	return { name, numbers: Float64Array.from(values as ArrayLike<number>) };
}

/** The values of a column, in the order of its parts. */
function joined(parts: readonly DecodedArray[]): ArrayLike<unknown> {
	const [only, ...more] = parts;
	return only && more.length === 0 ? only : parts.flatMap((part) => Array.from(part));
}

async function decode(
	file: ArrayBuffer,
	names: readonly string[],
): Promise<{ metadata: FileMetaData; parts: Map<string, DecodedArray[]> }> {
	const metadata = parquetMetadata(file);
	requireSupported(metadata, names);
	const columns = [...elementsOf(metadata, names).keys()];
	const parts = new Map<string, DecodedArray[]>(columns.map((name) => [name, []]));
	if (columns.length > 0) {
		await parquetRead({
			file,
			metadata,
			columns,
			compressors: COMPRESSORS,
			onChunk: ({ columnName, columnData }) => parts.get(columnName)?.push(columnData),
		});
	}
	return { metadata, parts };
}

/**
 * Decodes columns of a Parquet file; absent ones are left out, and those in `optional`
 * also if they contain null values.
 *
 * @throws BevError: `corrupt_chunk` if the file is not readable, `invalid_metadata`,
 *   naming column and row, for null values and unsupported types, `unsupported` for a
 *   codec, `limit_exceeded` above 1,000,000 rows
 */
export async function parquetColumns(
	file: ArrayBuffer,
	required: readonly string[],
	optional: readonly string[],
): Promise<Column[]> {
	const names = [...required, ...optional];
	const { metadata, parts } = await decode(file, names).catch((error: unknown) => {
		if (error instanceof BevError) throw error;
		const what = `not a readable Parquet file: ${messageOf(error)}`;
		throw new BevError("corrupt_chunk", what, { cause: error });
	});
	const out: Column[] = [];
	for (const [name, element] of elementsOf(metadata, names)) {
		const values = joined(parts.get(name) ?? []);
		if (values.length !== Number(metadata.num_rows)) {
			const found = `(found ${values.length} rows, expected ${metadata.num_rows})`;
			throw new BevError("corrupt_chunk", `column ${name}: incomplete ${found}`);
		}
		const kind = kindOf(element);
		const empty = Array.prototype.findIndex.call(values, isNull);
		if (optional.includes(name) && (empty >= 0 || !kind)) continue;
		if (empty >= 0) {
			throw new BevError(
				"invalid_metadata",
				`column ${name}: null value in row ${empty}`,
			);
		}
		if (!kind) {
			throw new BevError(
				"invalid_metadata",
				`column ${name}: unsupported type ${typeName(element)}`,
			);
		}
		out.push(columnOf(name, kind, values));
	}
	return out;
}
