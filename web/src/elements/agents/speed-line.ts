import { css, html, nothing, svg, type TemplateResult } from "lit";
import { trackStyle } from "../plots/track-colours.js";
import { trackLines } from "../plots/track-lines.js";
import type { ViewerState } from "../session/state.js";
import { type Axis, axisOf, type Series, seriesPath } from "../timeline/axis.js";
import { formatNumber } from "./describe.js";

export const speedLineStyles = [
	trackLines,
	css`
.speed { display: block; width: 100%; height: 32px; overflow: visible; margin-top: 8px; }
.speed path { vector-effect: non-scaling-stroke; }
.speed line { stroke: var(--_accent); vector-effect: non-scaling-stroke; }
.speeds { display: flex; justify-content: space-between; color: var(--_ink3); font-size: 11px; padding-top: 4px; }
`,
];

/** Minimum range of the line, m/s: noise of standing vehicles stays flat. */
const MIN_RANGE = 1;

/** Axes by series; playback renders the line at every frame. */
const known = new WeakMap<Series, Axis>();

function axisOfSpeed(speed: Series): Axis | undefined {
	const axis = known.get(speed) ?? axisOf([speed], { least: MIN_RANGE });
	if (axis) known.set(speed, axis);
	return axis;
}

/** Renders the selection's speed over the scene, with the displayed frame marked. */
export function speedLine(state: ViewerState): TemplateResult | typeof nothing {
	const { timeline, selection, scene, frame } = state;
	if (timeline?.scene !== scene || selection === undefined) return nothing;
	const track = timeline.of === selection ? timeline.track : undefined;
	const speed = (selection === "ego" ? timeline.ego : track)?.speed;
	const axis = speed && axisOfSpeed(speed);
	if (!speed || !axis || speed.length < 2) return nothing;
	const { low, high, bounds } = axis;
	const words = `${formatNumber(bounds[0], 1)} to ${formatNumber(bounds[1], 1)} m/s`;
	return html`<svg class="speed" viewBox="0 0 ${speed.length - 1} 1" preserveAspectRatio="none" role="img"
			aria-label=${`Speed over the scene: ${words}`}>
			${svg`<line x1=${frame} x2=${frame} y1="0" y2="1"/><path class="line line-${trackStyle(selection, state)}" d=${seriesPath(speed, low, high)}/>`}</svg>
		<div class="speeds"><span>Speed over the scene</span><span class="mono">${words}</span></div>`;
}
