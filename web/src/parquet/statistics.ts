import type { Statistics } from "hyparquet";
import { type Column, isDecimal } from "./columns.js";
import type { Layout } from "./layout.js";
import type { FileGroup } from "./row-groups.js";
import { rowBytesOf, type StoredArray } from "./stored-arrays.js";

/** Entries of chunks in the file, whose size is limited; columns beyond it have none. */
const MAX_ENTRIES = 400_000;

const MAX_TEXTS = 8;
const MAX_TEXT_BYTES = 64;

interface Limits {
	readonly min: number | bigint;
	readonly max: number | bigint;
}

/** What is known of a row group: limits, or the text of a partition key. */
export type Known = Limits | string | undefined;

/**
 * Returns the contents of .bevscope/statistics.json.
 *
 * @param known arrays of rows, and functions that return what is known of a row group
 */
export function statisticsOf(
	layout: Layout,
	known: Iterable<readonly [array: StoredArray, of: (group: number) => Known]>,
): string {
	const arrays: Record<string, unknown> = {};
	let entries = 0;
	for (const [array, of] of known) {
		if (entries + layout.chunks > MAX_ENTRIES) break;
		const chunks = chunksOf(layout, array, of);
		if (chunks.length === 0) continue;
		entries += layout.chunks;
		const { rows: length, chunkRows: chunk_rows } = layout;
		const fields = [["", 1]];
		arrays[array.path] = { length, chunk_rows, dtype: array.dtype, fields, chunks };
	}
	return JSON.stringify({ version: 1, arrays });
}

function chunksOf(
	layout: Layout,
	array: StoredArray,
	of: (group: number) => Known,
): object[] {
	const found: object[] = [];
	const size = layout.chunkRows * rowBytesOf(array);
	for (let chunk = 0; chunk < layout.chunks; chunk += 1) {
		const all = Array.from(layout.parts(chunk), ({ group }) => of(group));
		const limits = array.dtype[1] === "U" ? textsOf(all) : rangeOf(all, array);
		if (!limits) continue;
		found.push({ chunk, size, checksum: 0, validator: "", limits: [limits] });
	}
	return found;
}

function textsOf(all: readonly Known[]): string[] | undefined {
	const encoder = new TextEncoder();
	if (all.some((one) => typeof one !== "string")) return undefined;
	const texts = [...new Set(all.map(String))];
	const isShort = texts.every((text) => encoder.encode(text).length <= MAX_TEXT_BYTES);
	if (!isShort || texts.length > MAX_TEXTS) return undefined;
	// In the order of their UTF-8, which is that of code points.
	const points = (text: string) => Array.from(text, (one) => one.codePointAt(0) ?? 0);
	return texts.sort((a, b) => {
		const [left, right] = [points(a), points(b)];
		const at = left.findIndex((point, i) => point !== right[i]);
		return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
	});
}

function rangeOf(all: readonly Known[], { dtype }: StoredArray): unknown[] | undefined {
	let range: Limits | undefined;
	for (const one of all) {
		if (one === undefined || typeof one === "string") return undefined;
		const { min, max } = range ?? one;
		range = { min: lesser(one.min, min), max: greater(one.max, max) };
	}
	// Writers do not count NaN, so that each chunk may have some.
	return range && [[plain(range.min), plain(range.max), dtype[1] === "f" ? 1 : 0]];
}

type Num = number | bigint;

const lesser = (a: Num, b: Num): Num => (a < b ? a : b);
const greater = (a: Num, b: Num): Num => (a > b ? a : b);

/** Returns a number as JSON has it: text beyond 2^53, and for infinities. */
function plain(value: number | bigint): number | string {
	if (typeof value === "bigint") {
		return value > 2n ** 53n || value < -(2n ** 53n) ? String(value) : Number(value);
	}
	if (Number.isFinite(value)) return value;
	return value > 0 ? "inf" : "-inf";
}

/**
 * Returns the limits of a column's values in a row group, as its array has them;
 * undefined if the footer does not tell them, or something that cannot be.
 */
export function limitsIn(column: Column, { group }: FileGroup): Limits | undefined {
	if (column.shape.length > 0 || !column.element) return undefined;
	const chunk = group.columns.find(
		(one) => one.meta_data?.path_in_schema[0] === column.name,
	);
	const found = chunk?.meta_data?.statistics;
	if (!found) return undefined;
	const [low, high] = [number(found, "min", column), number(found, "max", column)];
	if (low === undefined || high === undefined || !(low <= high)) return undefined;
	return { min: low, max: high };
}

function number(
	found: Statistics,
	name: "min" | "max",
	{ dtype, element }: Column,
): number | bigint | undefined {
	// The former members are of signed numbers only.
	const value = found[`${name}_value`] ?? (dtype[1] === "u" ? undefined : found[name]);
	if (typeof value === "boolean") return Number(value);
	if (typeof value === "bigint") return value;
	if (typeof value !== "number" || Number.isNaN(value)) return undefined;
	if (!isDecimal(element)) return value + 0; // -0 is not below 0, for some writers
	const scale = 10 ** (element?.scale ?? 0);
	return Math.round(value * scale) / scale;
}
