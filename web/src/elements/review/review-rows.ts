import { MAX_ROWS, type SceneReport } from "../../reviewing/protocol.js";

import type { RankedRow, ReviewedFrame, ReviewedRow } from "../../tools/review.js";
import type { Ranked } from "../../tools/scores.js";
import { focusOn } from "../scene-view/focus.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import { type ComparedLine, comparedLines } from "./compared-rows.js";
import {
	compares,
	coversAll,
	hasTracksOnce,
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

/** Like `activeRanking`, with only the predictions that the distributions keep. */
export function keptRanking(review: ReviewState) {
	const ranking = activeRanking(review);
	const { kept, by } = review;
	if (!ranking || !kept) return ranking;
	const isOf = kept.by === by;
	return {
		...ranking,
		compared: kept.compared,
		worst: { ...ranking.worst, [by]: isOf ? kept.worst : [] },
		worstTracks: { ...ranking.worstTracks, [by]: isOf ? kept.worstTracks : [] },
	};
}

/** Returns the scene's report with only the predictions that the distributions keep. */
export function keptReport(report: SceneReport, review: ReviewState): SceneReport {
	const { kept, active = -1 } = review;
	if (!kept) return report;
	const of = <R extends ReviewedRow>(rows: Ranked<R>): Ranked<R> => ({
		ade: rows.ade.filter((row) => kept.has(active, row.frame, row.track)),
		fde: rows.fde.filter((row) => kept.has(active, row.frame, row.track)),
		nll: rows.nll.filter((row) => kept.has(active, row.frame, row.track)),
	});
	const rows = of(report.worst.rows);
	const tracks = of(report.worst.tracks);
	return {
		...report,
		count: rows.ade.length,
		worst: { ...report.worst, rows, tracks },
	};
}

/** Returns the listed predictions with known values, worst first. */
export function listed(state: ViewerState): readonly Row[] {
	const { review } = state;
	const { by, list } = review;
	const report = review.report && keptReport(review.report, review);
	if (compares(list)) return comparedLines(state, MAX_ROWS);
	const ranking = keptRanking(review);
	const once = hasTracksOnce(list);
	const all = once ? ranking?.worstTracks : ranking?.worst;
	const here = once ? report?.worst.tracks : report?.worst.rows;
	const worst = coversAll(list) ? all : here;
	return worst?.[by].filter((row) => !Number.isNaN(row[by])) ?? [];
}

/**
 * Moves from the current prediction to the next worse (-1) or better (+1) one; starts
 * at the worst.
 */
export function jumpByRank(controller: ViewerController, step: -1 | 1): void {
	const { state } = controller;
	const rows = listed(state);
	const at = rows.findIndex((row) => isCurrent(row, state));
	const to = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
	const row = rows[to];
	if (row) goTo(controller, row);
	else controller.announce("No listed prediction has ground truth");
}
