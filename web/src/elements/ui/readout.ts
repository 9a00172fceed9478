import { html, nothing, type TemplateResult } from "lit";
import type { Geodetic } from "../../map-view.js";
import { formatNumber } from "../describe.js";
import { earthWords } from "../earth-point.js";
import type { Point, View } from "../pure/camera.js";
import { hasCoords, placeIn } from "../pure/frames.js";
import type { ViewerState } from "../state.js";
import { scaleBarOf } from "./scale-bar.js";

/** The place under the pointer, in the axes chosen where there are such, and how long a metre is. */
export function readout(
	state: ViewerState,
	pointer: Point | undefined,
	earth: Geodetic | undefined,
	view: View,
): TemplateResult {
	const coords = hasCoords(state.coords, state) ? state.coords : "world";
	const at = pointer && placeIn(coords, state, pointer);
	const words = at && `${coords} x ${formatNumber(at.x)} y ${formatNumber(at.y)}`;
	return html`<div class="readout">
		<div class="coords mono" ?hidden=${!at}>${words ?? nothing}</div>
		<div class="coords mono" ?hidden=${!at || !earth}>${earth ? earthWords(earth) : nothing}</div>
		${scaleBarOf(view)}
	</div>`;
}
