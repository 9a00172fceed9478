import { html, nothing, svg, type TemplateResult } from "lit";
import type { ReviewedFrame } from "../../tools/review.js";
import { benchmarkOf } from "../scenes/benchmark.js";
import type { ViewerState } from "../session/state.js";
import { counted } from "../ui/words.js";

/**
 * Renders the bar under the slider: loaded, played and failed frames. One frame is one
 * unit wide.
 */
export function scrubTrack(state: ViewerState, count: number): TemplateResult {
	const span = Math.max(1, count - 1);
	const { section } = state;
	return html`<svg class="track" part="buffered" viewBox="0 0 ${span} 1" preserveAspectRatio="none" aria-hidden="true">
		<rect class="rail" width=${span} height="1"/>
		${state.buffered.map(
			({ begin, end }) =>
				svg`<rect class="loaded" x=${begin} width=${Math.max(0.5, Math.min(end, span) - begin)} height="1"/>`,
		)}
		<rect class="played" width=${count > 1 ? state.frame : 0} height="1"/>
		${state.unreadable.map(
			({ begin, end }) =>
				svg`<rect class="unread" x=${begin} width=${Math.max(0.5, Math.min(end, span) - begin)} height="1"/>`,
		)}
		${section ? svg`<rect class="section ${state.loop ? "" : "off"}" x=${section.begin} width=${Math.max(0.5, section.end - 1 - section.begin)} height="1"/>` : nothing}
	</svg>`;
}

/** Returns the runs of consecutive frames as [first, last]. */
function runsOf(frames: readonly ReviewedFrame[]): [number, number][] {
	const runs: [number, number][] = [];
	for (const { frame } of frames) {
		const run = runs.at(-1);
		if (run && run[1] === frame - 1) run[1] = frame;
		else runs.push([frame, frame]);
	}
	return runs;
}

/**
 * Renders marks under the bar for frames with predictions. One frame is one unit wide.
 */
export function predictedTicks(
	{ review: { report } }: ViewerState,
	count: number,
): TemplateResult | typeof nothing {
	if (!report || report.frames.length === 0 || count < 2) return nothing;
	return html`<svg class="predicted" viewBox="0 0 ${count - 1} 1" preserveAspectRatio="none"
		role="img" aria-label="Predictions in ${report.frames.length} of ${counted(count, "frame")}">
		${runsOf(report.frames).map(
			([first, last]) =>
				svg`<rect x=${first - 0.25} width=${last - first + 0.5} height="1"/>`,
		)}</svg>`;
}

/** Renders the last observed frame of a benchmark, and the frames to predict after it. */
export function anchorTick(
	{ dataset, scene }: ViewerState,
	count: number,
): TemplateResult | typeof nothing {
	const { anchor } = benchmarkOf(dataset?.attrs, scene);
	if (anchor === undefined || anchor < 0 || anchor >= count || count < 2)
		return nothing;
	const share = (100 * anchor) / (count - 1);
	return html`<svg class="anchor" width="100%" height="24" role="img"
		aria-label="Predictions begin after frame ${anchor}">
		<rect x="${share}%" y="7" width="${100 - share}%" height="10"/>
		<line x1="${share}%" x2="${share}%" y2="24"/></svg>`;
}
