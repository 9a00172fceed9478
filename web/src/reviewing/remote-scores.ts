import { pick } from "../core/core.js";
import type { Port } from "../core/port.js";

/** Bytes at the begin and end of a file that tell what it is. */
const HEAD = 4096;
const TAIL = 2 ** 17;

/** What a file of scores has; "" for other files. */
export type ScoreFileKind = "scenarios" | "planners" | "";

/** Scores of a submission or of a planner: S scenarios, C values per row. */
export interface ScoreTable {
	/** Of the planner, "" for one without; else the file's. */
	readonly name: string;
	readonly isOfPlanner: boolean;
	/** Whether a row is a future, else a scenario. */
	readonly isOfFutures: boolean;
	/** (C) */
	readonly columns: readonly string[];
	/** (S) */
	readonly scenarios: readonly string[];
	/** (S + 1) */
	readonly firstRow: Uint32Array;
	/** All rows; NaN if missing. */
	readonly values: Float64Array;
}

/** Returns what a file has, by the names of its columns. */
export async function scoreFileKind(port: Port, file: Blob): Promise<ScoreFileKind> {
	const bytes = async (part: Blob) => new Uint8Array(await part.arrayBuffer());
	const head = await bytes(file.slice(0, HEAD));
	const tail = await bytes(file.slice(Math.max(0, file.size - TAIL)));
	return (await port.run("score_file", { head, tail })) as ScoreFileKind;
}

/**
 * Reads files of scores: a table for each of a submission, and for each planner.
 *
 * Rejects with a BevError that names file and row.
 */
export async function readScoreTables(
	port: Port,
	files: readonly File[],
): Promise<readonly ScoreTable[]> {
	const scores = await port.run("scores", {});
	try {
		for (const one of files) {
			const file = new Uint8Array(await one.arrayBuffer());
			await port.run("add_score_file", { scores, file, where: one.name });
		}
		const names = await port.run("finish_scores", { scores });
		const tables: ScoreTable[] = [];
		for (const [table, name] of names.entries()) {
			const columns = await port.run("score_columns", { scores, table });
			const scenarios = await port.run("scored_scenarios", { scores, table });
			const arrays = await port.run("score_values", { scores, table });
			tables.push({
				...{ name, columns, scenarios },
				isOfPlanner: arrays.is_of_planner === 1,
				isOfFutures: arrays.is_of_futures === 1,
				firstRow: pick(arrays, "first_row", Uint32Array).slice(),
				values: pick(arrays, "values", Float64Array).slice(),
			});
		}
		return tables;
	} finally {
		port.release(scores);
	}
}
