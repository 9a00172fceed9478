import { html, nothing, type TemplateResult } from "lit";
import type { SceneReport } from "../../reviewing/protocol.js";
import type { RankingReport, Score } from "../../tools/review.js";
import { formatNumber } from "../agents/describe.js";
import type { ViewerController } from "../session/controller.js";
import { icon } from "../ui/icons.js";
import { comparedLines, listedComparison, listedCount } from "./compared-rows.js";
import { MEASURE_NAMES, withUnit } from "./measures.js";
import { goTo, isCurrent } from "./review-rows.js";
import { coversAll, hasTracksOnce, MEASURES, type Measure } from "./review-state.js";

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

/** A row of any of the tables. */
interface Line {
	/** Accessible name of the row's button. */
	readonly label: string;
	/** Cells before the measures (the first is the button) and after them. */
	readonly before: readonly (string | number)[];
	readonly score: Score;
	readonly after: readonly (string | number)[];
	readonly chosen: boolean;
	readonly go: () => void;
}

interface Table {
	readonly label: string;
	/** Headings before and after the measures. */
	readonly before: readonly string[];
	readonly after: readonly string[];
}

function heading(measure: Measure, controller: ViewerController): TemplateResult {
	const { title } = MEASURE_NAMES[measure];
	const sorted = measure === controller.state.review.by;
	return html`<th aria-sort=${sorted ? "descending" : "none"}>
		<button title=${title} @click=${() => controller.rankBy(measure)}>
			${withUnit(measure)}${sorted ? icon("down") : nothing}</button></th>`;
}

function row({ label, before, score, after, chosen, go }: Line): TemplateResult {
	const [first, ...more] = before;
	return html`<tr class=${chosen ? "chosen" : ""} @click=${go}>
		<td><button class="mono" aria-pressed=${chosen} aria-label=${label}>${first}</button></td>
		${more.map((cell) => html`<td class="mono">${cell}</td>`)}
		${MEASURES.map((by) => html`<td class="mono">${formatNumber(score[by])}</td>`)}
		${after.map((cell) => html`<td class="mono">${cell}</td>`)}
	</tr>`;
}

/** Returns the number of a table's rows with the heading, for screen readers. */
function rowCount(listed: number): number {
	return Math.min(MAX_ROWS, listed) + 1;
}

function table(
	{ label, before, after }: Table,
	all: readonly Line[],
	{ controller, most }: Listing,
): TemplateResult {
	const lines = all.slice(0, Math.min(MAX_ROWS, most));
	return html`<table aria-label=${label} aria-rowcount=${rowCount(all.length)}>
		<thead><tr>${before.map((name) => html`<th>${name}</th>`)}
			${MEASURES.map((measure) => heading(measure, controller))}
			${after.map((name) => html`<th>${name}</th>`)}</tr></thead>
		<tbody>${lines.map(row)}</tbody></table>`;
}

const trackName = (track: bigint): string => (track === -1n ? "ego" : String(track));

/** Renders the predictions of the scene. */
export function agentTable(
	{ count, worst }: SceneReport,
	listing: Listing,
): TemplateResult {
	const { controller } = listing;
	const { state } = controller;
	const { by, list, shape } = state.review;
	const steps = shape?.steps ?? 0;
	const once = hasTracksOnce(list);
	const rows = (once ? worst.tracks : worst.rows)[by];
	const of = once ? rows.length : count;
	const lines = rows.slice(0, MAX_ROWS).map((one) => ({
		label: `Track ${trackName(one.track)}, frame ${one.frame}`,
		before: [trackName(one.track), one.frame],
		score: one,
		after: [`${one.seen}/${steps}`],
		chosen: isCurrent(one, state),
		go: () => goTo(controller, one),
	}));
	const named = {
		label: "Predictions by agent",
		before: ["Track", "Frame"],
		after: ["Steps"],
	};
	return html`${table(named, lines, listing)}
		${of > MAX_ROWS ? html`<p>The ${MAX_ROWS} worst of ${of}.</p>` : nothing}`;
}

