import { BevError } from "../../base/errors.js";
import type { ScoreFileKind, ScoreTable } from "../../reviewing/remote-scores.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import { startReviewer } from "../review/start-reviewer.js";
import type { ScoreSource } from "./score-source.js";

/** Maximum bytes of a file, as in the core. */
export const MAX_SCORE_BYTES = 2 ** 28;

async function withReviewer<T>(work: (reviewer: Reviewer) => Promise<T>): Promise<T> {
	const reviewer = await startReviewer();
	try {
		return await work(reviewer);
	} finally {
		reviewer.close();
	}
}

/** Returns whether a file may have scores, by its begin: no worker is started for others. */
async function mayBe(file: Blob): Promise<boolean> {
	const head = await file.slice(0, 1024).text();
	return head.startsWith("PAR1") || /^[^\n]*\b(planner_name|scenario_id)\b/.test(head);
}

/** Returns what each of the files has; "" if it has no scores. */
export async function scoreFileKinds(
	files: readonly Blob[],
): Promise<readonly ScoreFileKind[]> {
	const may = await Promise.all(files.map(mayBe));
	if (!may.includes(true)) return files.map(() => "");
	return withReviewer((reviewer) =>
		Promise.all(
			files.map(async (file, i) => (may[i] ? reviewer.scoreFileKind(file) : "")),
		),
	);
}

function sourceOf(table: ScoreTable): ScoreSource {
	const { columns, firstRow, values, isOfFutures, isOfPlanner } = table;
	const { length } = columns;
	const name = table.name === "" ? "unnamed planner" : table.name;
	const places = new Map(table.scenarios.map((id, i) => [id, i]));
	const row = (i: number) => values.subarray(length * i, length * (i + 1));
	return {
		...{ key: `${isOfPlanner ? "planner" : "file"} ${name}`, name, words: name },
		scenarios: places,
		columns: isOfFutures ? [] : columns,
		ofFutures: isOfFutures ? columns : [],
		scenario: async (id) => {
			const place = places.get(id);
			return isOfFutures || place === undefined ? undefined : row(place);
		},
		futures: async (id) => {
			const place = places.get(id);
			if (!isOfFutures || place === undefined) return [];
			const begin = firstRow[place] ?? 0;
			const count = (firstRow[place + 1] ?? begin) - begin;
			return Array.from({ length: count }, (_, k) => row(begin + k));
		},
	};
}

/**
 * Reads files of scores, CSV or Parquet: what `bevscope score` writes, a source each, and
 * tables of nuPlan's metrics, a source for each planner with the metrics of all files.
 *
 * @throws BevError that names file and row
 */
export async function readScoreFiles(
	files: readonly File[],
): Promise<readonly ScoreSource[]> {
	for (const { name, size } of files) {
		if (size > MAX_SCORE_BYTES)
			throw new BevError(
				"limit_exceeded",
				`${name}: too large (expected at most ${MAX_SCORE_BYTES} bytes)`,
			);
	}
	const tables = await withReviewer((reviewer) => reviewer.scoreTables(files));
	return tables.map(sourceOf);
}
