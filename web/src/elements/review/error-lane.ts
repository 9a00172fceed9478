import { html, nothing, svg, type TemplateResult } from "lit";
import type { ReviewedFrame } from "../../review.js";
import { formatNumber } from "../agents/describe.js";
import type { ViewerState } from "../session/state.js";
import { MEASURE_NAMES, withUnit } from "./measures.js";
import type { Measure } from "./review-state.js";

const HEIGHT = 24;

/** Returns frame and mean score of each predicted frame; omits unknown scores. */
function known(frames: readonly ReviewedFrame[], by: Measure): [number, number][] {
	return frames.flatMap((one) =>
		Number.isFinite(one[by]) ? [[one.frame, one[by]] as [number, number]] : [],
	);
}

/** Renders the ranking measure over the scene's frames; a press seeks. */
export function errorLane(
	{ review: { report, by }, frame }: ViewerState,
	count: number,
	pressed: (event: PointerEvent) => void,
): TemplateResult | typeof nothing {
	const points = report ? known(report.frames, by) : [];
	if (points.length === 0 || count < 2) return nothing;
	const low = points.reduce((least, [, value]) => Math.min(least, value), 0);
	const high = points.reduce((most, [, value]) => Math.max(most, value), 0);
	const y = (value: number) => HEIGHT * (1 - (value - low) / (high - low || 1));
	const here = report?.frames.find((one) => one.frame === frame)?.[by];
	const { short } = MEASURE_NAMES[by];
	const words = `${short} of predictions, from ${formatNumber(low)} to ${formatNumber(high)}`;
	return html`<span class="key">${withUnit(by)}
			<span class="mono">${here === undefined ? `≤ ${formatNumber(high)}` : formatNumber(here)}</span></span>
		<div class="lane errors" title=${`${words}; mean over the agents of a frame`} @pointerdown=${pressed}>
			<svg viewBox="0 0 ${count - 1} ${HEIGHT}" width="100%" height=${HEIGHT} preserveAspectRatio="none"
				role="img" aria-label=${words}>
				${points.map(([at, value]) => {
					const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
					return svg`<rect x=${at - 0.4} width="0.8" y=${top} height=${Math.max(1, bottom - top)}/>`;
				})}
			</svg></div>`;
}