/** Renders the scene's frames that have predictions. */
export function frameTable({ worst }: SceneReport, listing: Listing): TemplateResult {
	const { controller } = listing;
	const { state } = controller;
	const lines = worst.frames[state.review.by].slice(0, MAX_ROWS).map((one) => ({
		label: `Frame ${one.frame}`,
		before: [one.frame],
		score: one,
		after: [one.count],
		chosen: one.frame === state.frame,
		go: () => {
			controller.pause();
			controller.seek(one.frame);
		},
	}));
	const named = { label: "Predictions by frame", before: ["Frame"], after: ["Agents"] };
	return table(named, lines, listing);
}

/** Renders the worst predictions of all scenes. */
export function sceneTable(
	{ worst, worstTracks, compared }: RankingReport,
	listing: Listing,
): TemplateResult {
	const { controller } = listing;
	const { state } = controller;
	const { by, list, shape } = state.review;
	const once = hasTracksOnce(list);
	const ranked = (once ? worstTracks : worst)[by];
	const isCut = once ? ranked.length >= MAX_ROWS : compared > ranked.length;
	const of = once ? "" : ` of ${compared}`;
	const lines = ranked.map((one) => ({
		label: `Scene ${one.scene}, track ${trackName(one.track)}, frame ${one.frame}`,
		before: [one.scene, one.frame, trackName(one.track)],
		score: one,
		after: [`${one.seen}/${shape?.steps ?? 0}`],
		chosen: isCurrent(one, state),
		go: () => goTo(controller, one),
	}));
	const named = {
		label: "Predictions of all scenes",
		before: ["Scene", "Frame", "Track"],
		after: ["Steps"],
	};
	return html`${table(named, lines, listing)}
		${isCut ? html`<p>The ${ranked.length} worst${of}.</p>` : nothing}`;
}

/** Renders what both models predict: where B is worse than A by most first. */
export function comparedTable({
	controller,
	most,
}: Listing): TemplateResult | typeof nothing {
	const { state } = controller;
	const report = listedComparison(state);
	if (!report) return nothing;
	const all = coversAll(state.review.list);
	const lines = comparedLines(state, Math.min(MAX_ROWS, most));
	const byFrame = state.review.list.endsWith("frames");
	const hasSteps = lines.some(({ seen }) => seen !== undefined);
	const steps = state.review.shape?.steps ?? 0;
	const rows = lines.map((one) => {
		const chosen = isCurrent(one, state);
		const difference = one.b - one.a;
		const who = one.track === undefined ? [] : [trackName(one.track)];
		const cells = [...(all ? [one.scene] : []), ...who, one.frame];
		const [first, ...more] = cells;
		const label = `${all ? `Scene ${one.scene}, ` : ""}${one.track === undefined ? "" : `track ${trackName(one.track)}, `}frame ${one.frame}`;
		return html`<tr class=${chosen ? "chosen" : ""} @click=${() => goTo(controller, one)}>
			<td><button class="mono" aria-pressed=${chosen} aria-label=${label}>${first}</button></td>
			${more.map((cell) => html`<td class="mono">${cell}</td>`)}
			<td class="mono">${formatNumber(one.a)}</td><td class="mono">${formatNumber(one.b)}</td>
			<td class="mono">${difference > 0 ? "+" : ""}${formatNumber(difference)}</td>
			${hasSteps ? html`<td class="mono">${one.seen}/${steps}</td>` : nothing}</tr>`;
	});
	const heads = [...(all ? ["Scene"] : []), ...(byFrame ? [] : ["Track"]), "Frame"];
	const count = listedCount(state, MAX_ROWS);
	return html`<table aria-label=${`B worse than A, ${byFrame ? "by frame" : "by agent"}`} aria-rowcount=${rowCount(count)}>
		<thead><tr>${heads.map((name) => html`<th>${name}</th>`)}<th>A</th><th>B</th><th aria-sort="descending">B − A</th>${hasSteps ? html`<th>Steps</th>` : nothing}</tr></thead>
		<tbody>${rows}</tbody></table>
		${count > MAX_ROWS ? html`<p>The ${MAX_ROWS} largest of ${count}.</p>` : nothing}`;
}
