import { html, nothing, svg, type TemplateResult } from "lit";
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
