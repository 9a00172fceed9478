import { html, svg, type TemplateResult } from "lit";
import { scaleBar, type View } from "../pure/camera.js";

/** The longest a scale bar gets, in CSS pixels. */
const LONGEST = 110;

/** A bar of a round length at the view's scale, and that length in words. */
export function scaleBarOf({ pixelsPerMetre }: View): TemplateResult {
	const metres = scaleBar(pixelsPerMetre, LONGEST);
	const width = Math.round(metres * pixelsPerMetre);
	const words = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
	return html`<svg class="bar" width="130" height="22" role="img" aria-label=${`Scale: ${words}`}>
		${svg`<path d=${`M.5 2v5h${width}v-5`} fill="none" stroke="currentColor"/>
		<text x="0" y="19">${words}</text>`}
	</svg>`;
}
