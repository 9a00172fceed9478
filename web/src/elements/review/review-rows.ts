import type { RankedRow, ReviewedRow } from "../../review.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";

/** A prediction of the open scene, or of the scene it names. */
type Row = ReviewedRow | RankedRow;

/** Returns the selection of a prediction's track. */
export function selectionOf({ track }: ReviewedRow): Selection {
	return track === -1n ? "ego" : track;
}

/** Returns whether the prediction is selected, in the current frame. */
export function isCurrent(row: Row, state: ViewerState): boolean {
	const here = !("scene" in row) || row.scene === state.scene;
	return here && row.frame === state.frame && selectionOf(row) === state.selection;
}

/** Seeks to a prediction, and selects its track. */
export function goTo(controller: ViewerController, row: Row): void {
	controller.pause();
	if ("scene" in row && row.scene !== controller.state.scene) {
		controller.setScene(row.scene, row.frame);
	} else controller.seek(row.frame);
	controller.select(selectionOf(row));
}

/** Returns the listed predictions, worst first. */
function listed({ review }: ViewerState): readonly Row[] {
	const { by, list, report, ranking } = review;
	return (list === "all" ? ranking?.report?.worst : report?.worst.rows)?.[by] ?? [];
}

/**
 * Moves from the current prediction to the next worse (-1) or better (+1) one; starts
 * at the worst.
 */
export function jumpByRank(controller: ViewerController, step: -1 | 1): void {
	const { state } = controller;
	const { by } = state.review;
	const rows = listed(state).filter((row) => !Number.isNaN(row[by]));
	const at = rows.findIndex((row) => isCurrent(row, state));
	const to = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
	const row = rows[to];
	if (row) goTo(controller, row);
	else controller.announce("No listed prediction has ground truth");
}
