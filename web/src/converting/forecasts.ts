import type { FileMetaData } from "hyparquet";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { BevError, messageOf } from "../base/errors.js";
import { COMPRESSORS } from "./pages.js";
import { requireSupported } from "./parquet.js";
import type { ForecastRows } from "./protocol.js";

/** Columns of a submission to the Argoverse 2 motion forecasting challenge. */
const COLUMNS = [
	"scenario_id",
	"track_id",
	"probability",
	"predicted_trajectory_x",
	"predicted_trajectory_y",
] as const;

/** Bytes of the returned paths. */
const MAX_BYTES = 2 ** 28;
const MAX_STEPS = 1000;

type Row = Readonly<Record<string, unknown>>;

function invalid(column: string, row: number, found: unknown, expected: string): never {
	const value = String(found).slice(0, 40);
	throw new BevError(
		"invalid_metadata",
		`column ${column}: row ${row} is invalid (found ${value}, expected ${expected})`,
	);
}

/** Returns the spans of consecutive rows whose scenario is wanted. */
function spansOf(rows: readonly Row[], wanted: ReadonlySet<string>) {
	const spans: { begin: number; end: number }[] = [];
	rows.forEach(({ scenario_id }, row) => {
		if (!wanted.has(String(scenario_id))) return;
		const last = spans.at(-1);
		if (last?.end === row) last.end = row + 1;
		else spans.push({ begin: row, end: row + 1 });
	});
	return spans;
}

function pathOf(row: Row, index: number): readonly [number[], number[]] {
	const axis = (name: string): number[] => {
		const values = row[name];
		const isPath =
			(Array.isArray(values) || ArrayBuffer.isView(values)) &&
			Array.from(values as ArrayLike<unknown>).every(Number.isFinite);
		if (!isPath) return invalid(name, index, values, "a list of finite numbers");
		return Array.from(values as ArrayLike<number>);
	};
	const [x, y] = [axis("predicted_trajectory_x"), axis("predicted_trajectory_y")];
	if (x.length !== y.length)
		invalid("predicted_trajectory_y", index, `${y.length} steps`, `${x.length}`);
	return [x, y];
}

function probabilityOf({ probability }: Row, index: number): number {
	if (typeof probability === "number" && probability >= 0 && probability <= 1)
		return probability;
	return invalid("probability", index, probability, "0 to 1");
}

function rowsFrom(
	rows: readonly (readonly [index: number, row: Row])[],
	all: number,
): ForecastRows {
	const [first] = rows;
	const steps = first ? pathOf(first[1], first[0])[0].length : 0;
	if (first && (steps < 1 || steps > MAX_STEPS))
		invalid("predicted_trajectory_x", first[0], `${steps} steps`, `1 to ${MAX_STEPS}`);
	const bytes = 16 * steps * rows.length;
	if (bytes > MAX_BYTES) {
		const found = `(found ${bytes} bytes, expected at most ${MAX_BYTES})`;
		throw new BevError("limit_exceeded", `paths of open scenarios: too large ${found}`);
	}
	const paths = new Float64Array(2 * steps * rows.length);
	const probabilities = new Float64Array(rows.length);
	rows.forEach(([index, row], i) => {
		probabilities[i] = probabilityOf(row, index);
		const [x, y] = pathOf(row, index);
		if (x.length !== steps)
			invalid("predicted_trajectory_x", index, `${x.length} steps`, `${steps}`);
		for (let k = 0; k < steps; k += 1)
			paths.set([x[k] ?? 0, y[k] ?? 0], 2 * (steps * i + k));
	});
	return {
		scenarios: rows.map(([, row]) => String(row.scenario_id)),
		tracks: rows.map(([, row]) => String(row.track_id)),
		...{ probabilities, paths, steps, all },
	};
}

function metadataOf(file: ArrayBuffer): FileMetaData {
	const metadata = parquetMetadata(file);
	requireSupported(metadata, COLUMNS);
	const names = metadata.schema.map(({ name }) => name);
	const absent = COLUMNS.filter((name) => !names.includes(name));
	if (absent.length === 0) return metadata;
	throw new BevError(
		"not_found",
		`not forecasts of Argoverse 2: columns not found: ${absent.join(", ")}`,
	);
}

/**
 * Reads the rows of a submission whose scenario is in `scenarios`, in their order.
 *
 * @throws BevError: `corrupt_chunk` if the file is not readable, `not_found` for absent
 *   columns, `invalid_metadata`, naming column and row, for invalid values,
 *   `limit_exceeded` above 256 MiB of paths
 */
export async function forecastRows(
	file: ArrayBuffer,
	scenarios: readonly string[],
): Promise<ForecastRows> {
	try {
		const metadata = metadataOf(file);
		const options = { file, metadata, compressors: COMPRESSORS };
		const ids = await parquetReadObjects({ ...options, columns: ["scenario_id"] });
		const rows: [number, Row][] = [];
		for (const { begin, end } of spansOf(ids, new Set(scenarios))) {
			const span = { rowStart: begin, rowEnd: end, columns: [...COLUMNS] };
			const found = await parquetReadObjects({ ...options, ...span });
			if (found.length !== end - begin) throw new Error("incomplete");
			found.forEach((row, i) => {
				rows.push([begin + i, row]);
			});
		}
		return rowsFrom(rows, ids.length);
	} catch (error) {
		if (error instanceof BevError) throw error;
		const what = `not a readable Parquet file: ${messageOf(error)}`;
		throw new BevError("corrupt_chunk", what, { cause: error });
	}
}
