import type { DistributionRows } from "../../reviewing/remote-distribution.js";
import type {
	FuturesMeasure,
	FuturesPick,
	FuturesState,
} from "../futures/futures-state.js";
import type { ScoreSource } from "../futures/score-source.js";
import type { ItemValue } from "../gallery/gallery-state.js";
import type { ViewerController } from "../session/controller.js";
import type { ColumnInfo } from "./columns.js";

/** A row of scores. */
export interface ScoreRow {
	readonly rows: DistributionRows;
	readonly columns: readonly ColumnInfo[];
	readonly i: number;
}

function numberOf({ rows, columns, i }: ScoreRow, name: string): number | undefined {
	const at = columns.findIndex((one) => one.name === name);
	return at < 0 ? undefined : rows.values[at * rows.rows.length + i];
}

/** Returns the names of what is ranked: A and B, if there are two. */
export function scoredNames(scored: readonly ScoreSource[]): readonly string[] {
	if (scored.length < 2) return scored.map(({ words }) => words);
	return scored.map(({ words }, i) => `${"AB"[i]}: ${words}`);
}

/** Returns the number of a row's future; with A or B if there are two submissions. */
export function futureWords(row: ScoreRow): string {
	const number = String(numberOf(row, "rollout") ?? "\u2013");
	const { shown } = row.columns.find((one) => one.name === "submission") ?? {};
	return shown ? `${"AB"[numberOf(row, "submission") ?? 0]} ${number}` : number;
}

/** Returns the future of a row as a value of pictures; none of a scenario. */
export function futureValues(row: ScoreRow): readonly ItemValue[] {
	const number = numberOf(row, "rollout");
	if (number === undefined) return [];
	return [{ name: "future", text: futureWords(row), number }];
}

/**
 * Returns which futures a picture of a row shows: its own, or of a scenario all; none of
 * the scores of a file.
 */
export function whichFutures(
	row: ScoreRow,
	{ sets, scored }: Pick<FuturesState, "sets" | "scored">,
): string | undefined {
	const rollout = numberOf(row, "rollout");
	if (rollout === undefined) return sets.length > 0 ? "all" : undefined;
	const source = scored[numberOf(row, "submission") ?? 0];
	const set = sets.findIndex(({ key }) => key === source?.key);
	return set < 0 ? undefined : `${set}:${rollout}`;
}

/** Measures of futures by columns of scores. */
const MEASURES: ReadonlyMap<string, FuturesMeasure> = new Map([
	["ade", "ade"],
	["min_ade", "ade"],
	["fde", "fde"],
	["min_fde", "fde"],
	["colliding", "colliding"],
	["collision_rate", "colliding"],
	["leaving_lanes", "leaving"],
	["off_lane_rate", "leaving"],
]);

/**
 * Returns which future a row of scores is about: its own, the best by a least value, or
 * the worst by the chosen column. `value` returns the row's values by column.
 */
export function pickOf(
	column: string,
	value: (name: string) => number | undefined,
): FuturesPick {
	const [, name = column, side] = /^(.*?)_(a|b|b_minus_a)$/.exec(column) ?? [];
	const rollout = value("rollout");
	return {
		of: value("submission") ?? (side === undefined || side === "a" ? 0 : 1),
		measure: MEASURES.get(name),
		rollout: rollout !== undefined && rollout >= 0 ? rollout : undefined,
		which: name.startsWith("min_") ? "best" : "worst",
	};
}

/** Opens the scene of a row, and a future of it. */
export function goToScore(
	controller: ViewerController,
	{ on, ...row }: ScoreRow & { readonly on: number },
): void {
	const { rows, columns, i } = row;
	const [scene = 0, frame = 0] = [rows.scenes[i], rows.frames[i]];
	const pick = pickOf(columns[on]?.name ?? "", (name) => numberOf(row, name));
	void controller.rollout.use(async (it) => (await it.futures()).goTo(scene, pick));
	controller.pause();
	if (scene === controller.state.scene) controller.seek(frame);
	else controller.setScene(scene, frame);
}
