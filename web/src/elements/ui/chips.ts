import { css, html, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import type { Layer } from "../layers/layer-set.js";

const BOX = svg`<rect x="1" y="1" width="10" height="10" rx="2"/>`;

/** Shapes of layers, as drawn in the picture. */
const SHAPES: Readonly<Partial<Record<Layer, SVGTemplateResult>>> = {
	aerial: svg`<rect x="1" y="1" width="10" height="10" rx="2" fill-opacity=".4"/><path d="m1 10 3.5-5L7 8l1.5-2L11 9.5V11H1z"/>`,
	cyclist: svg`<path d="M6 0 12 6 6 12 0 6z"/>`,
	pedestrian: svg`<circle cx="6" cy="6" r="5"/>`,
	other: svg`<rect x="1.75" y="1.75" width="8.5" height="8.5" fill-opacity=".22" stroke="currentColor" stroke-width="1.5"/>`,
	dropped: svg`<rect x="1.75" y="1.75" width="8.5" height="8.5" fill="none" stroke="currentColor" stroke-dasharray="2 2"/>`,
	past: svg`<path d="M1 11C3 6 6 4 11 1" fill="none" stroke="currentColor" stroke-width="1.75"/>`,
	future: svg`<path d="M1 11C3 6 6 4 11 1" fill="none" stroke="currentColor" stroke-width="1.75" stroke-dasharray="2 2"/>`,
	predicted: svg`<path d="M1 11 11 2M1 11 11 6.5M1 11H11" fill="none" stroke="currentColor" stroke-width="1.5"/>`,
	points: svg`<path d="M2 3h.1M6 2h.1M9.5 4.5h.1M3.5 7h.1M7 6.5h.1M1.5 10h.1M6 10h.1M10 9h.1" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"/>`,
	crosswalks: svg`<rect x="1.5" y="1.5" width="9" height="9" fill-opacity=".15" stroke="currentColor" stroke-dasharray="2.5 1.5"/>`,
};

/** Renders a layer's legend: its colour and shape. */
export function chip(layer: Layer): TemplateResult {
	return html`<svg class="chip ${layer}" viewBox="0 0 12 12" width="12" height="12"
		fill="currentColor" aria-hidden="true" focusable="false">${SHAPES[layer] ?? BOX}</svg>`;
}

export const chipStyles = css`
.chip { flex: none; display: block; }
.chip.ego { color: var(--_ego); }
.chip.vehicle { color: var(--_vehicle); }
.chip.cyclist { color: var(--_cyclist); }
.chip.pedestrian { color: var(--_pedestrian); }
.chip.other { color: var(--_other); }
.chip.dropped { color: var(--_ink3); }
.chip.aerial { color: var(--_ink2); }
.chip.lanes { color: var(--_mark); }
.chip.crosswalks { color: var(--_crosswalk); }
.chip.lights { color: var(--_green); }
.chip.past { color: var(--_ink2); }
.chip.future { color: var(--_accent); }
.chip.predicted { color: var(--_predicted); }
.chip.points { color: var(--_ink2); }
.letter {
	display: inline-grid;
	place-items: center;
	flex: none;
	width: 18px;
	height: 18px;
	border-radius: 4px;
	font: 700 11px/1 var(--_mono);
	color: var(--_ink2);
	background: var(--_raise);
}
.letter.red { background: var(--_red); color: var(--_on-red); }
.letter.yellow { background: var(--_yellow); color: var(--_on-yellow); }
.letter.green { background: var(--_green); color: var(--_on-green); }
@media (forced-colors: active) {
	.chip, .letter { forced-color-adjust: none; }
}
`;
