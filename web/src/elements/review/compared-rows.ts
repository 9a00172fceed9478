import type {
	ComparedFrames,
	ComparedRows,
	ComparisonReport,
} from "../../tools/comparison.js";
import type { ViewerState } from "../session/state.js";
import {
	compares,
	coversAll,
	hasTracksOnce,
	type KeptList,
	MEASURES,
	type Measure,
} from "./review-state.js";

/** Predictions of both models for one agent, or their means in one frame. */
export interface ComparedLine {
	readonly scene: number;
	readonly frame: number;
	/** -1 is the ego vehicle; undefined for a frame. */
	readonly track: bigint | undefined;
	/** Agents of a frame. */
	readonly count: number | undefined;
	/** Steps with ground truth; undefined for a frame, or if they are not known. */
	readonly seen: number | undefined;
	/** The values of A and B by the ranking measure. */
	readonly a: number;
	readonly b: number;
}

/**
 * Returns what distributions keep of the list; undefined if they do not filter it, or as
 * long as that is computed.
 */
export function keptList({
	review,
	scene,
}: Pick<ViewerState, "review" | "scene">): KeptList | undefined {
	const { kept, list, by, active, pair } = review;
	const of = kept?.listed;
	const here = coversAll(list) ? undefined : scene;
	const isIt = of?.list === list && of.by === by && of.scene === here;
	const isOf = compares(list) ? of?.pair === pair : of?.active === active;
	return isIt && isOf ? of : undefined;
}

/** Returns the comparison that the list shows; undefined if it shows none. */
export function listedComparison(state: ViewerState): ComparisonReport | undefined {
	const { review } = state;
	if (!compares(review.list)) return undefined;
	if (review.kept) return keptList(state)?.comparison;
	return coversAll(review.list) ? review.ranking?.comparison : review.comparison;
}

/** Returns the elements that the list shows. */
export function listedColumns(
	state: ViewerState,
): ComparedRows | ComparedFrames | undefined {
	const report = listedComparison(state);
	return state.review.list.endsWith("frames") ? report?.frames : report?.rows;
}

/** Returns the order of the listed elements: where B is worse than A by most first. */
function listedOrder({ review: { by, list } }: ViewerState, report: ComparisonReport) {
	if (hasTracksOnce(list)) return report.rows.worstTracks[by];
	return (list.endsWith("frames") ? report.frames : report.rows).worst[by];
}

/**
 * Returns the number of elements with a known difference, of which the list shows the
 * largest.
 *
 * @param most elements that the list shows
 */
export function listedCount(state: ViewerState, most: number): number {
	const report = listedComparison(state);
	if (!report) return 0;
	const { list } = state.review;
	const known = listedOrder(state, report).length;
	if (hasTracksOnce(list) || known < most) return known;
	return list.endsWith("frames") ? report.frames.frames.length : report.compared;
}

/** Returns element `index` of the columns. */
export function lineAt(
	columns: ComparedRows | ComparedFrames,
	index: number,
	by: Measure,
): ComparedLine {
	const at = 3 * index + MEASURES.indexOf(by);
	return {
		scene: columns.scenes[index] ?? 0,
		frame: columns.frames[index] ?? 0,
		track: "tracks" in columns ? columns.tracks[index] : undefined,
		count: "counts" in columns ? columns.counts[index] : undefined,
		seen: "seen" in columns ? columns.seen[index] : undefined,
		a: columns.a[at] ?? Number.NaN,
		b: columns.b[at] ?? Number.NaN,
	};
}

/** Returns the listed elements, B worse than A by most first; at most `most`. */
export function comparedLines(state: ViewerState, most: number): ComparedLine[] {
	const report = listedComparison(state);
	const columns = listedColumns(state);
	if (!report || !columns) return [];
	const { by } = state.review;
	const order = listedOrder(state, report).subarray(0, most);
	return Array.from(order, (i) => lineAt(columns, i, by));
}
