import { parquetReadObjects } from "hyparquet";
import { BevError, messageOf } from "../../base/errors.js";
import { COMPRESSORS } from "../../converting/pages.js";
import type { ScoreSource } from "./score-source.js";

/** Limits of a file. */
export const MAX_BYTES = 2 ** 28;
const MAX_ROWS = 2_000_000;
const ID = "scenario_id";
/** Bytes of a Parquet file's end in which its columns are named. */
const FOOTER = 2 ** 16;

/** A row's values by column. */
export type Cells = Readonly<Record<string, unknown>>;

/** Returns the fields of a line of CSV. */
export function fieldsOf(line: string): string[] {
	const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
	return Array.from(fields, ([, quoted, plain]) =>
		quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
	);
}

/** Returns whether columns are of scores, as `bevscope score` writes them. */
function areScoreColumns(names: readonly string[]): boolean {
	return names.includes(ID) && names.includes("ade") && !names.includes("x");
}

/** Returns whether a file contains scores, by its content. */
export async function isScores(file: Blob): Promise<boolean> {
	const head = await file.slice(0, 1024).text();
	if (!head.startsWith("PAR1")) {
		const [line = ""] = head.split(/\r?\n/);
		return areScoreColumns(fieldsOf(line.replace(/^\ufeff/, "")));
	}
	const end = await file.slice(Math.max(0, file.size - FOOTER)).text();
	return [ID, "ade", "evaluated"].every((name) => end.includes(name));
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** What a missing value is: absent, or as programs write NaN. */
const MISSING = /^([+-]?nan)?$/i;

/** Returns a value as number; NaN if there is none. */
export function numberOf(value: unknown, at: () => string): number {
	const text = String(value ?? "");
	if (MISSING.test(text)) return Number.NaN;
	const number = NUMBER.test(text) ? Number(text) : Number.NaN;
	if (Number.isFinite(number)) return number;
	const found = text.slice(0, 40);
	throw new BevError("invalid_metadata", `${at()}: not a number (found ${found})`);
}

/** Returns the rows of CSV. */
export function csvCells(text: string): readonly Cells[] {
	const lines = text.split(/\r?\n/);
	const names = fieldsOf(lines[0]?.replace(/^\ufeff/, "") ?? "");
	return lines.slice(1).flatMap((line, i): Cells[] => {
		if (line === "") return [];
		const fields = fieldsOf(line);
		if (fields.length === names.length)
			return [Object.fromEntries(names.map((name, k) => [name, fields[k]]))];
		throw new BevError(
			"invalid_metadata",
			`line ${i + 2}: wrong number of fields (found ${fields.length}, expected ${names.length})`,
		);
	});
}

async function cellsOf(file: Blob): Promise<readonly Cells[]> {
	const bytes = await file.arrayBuffer();
	const head = new TextDecoder().decode(bytes.slice(0, 4));
	if (head === "PAR1")
		return parquetReadObjects({ file: bytes, compressors: COMPRESSORS });
	return csvCells(new TextDecoder().decode(bytes));
}

/**
 * Reads a file of scores, CSV or Parquet, as `bevscope score` writes it: a row per scenario,
 * or per future with `--by-rollout`.
 *
 * @throws BevError that names file and row
 */
export async function readScores(file: Blob, name: string): Promise<ScoreSource> {
	const wrong = (code: "limit_exceeded" | "invalid_metadata", what: string) =>
		new BevError(code, `${name}: ${what}`);
	if (file.size > MAX_BYTES)
		throw wrong("limit_exceeded", `too large (expected at most ${MAX_BYTES} bytes)`);
	const cells = await cellsOf(file).catch((error: unknown) => {
		throw wrong("invalid_metadata", messageOf(error));
	});
	if (cells.length > MAX_ROWS)
		throw wrong("limit_exceeded", `too many rows (expected at most ${MAX_ROWS})`);
	const columns = Object.keys(cells[0] ?? {}).filter((one) =>
		/^[a-z][a-z_0-9]{0,29}$/.test(one),
	);
	const isOfFutures = columns.includes("rollout");
	const values = columns.filter((one) => one !== ID);
	const rows = new Map<string, number[][]>();
	cells.forEach((row, i) => {
		const id = String(row[ID] ?? "");
		const own = rows.get(id) ?? [];
		if (own.length > 0 && !isOfFutures)
			throw wrong("invalid_metadata", `row ${i}: scenario ${id} is repeated`);
		own.push(
			values.map((one) => numberOf(row[one], () => `${name}: row ${i}, ${one}`)),
		);
		rows.set(id, own);
	});
	return {
		...{ key: `file ${name}`, name, words: name, scenarios: rows },
		columns: isOfFutures ? [] : values,
		ofFutures: isOfFutures ? values : [],
		scenario: async (id) => (isOfFutures ? undefined : rows.get(id)?.[0]),
		futures: async (id) => (isOfFutures ? (rows.get(id) ?? []) : []),
	};
}
