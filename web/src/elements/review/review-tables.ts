import { html, nothing, type TemplateResult } from "lit";
import type { SceneReport } from "../../reviewing/protocol.js";
import type { RankingReport, ReviewedFrame, Score } from "../../tools/review.js";
import { formatNumber } from "../agents/describe.js";
import type { ViewerController } from "../session/controller.js";
import { type Column, table } from "../ui/table.js";
import { comparedLines, listedComparison, listedCount } from "./compared-rows.js";
import { formatDifference, MEASURE_NAMES, withUnit } from "./measures.js";
import { goTo, isCurrent, type Row } from "./review-rows.js";
import { coversAll, hasTracksOnce, MEASURES } from "./review-state.js";

/** Maximum number of listed rows; they start at the worst. */
const MAX_ROWS = 200;
/**
 * Rows rendered at first, and added when the list is scrolled to its end: laying out all
 * of them takes longer than a display frame.
 */
export const ROWS_AT_ONCE = 50;

/** The controller, and the number of rows to render. */
export interface Listing {
	readonly controller: ViewerController;
	readonly most: number;
}

/** A list of predictions or frames. */
interface List<R extends Row> {
	readonly label: string;
	readonly columns: readonly Column<R>[];
	readonly rows: readonly R[];
	/** Number of all rows; default: those given. */
	readonly count?: number;
	/** What the list omits. */
	readonly note?: string | false;
}

const SCENE: Column<{ readonly scene: number }> = {
	...{ name: "Scene", cell: ({ scene }) => scene },
};
const FRAME: Column<Row> = { name: "Frame", cell: ({ frame }) => frame };
const TRACK: Column<Row> = { name: "Track", cell: trackName };

function trackName({ track }: Row): string {
	return track === -1n ? "ego" : String(track);
}

/** Returns the row's accessible name: "Scene 1, track 3, frame 2". */
function nameOf(row: Row, inAllScenes: boolean): string {
	const scene = inAllScenes && "scene" in row ? `scene ${row.scene}, ` : "";
	const track = row.track === undefined ? "" : `track ${trackName(row)}, `;
	const name = `${scene}${track}frame ${row.frame}`;
	return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

function measures(controller: ViewerController): Column<Score>[] {
	const { by } = controller.state.review;
	return MEASURES.map((measure) => ({
		name: withUnit(measure),
		title: MEASURE_NAMES[measure].title,
		order: measure === by ? "descending" : "none",
		sort: () => controller.rankBy(measure),
		cell: (score) => formatNumber(score[measure]),
	}));
}

function steps({
	state,
}: ViewerController): Column<{ readonly seen?: number | undefined }> {
	const all = state.review.shape?.steps ?? 0;
	return { name: "Steps", cell: ({ seen }) => `${seen}/${all}` };
}

function listOf<R extends Row>(
	list: List<R>,
	{ controller, most }: Listing,
): TemplateResult {
	const { state } = controller;
	const { label, columns, rows, count = rows.length, note } = list;
	const inAllScenes = coversAll(state.review.list);
	return html`${table({
		...{ label, columns },
		rows: rows.slice(0, Math.min(MAX_ROWS, most)),
		count: Math.min(MAX_ROWS, count),
		state: (row) => ({
			label: nameOf(row, inAllScenes),
			chosen: isCurrent(row, state),
		}),
		press: (row) => goTo(controller, row),
	})}${note ? html`<p>${note}</p>` : nothing}`;
}

/** Renders the predictions of the scene. */
export function agentTable(
	{ count, worst }: SceneReport,
	listing: Listing,
): TemplateResult {
	const { controller } = listing;
	const { by, list } = controller.state.review;
	const once = hasTracksOnce(list);
	const rows = (once ? worst.tracks : worst.rows)[by];
	const all = once ? rows.length : count;
	const columns = [TRACK, FRAME, ...measures(controller), steps(controller)];
	const note = all > MAX_ROWS && `The ${MAX_ROWS} worst of ${all}.`;
	return listOf({ label: "Predictions by agent", columns, rows, note }, listing);
}

/** Renders the scene's frames that have predictions. */
export function frameTable({ worst }: SceneReport, listing: Listing): TemplateResult {
	const { controller } = listing;
	const rows = worst.frames[controller.state.review.by];
	const agents = { name: "Agents", cell: ({ count }: ReviewedFrame) => count };
	const columns = [FRAME, ...measures(controller), agents];
	return listOf({ label: "Predictions by frame", columns, rows }, listing);
}

/** Renders the worst predictions of all scenes. */
export function sceneTable(
	{ worst, worstTracks, compared }: RankingReport,
	listing: Listing,
): TemplateResult {
	const { controller } = listing;
	const { by, list } = controller.state.review;
	const once = hasTracksOnce(list);
	const rows = (once ? worstTracks : worst)[by];
	const isCut = once ? rows.length >= MAX_ROWS : compared > rows.length;
	const note = isCut && `The ${rows.length} worst${once ? "" : ` of ${compared}`}.`;
	const columns = [SCENE, FRAME, TRACK, ...measures(controller), steps(controller)];
	return listOf({ label: "Predictions of all scenes", columns, rows, note }, listing);
}

/** Renders what both models predict: where B is worse than A by most first. */
export function comparedTable(listing: Listing): TemplateResult | typeof nothing {
	const { controller, most } = listing;
	const { state } = controller;
	if (!listedComparison(state)) return nothing;
	const { list } = state.review;
	const byFrame = list.endsWith("frames");
	const rows = comparedLines(state, Math.min(MAX_ROWS, most));
	const count = listedCount(state, MAX_ROWS);
	const columns: Column<(typeof rows)[number]>[] = [
		...(coversAll(list) ? [SCENE] : []),
		...(byFrame ? [FRAME] : [TRACK, FRAME]),
		{ name: "A", cell: ({ a }) => formatNumber(a) },
		{ name: "B", cell: ({ b }) => formatNumber(b) },
		{ name: "B − A", order: "descending", cell: ({ a, b }) => formatDifference(b - a) },
		...(rows.some(({ seen }) => seen !== undefined) ? [steps(controller)] : []),
	];
	const label = `B worse than A, ${byFrame ? "by frame" : "by agent"}`;
	const note = count > MAX_ROWS && `The ${MAX_ROWS} largest of ${count}.`;
	return listOf({ label, columns, rows, count, note }, listing);
}
