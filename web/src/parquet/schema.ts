import { BevError } from "../base/errors.js";
import { applySchema, type Column, columnsOf } from "./columns.js";
import { type DataFile, fileError } from "./files.js";
import type { FileGroup } from "./row-groups.js";
import type { UnischemaField } from "./unischema.js";

/** The value of a partition key that is null. */
export const NULL_KEY = "__HIVE_DEFAULT_PARTITION__";

/** Characters of columns of text that are stored as of one length. */
export type TextLengths = Readonly<Record<string, number>>;

/** Returns what a column is, to compare those of two files. */
function identity(column: Column | undefined): string {
	if (!column) return "none";
	const { element: _, ...rest } = column;
	return JSON.stringify(rest);
}

function requireSame(
	file: DataFile,
	first: DataFile,
	columns: ReadonlyMap<string, Column>,
	text: TextLengths,
): void {
	const found = columnsOf(file.metadata, text);
	for (const name of new Set([...columns.keys(), ...found.keys()])) {
		const [one, other] = [found.get(name), columns.get(name)];
		if (identity(one) === identity(other)) continue;
		const types = `(found ${one?.type ?? "none"}, expected ${other?.type ?? "none"})`;
		const said = `column ${name}: type differs from that of ${first.key} ${types}`;
		throw fileError(file.key, said, "invalid_metadata");
	}
}

/**
 * Returns the columns of all files, which must be the same, and the partition keys,
 * without knowing which have null values.
 *
 * @param schema Petastorm's, if there is one
 */
export function commonColumns(
	files: readonly DataFile[],
	schema: readonly UnischemaField[],
	text: TextLengths,
): Map<string, Column> {
	const [first] = files;
	if (!first) throw new BevError("not_found", "no Parquet files");
	const columns = columnsOf(first.metadata, text);
	const names = (file: DataFile) => file.partition.map(([name]) => name);
	const expected = names(first);
	for (const file of files) {
		if (file.metadata !== first.metadata) requireSame(file, first, columns, text);
		const keys = names(file);
		const isClear =
			new Set(keys).size === keys.length && !keys.some((key) => columns.has(key));
		if (keys.join("/") === expected.join("/") && isClear) continue;
		const said = `partition keys ${keys.join(", ") || "none"} (expected ${expected.join(", ") || "none"}, and no columns of these names)`;
		throw fileError(file.key, said, "invalid_metadata");
	}
	applySchema(columns, schema, text);
	requireText(columns, text);
	for (const [at, name] of expected.entries()) {
		const values = files.map(({ partition }) => partition[at]?.[1] ?? "");
		columns.set(name, partitionColumn(name, values));
	}
	return columns;
}

function requireText(columns: ReadonlyMap<string, Column>, text: TextLengths): void {
	for (const name of Object.keys(text)) {
		const column = columns.get(name);
		if (!column)
			throw new BevError("not_found", `openParquet: text: no column ${name}`);
		if (column.dtype[1] === "U") continue;
		const said = `openParquet: text: column ${name} is no text (found ${column.type})`;
		throw new BevError("invalid_argument", said);
	}
}

/**
 * Returns a partition key's column: integers if all values are, otherwise text. A null is
 * 0, or empty.
 */
function partitionColumn(name: string, values: readonly string[]): Column {
	const nullable = values.includes(NULL_KEY);
	const shown = values.filter((value) => value !== NULL_KEY);
	const column = { name, type: "partition", shape: [], lists: [], kind: "" } as const;
	const nulls = nullable ? { nullable } : {};
	if (shown.length > 0 && shown.every(isInteger))
		return { ...column, dtype: "<i8", ...nulls };
	const longest = shown.reduce(
		(most, value) => Math.max(most, Array.from(value).length),
		1,
	);
	return { ...column, dtype: `<U${longest}`, ...nulls };
}

function isInteger(text: string): boolean {
	if (!/^-?\d{1,19}$/.test(text)) return false;
	const value = BigInt(text);
	return String(value) === text && BigInt.asIntN(64, value) === value;
}

/** Returns the row groups of a file. */
export function groupsOf(file: DataFile): FileGroup[] {
	return file.groups.map((group, number) => {
		const rows = Number(group.num_rows);
		if (rows >= 0 && rows <= 2 ** 52) return { file, group, number, rows };
		const said = `row group ${number}: invalid number of rows (found ${group.num_rows})`;
		throw fileError(file.key, said);
	});
}

/**
 * Returns how many rows of a column are null in a row group; undefined if the footer does
 * not tell it. Of lists it counts elements: none is null, or it is not known.
 */
export function nullsIn(
	{ group, file }: FileGroup,
	column: Column,
): number | undefined {
	const top = file.metadata.schema.find(({ name }) => name === column.name);
	if (top?.repetition_type === "REQUIRED" && column.lists.length === 0) return 0;
	const chunk = group.columns.find(
		({ meta_data }) => meta_data?.path_in_schema[0] === column.name,
	);
	const count = chunk?.meta_data?.statistics?.null_count;
	const isKnown = count !== undefined && (column.lists.length === 0 || count === 0n);
	return isKnown ? Number(count) : undefined;
}

/** Returns a column as nullable if it may have null values. */
export function withNulls(column: Column, groups: readonly FileGroup[]): Column {
	if (!column.element || column.dtype === "") return column;
	const hasNone = groups.every((one) => one.rows === 0 || nullsIn(one, column) === 0);
	return hasNone ? column : { ...column, nullable: true };
}

/** Returns the value of a partition key of a row group. */
export function keyOf({ file }: FileGroup, { name }: Column): string {
	return file.partition.find(([key]) => key === name)?.[1] ?? "";
}
