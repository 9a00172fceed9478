import { html, nothing, svg, type TemplateResult } from "lit";
import type { ReviewedFrame } from "../../review.js";
import type { ViewerState } from "../session/state.js";

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
		role="img" aria-label="Predictions in ${report.frames.length} of ${count} frames">
		${runsOf(report.frames).map(
			([first, last]) =>
				svg`<rect x=${first - 0.25} width=${last - first + 0.5} height="1"/>`,
		)}</svg>`;
}
