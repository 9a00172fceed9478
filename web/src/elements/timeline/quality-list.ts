import { html, nothing, svg, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import type { Disclosure } from "../ui/disclosure.js";
import type { QualityMark } from "./quality.js";

/** Renders the button that opens the list of anomalies. */
export function qualityButton(
	marks: readonly QualityMark[],
	disclosure: Disclosure,
): TemplateResult | typeof nothing {
	if (marks.length === 0) return nothing;
	return html`<button class="quality" aria-expanded=${disclosure.open}
		@click=${() => disclosure.toggle()}>Quality <span class="mono">${marks.length}</span></button>`;
}

/**
 * Renders the anomalies in frame order; a press seeks, and selects the affected track.
 */
export function qualityList(
	marks: readonly QualityMark[],
	disclosure: Disclosure,
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (marks.length === 0 || !disclosure.open) return nothing;
	const goTo = ({ frame, track }: QualityMark): void => {
		disclosure.close();
		controller?.pause();
		controller?.seek(frame);
		if (track !== undefined) controller?.select(track);
	};
	return html`<ul class="quality" aria-label="Quality">${marks.map(
		(mark) =>
			html`<li><button @click=${() => goTo(mark)}><span class="mono">${mark.frame}</span> ${mark.what}</button></li>`,
	)}</ul>`;
}

/** Renders the anomalies as ticks on the bar. */
export function qualityTicks(marks: readonly QualityMark[], count: number) {
	const share = (frame: number) => `${(100 * frame) / Math.max(1, count - 1)}%`;
	const frames = [...new Set(marks.map(({ frame }) => frame))];
	return html`<svg class="ticks" width="100%" height="14" aria-hidden="true">${frames.map(
		(frame) => svg`<rect x=${share(frame)} y="0" width="2" height="14"/>`,
	)}</svg>`;
}
