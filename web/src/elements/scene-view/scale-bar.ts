import { html, svg, type TemplateResult } from "lit";
import { scaleBar, type View } from "./camera.js";

/** Maximum length of the scale bar in CSS pixels. */
const LONGEST = 110;

/** Renders a scale bar of a round length. */
export function scaleBarOf({ pixelsPerMetre }: View): TemplateResult {
	const metres = scaleBar(pixelsPerMetre, LONGEST);
	const width = Math.round(metres * pixelsPerMetre);
	const words = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
	return html`<svg class="bar" width="130" height="22" role="img" aria-label=${`Scale: ${words}`}>
		${svg`<path d=${`M.5 2v5h${width}v-5`} fill="none" stroke="currentColor"/>
		<text x="0" y="19">${words}</text>`}
	</svg>`;
}
