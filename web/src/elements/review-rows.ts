import type { ReviewedFrame, ReviewedRow } from "../review.js";
import type { ViewerController } from "./controller.js";
import type { Selection } from "./pure/link.js";
import type { Measure } from "./review-state.js";
import type { ViewerState } from "./state.js";

type Ranked = ReviewedRow | ReviewedFrame;

/** Playback asks at every frame, and nothing changed. */
const known = new WeakMap<
	readonly Ranked[],
	{ by: Measure; rows: readonly Ranked[] }
>();

function compare(a: Ranked, b: Ranked, by: Measure): number {
	const left = Number.isNaN(a[by]) ? Number.NEGATIVE_INFINITY : a[by];
	const right = Number.isNaN(b[by]) ? Number.NEGATIVE_INFINITY : b[by];
	return left === right ? a.frame - b.frame : right - left;
}

/** The greatest first; what is not known last, then by frame. */
export function ranked<T extends Ranked>(
	rows: readonly T[],
	by: Measure,
): readonly T[] {
	const before = known.get(rows);
	if (before?.by === by) return before.rows as readonly T[];
	const sorted = [...rows].sort((a, b) => compare(a, b, by));
	known.set(rows, { by, rows: sorted });
	return sorted;
}

/** What the viewer calls the track of a prediction. */
export function selectionOf({ track }: ReviewedRow): Selection {
	return track === -1n ? "ego" : track;
}

/** Whether it is what is selected, in the frame asked for. */
export function isCurrent(row: ReviewedRow, state: ViewerState): boolean {
	return row.frame === state.frame && selectionOf(row) === state.selection;
}

/** Goes where a prediction is, and selects its track. */
export function goTo(controller: ViewerController, row: ReviewedRow): void {
	controller.pause();
	controller.select(selectionOf(row));
	controller.seek(row.frame);
}

/** From the prediction on show to the next worse (-1) or better (+1) one; first the worst. */
export function jumpByRank(controller: ViewerController, step: -1 | 1): void {
	const { state } = controller;
	const { report, by } = state.review;
	const rows = ranked(report?.rows ?? [], by).filter((row) => !Number.isNaN(row[by]));
	const at = rows.findIndex((row) => isCurrent(row, state));
	const to = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
	const row = rows[to];
	if (row) goTo(controller, row);
	else controller.announce("No prediction of this scene can be compared");
}
