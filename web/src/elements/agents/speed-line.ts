import { css, html, nothing, svg, type TemplateResult } from "lit";
import type { ViewerState } from "../session/state.js";
import { rangeOfSeries, seriesPath } from "../timeline/plots.js";
import { formatNumber } from "./describe.js";

export const speedLineStyles = css`
.speed { display: block; width: 100%; height: 32px; overflow: visible; margin-top: 8px; }
.speed path { fill: none; stroke: var(--_ink2); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.speed line { stroke: var(--_accent); vector-effect: non-scaling-stroke; }
.speeds { display: flex; justify-content: space-between; color: var(--_ink3); font-size: 11px; padding-top: 4px; }
`;

/** Minimum range of the line, m/s: noise of standing vehicles stays flat. */
const MIN_RANGE = 1;

/** Renders the selection's speed over the scene, with the displayed frame marked. */
export function speedLine(state: ViewerState): TemplateResult | typeof nothing {
	const { timeline, selection, scene, frame } = state;
	if (timeline?.scene !== scene || selection === undefined) return nothing;
	const track = timeline.of === selection ? timeline.track : undefined;
	const speed = (selection === "ego" ? timeline.ego : track)?.speed;
	const range = speed && rangeOfSeries([speed], MIN_RANGE);
	if (!speed || !range || speed.length < 2) return nothing;
	const known = speed.filter((value) => !Number.isNaN(value));
	const [least, most] = [
		known.reduce((a, b) => Math.min(a, b)),
		known.reduce((a, b) => Math.max(a, b)),
	];
	const words = `${formatNumber(least, 1)} to ${formatNumber(most, 1)} m/s`;
	return html`<svg class="speed" viewBox="0 0 ${speed.length - 1} 1" preserveAspectRatio="none" role="img"
			aria-label=${`Speed over the scene: ${words}`}>
			${svg`<line x1=${frame} x2=${frame} y1="0" y2="1"/><path d=${seriesPath(speed, ...range)}/>`}</svg>
		<div class="speeds"><span>Speed over the scene</span><span class="mono">${words}</span></div>`;
}
