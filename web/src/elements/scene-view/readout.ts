import { html, nothing, type TemplateResult } from "lit";
import type { Geodetic } from "../../map-view.js";
import { formatNumber } from "../agents/describe.js";
import type { ViewerState } from "../session/state.js";
import type { Point, View } from "./camera.js";
import { earthWords } from "./earth-point.js";
import { COORDS, type Coords, hasCoords, placeIn } from "./frames.js";
import { scaleBarOf } from "./scale-bar.js";

const NAMES: Readonly<Record<Coords, string>> = {
	world: "World",
	ego: "Ego",
	agent: "Agent",
	raster: "Raster",
};

/** Arguments of the readout. */
export interface Told {
	/** World coordinates at the pointer. */
	readonly pointer: Point | undefined;
	/** Geodetic coordinates of a point; shown only if it is the one at the pointer. */
	readonly earth: { readonly place: Geodetic; readonly of: Point } | undefined;
	readonly view: View;
	choose(coords: Coords): void;
}

/** Half of the displayed precision of latitude and longitude, a decimetre. */
const SAME_PLACE_M = 0.05;

/** Returns a space while the result for the pointer is pending. */
function earthOf({ pointer, earth }: Told): string {
	if (!pointer || !earth) return "";
	const { of, place } = earth;
	const moved = Math.hypot(of.x - pointer.x, of.y - pointer.y);
	return moved > SAME_PLACE_M ? "\u00a0" : earthWords(place);
}

/** Renders the pointer's position in the chosen coordinate frame, and the scale bar. */
export function readout(state: ViewerState, told: Told): TemplateResult {
	const coords = hasCoords(state.coords, state) ? state.coords : "world";
	const at = told.pointer && placeIn(coords, state, told.pointer);
	const choose = (event: Event) => {
		const { value } = event.currentTarget as HTMLSelectElement;
		told.choose(COORDS.find((name) => name === value) ?? "world");
	};
	return html`<div class="readout">
		<div class="coords mono">
			<select class="axes" aria-label="Axes of coordinates" title="Axes of coordinates (C)"
				.value=${coords} @change=${choose}>
				${COORDS.map(
					(name) => html`<option value=${name} ?selected=${name === coords}
						?disabled=${!hasCoords(name, state)}>${NAMES[name]}</option>`,
				)}
			</select>
			<span class="place">${at ? `x ${formatNumber(at.x)} y ${formatNumber(at.y)}` : nothing}</span>
		</div>
		<div class="coords mono earth" ?hidden=${!at || !told.earth}>${earthOf(told)}</div>
		${scaleBarOf(told.view)}
	</div>`;
}
