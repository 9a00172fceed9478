import { html, nothing, svg, type TemplateResult } from "lit";
import type { ViewerController } from "../controller.js";
import type { QualityMark } from "../quality.js";

/** What is odd in the data, to unfold above the time line; a press goes there. */
export function qualityList(
	marks: readonly QualityMark[],
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (marks.length === 0) return nothing;
	return html`<details class="quality">
		<summary>Quality <span class="mono">${marks.length}</span></summary>
		<ul>${marks.map(
			({ frame, what }) =>
				html`<li><button @click=${() => {
					controller?.pause();
					controller?.seek(frame);
				}}><span class="mono">${frame}</span> ${what}</button></li>`,
		)}</ul>
	</details>`;
}

/** The same as ticks on the bar. */
export function qualityTicks(marks: readonly QualityMark[], count: number) {
	const share = (frame: number) => `${(100 * frame) / Math.max(1, count - 1)}%`;
	const frames = [...new Set(marks.map(({ frame }) => frame))];
	return html`<svg class="ticks" width="100%" height="14" aria-hidden="true">${frames.map(
		(frame) => svg`<rect x=${share(frame)} y="0" width="2" height="14"/>`,
	)}</svg>`;
}
