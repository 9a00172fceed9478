import { MAX_ROWS, type SceneReport } from "../../reviewing/protocol.js";

import type { KeptReport } from "../../tools/reports.js";
import type { RankedRow, ReviewedFrame, ReviewedRow } from "../../tools/review.js";
import type { Ranked } from "../../tools/scores.js";
import { focusOn } from "../scene-view/focus.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import { type ComparedLine, comparedLines, keptList } from "./compared-rows.js";
import {
	compares,
	coversAll,
	hasTracksOnce,
	type Measure,
	type ReviewState,
} from "./review-state.js";

/**
 * A prediction of the open scene, or of the scene it names; a frame if it names no
 * track.
 */
export type Row =
	| ReviewedRow
	| RankedRow
	| ComparedLine
	| (ReviewedFrame & { readonly track?: undefined });

/** Returns the selection of a prediction's track. */
export function selectionOf({ track }: { readonly track: bigint }): Selection {
	return track === -1n ? "ego" : track;
}

/** Returns whether the prediction is selected, in the current frame. */
export function isCurrent(row: Row, state: ViewerState): boolean {
	const here = !("scene" in row) || row.scene === state.scene;
	const { track } = row;
	const selected = track === undefined || selectionOf({ track }) === state.selection;
	return here && row.frame === state.frame && selected;
}

/** Seeks to a prediction, selects its track and makes the picture be about it. */
export function goTo(controller: ViewerController, row: Row): void {
	controller.pause();
	if ("scene" in row && row.scene !== controller.state.scene) {
		controller.setScene(row.scene, row.frame);
	} else controller.seek(row.frame);
	const { track } = row;
	if (track === undefined) {
		controller.store.patch({ focus: undefined });
		return;
	}
	const of = selectionOf({ track });
	controller.select(of);
	focusOn(controller.store, { scene: controller.state.scene, of });
}

/** Returns the active model's ranking over all scenes. */
export function activeRanking({ ranking, active }: ReviewState) {
	return active === undefined ? undefined : ranking?.reports.get(active);
}

/**
 * Like `activeRanking`, of only the predictions that the distributions keep; undefined as
 * long as these are computed.
 */
export function keptRanking(state: ViewerState) {
	const ranking = activeRanking(state.review);
	if (!ranking || !state.review.kept) return ranking;
	const kept = keptList(state)?.report;
	if (!kept) return undefined;
	const { rows, tracks, mean, found, begun, compared } = kept;
	return {
		...{ mean, found, begun, compared },
		breakdown: ofKept(ranking, kept),
		worst: only(state.review.by, rows),
		worstTracks: only(state.review.by, tracks),
	};
}

/** Likewise of the scene's report. */
export function keptReport(
	report: SceneReport,
	state: ViewerState,
): SceneReport | undefined {
	if (!state.review.kept) return report;
	const kept = keptList(state)?.report;
	if (!kept) return undefined;
	const { by } = state.review;
	const { mean, begun, compared, missed } = kept;
	return {
		...{ ...report, mean, begun, compared, missed, count: kept.found },
		breakdown: ofKept(report, kept),
		worst: {
			rows: only<ReviewedRow>(by, kept.rows),
			tracks: only<ReviewedRow>(by, kept.tracks),
			frames: only(by, kept.frames),
		},
	};
}

function only<R>(by: Measure, rows: readonly R[]): Ranked<R> {
	return { ade: [], fde: [], nll: [], [by]: rows };
}

/** Scores by class, mode and step are of all predictions. */
function ofKept(
	{ breakdown }: Pick<SceneReport, "breakdown">,
	{ compared, missed }: KeptReport,
): SceneReport["breakdown"] {
	return { ...breakdown, compared, missed };
}

/** Returns the listed predictions with known values, worst first. */
export function listed(state: ViewerState): readonly Row[] {
	const { review } = state;
	const { by, list } = review;
	if (compares(list)) return comparedLines(state, MAX_ROWS);
	const report = review.report && keptReport(review.report, state);
	const ranking = coversAll(list) ? keptRanking(state) : undefined;
	const once = hasTracksOnce(list);
	const all = once ? ranking?.worstTracks : ranking?.worst;
	const here = once ? report?.worst.tracks : report?.worst.rows;
	const worst = coversAll(list) ? all : here;
	return worst?.[by].filter((row) => !Number.isNaN(row[by])) ?? [];
}

/**
 * Moves from the current prediction to the next worse (-1) or better (+1) one; starts
 * at the worst. Without predictions, moves to another future.
 */
export function jumpByRank(controller: ViewerController, step: -1 | 1): void {
	const { state } = controller;
	const rows = listed(state);
	const at = rows.findIndex((row) => isCurrent(row, state));
	const to = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
	const row = rows[to];
	if (row) goTo(controller, row);
	else if (state.futures) state.futures.step(step);
	else controller.announce("No listed prediction has ground truth");
}
