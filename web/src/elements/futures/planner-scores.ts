import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { BevError, messageOf } from "../../base/errors.js";
import { COMPRESSORS } from "../../converting/pages.js";
import type { ScoreSource } from "./score-source.js";
import { type Cells, csvCells, fieldsOf, MAX_BYTES, numberOf } from "./scores-file.js";

/** Columns that all tables of nuPlan's metrics have, and one that each kind has. */
const COMMON = ["planner_name", "scenario_type", "log_name"];
const KINDS = ["metric_score", "aggregator_type"];
/** Columns of ids, by the kind of table. */
const IDS = ["scenario_id", "scenario_name", "scenario"];
/** Columns of text, and of whole series. */
const TEXTS =
	/^(planner_name|scenario_type|log_name|scenario_id|scenario_name|scenario|aggregator_type|num_scenarios|metric_computator|metric_statistics_name|metric_category|metric_score_unit|time_series_.*|.*_stat_(type|unit))$/;
/** Bytes of a Parquet file's end in which its columns are named. */
const FOOTER = 2 ** 17;
const MAX_SCENARIOS = 1_000_000;

/** The values of a planner in a file. */
interface PlannerTable {
	readonly planner: string;
	readonly columns: readonly string[];
	readonly rows: ReadonlyMap<string, readonly number[]>;
}

async function isParquet(file: Blob): Promise<boolean> {
	return (await file.slice(0, 4).text()) === "PAR1";
}

/**
 * Returns whether a file has scores of planners, by its content: a table of nuPlan's
 * metrics, or what `bevscope score` writes of simulations.
 */
export async function isPlannerScores(file: Blob): Promise<boolean> {
	if (await isParquet(file)) {
		const end = await file.slice(Math.max(0, file.size - FOOTER)).text();
		return (
			COMMON.every((name) => end.includes(name)) &&
			KINDS.some((name) => end.includes(name))
		);
	}
	const [line = ""] = (await file.slice(0, 1024).text()).split(/\r?\n/);
	const names = fieldsOf(line);
	return names[0] === "planner_name" && names.includes("scenario_id");
}

async function cellsOf(file: Blob): Promise<readonly Cells[]> {
	if (!(await isParquet(file))) return csvCells(await file.text());
	const bytes = await file.arrayBuffer();
	const metadata = parquetMetadata(bytes);
	const columns = parquetSchema(metadata)
		.children.map(({ element }) => element.name)
		.filter((name) => !name.startsWith("time_series_"));
	return parquetReadObjects({
		...{ file: bytes, metadata, columns, compressors: COMPRESSORS },
	});
}

/** Returns a value's column: of a metric's score, the metric. */
function columnOf(name: string, metric: string | undefined): string | undefined {
	if (name === "metric_score") return metric ?? name;
	const [, statistic] = /^(.+)_stat_value$/.exec(name) ?? [];
	// A metric that is a statistic, too, has its score already.
	if (statistic !== undefined) return statistic === metric ? undefined : statistic;
	return TEXTS.test(name) ? undefined : name;
}

/** Divides a table by its planners. Rows of types and of all scenarios are left out. */
function tablesOf(cells: readonly Cells[], file: string): PlannerTable[] {
	const names = Object.keys(cells[0] ?? {});
	const id = IDS.find((name) => names.includes(name));
	const metric = cells[0]?.metric_statistics_name;
	const known = typeof metric === "string" ? metric : undefined;
	const columns = names.flatMap((name): (readonly [string, string])[] => {
		const column = columnOf(name, known);
		return column === undefined ? [] : [[name, column]];
	});
	const tables = new Map<string, Map<string, number[]>>();
	cells.forEach((row, i) => {
		if (id === undefined) return;
		const isGroup = "aggregator_type" in row && (row.log_name ?? null) === null;
		if (isGroup) return;
		const planner = String(row.planner_name ?? "");
		const rows = tables.get(planner) ?? new Map<string, number[]>();
		tables.set(planner, rows);
		const scenario = String(row[id] ?? "");
		if (rows.has(scenario))
			throw new BevError(
				"invalid_metadata",
				`${file}: row ${i}: scenario ${scenario} of ${planner} is repeated`,
			);
		rows.set(
			scenario,
			columns.map(([name]) => {
				const value = row[name];
				if (typeof value === "boolean") return Number(value);
				return numberOf(value, () => `${file}: row ${i}, ${name}`);
			}),
		);
	});
	return Array.from(tables, ([planner, rows]) => {
		return { planner, columns: columns.map(([, column]) => column), rows };
	});
}

/** Returns the values that all tables of a planner have, by scenario. */
function sourceOf(planner: string, tables: readonly PlannerTable[]): ScoreSource {
	const columns = [...new Set(tables.flatMap((one) => one.columns))];
	const rows = new Map<string, number[]>();
	for (const table of tables) {
		const places = table.columns.map((name) => columns.indexOf(name));
		for (const [id, values] of table.rows) {
			const own = rows.get(id) ?? columns.map(() => Number.NaN);
			rows.set(id, own);
			places.forEach((place, i) => {
				const [before, value] = [own[place] ?? Number.NaN, values[i] ?? Number.NaN];
				// Those of a metric and of the aggregator are equal, of two challenges not.
				if (before !== value && !Number.isNaN(before) && !Number.isNaN(value))
					throw new BevError(
						"invalid_argument",
						`${columns[place]} of ${planner} in scenario ${id} differs between files (found ${before} and ${value}); open one challenge at a time`,
					);
				own[place] = Number.isNaN(value) ? before : value;
			});
		}
	}
	const name = planner === "" ? "unnamed planner" : planner;
	return {
		...{ key: `planner ${name}`, name, words: name, scenarios: rows, columns },
		ofFutures: [],
		scenario: async (id) => rows.get(id),
		futures: async () => [],
	};
}

/**
 * Reads scores of planners: one source for each, with the metrics of all files.
 *
 * @throws BevError that names file and row
 */
export async function readPlannerScores(
	files: readonly File[],
): Promise<readonly ScoreSource[]> {
	const tables: PlannerTable[] = [];
	for (const file of files) {
		const wrong = (code: "limit_exceeded" | "invalid_metadata", what: string) =>
			new BevError(code, `${file.name}: ${what}`);
		if (file.size > MAX_BYTES)
			throw wrong("limit_exceeded", `too large (expected at most ${MAX_BYTES} bytes)`);
		const cells = await cellsOf(file).catch((error: unknown) => {
			throw wrong("invalid_metadata", messageOf(error));
		});
		if (cells.length > MAX_SCENARIOS)
			throw wrong(
				"limit_exceeded",
				`too many rows (expected at most ${MAX_SCENARIOS})`,
			);
		for (const table of tablesOf(cells, file.name)) tables.push(table);
	}
	const planners = [...new Set(tables.map(({ planner }) => planner))];
	return planners.map((planner) =>
		sourceOf(
			planner,
			tables.filter((one) => one.planner === planner),
		),
	);
}
