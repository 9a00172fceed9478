import { html, nothing, svg, type TemplateResult } from "lit";
import type { Geodetic } from "../../dataset/map-view.js";
import { formatNumber } from "../agents/describe.js";
import type { ViewerState } from "../session/state.js";
import type { Disclosure } from "../ui/disclosure.js";
import { icon } from "../ui/icons.js";
import { canFollow } from "./anchor.js";
import { type Follow, type Point, scaleBar, type View } from "./camera.js";
import { earthWords } from "./earth-point.js";
import { COORDS, type Coords, hasCoords, placeIn } from "./frames.js";

/** Names and tooltips of the follow modes. */
export const FOLLOW_NAMES: readonly (readonly [Follow, string, string])[] = [
	["position", "Follow", "Follow the ego (F)"],
	["heading", "Heading up", "Follow the ego and rotate with it (F)"],
	["selected", "Selected", "Follow the selection (F)"],
	["agent", "Agent up", "Follow the selection and rotate with it (F)"],
	["free", "Free", "Free camera (F)"],
];

/** The mode that follows the ego vehicle, in data without one. */
const STANDING = [
	"position",
	"Stay",
	"Stay in place: there is no ego vehicle to follow (F)",
] as const;

/** Returns names and tooltips of the follow modes, as they are for a state. */
export function followNames({ shown }: ViewerState): typeof FOLLOW_NAMES {
	if (!shown?.ego.is_virtual) return FOLLOW_NAMES;
	return FOLLOW_NAMES.map((mode) => (mode[0] === "position" ? STANDING : mode));
}

/** Actions of the controls over the picture. */
export interface SceneActions {
	follow(follow: Follow): void;
	setCoords(coords: Coords): void;
	toggleMeasure(): void;
	/** Zooms around the centre; factor 2 shows half the span. */
	zoomBy(factor: number): void;
	reset(): void;
	/** The displayed state. */
	readonly state: ViewerState;
	/** Tilts the camera to `radians` from straight down. */
	tiltTo(radians: number): void;
	/** Shows the whole map, or without one the frame's surroundings. */
	fitAll(): void;
}

/** Renders the camera's button, and its menu if it is open. */
export function cameraMenu(
	state: ViewerState,
	actions: SceneActions,
	menu: Disclosure,
): TemplateResult {
	const names = followNames(state);
	const now = names.find(([follow]) => follow === state.follow)?.[1] ?? "";
	const choose = (follow: Follow): void => {
		menu.close();
		actions.follow(follow);
	};
	return html`<div class="over-left camera">
		<button class="camera-button" aria-expanded=${menu.open} aria-controls="cameras" aria-label="Camera: ${now}"
			title="What the camera moves with (F)" @click=${() => menu.toggle()}>${icon("camera")}${now}${icon("down")}</button>
		<div class="cameras" id="cameras" role="group" aria-label="Camera" ?hidden=${!menu.open}>
			${names.map(
				([
					follow,
					name,
					title,
				]) => html`<button aria-pressed=${state.follow === follow} title=${title}
					?disabled=${!canFollow(follow, state)}
					@click=${() => choose(follow)}>${name}</button>`,
			)}
		</div>
	</div>`;
}

/** Tilt of the button and the key: 45 degrees. */
const TILT = Math.PI / 4;

/** Tilts the camera; if it is tilted, looks straight down again. */
export function toggleTilt(actions: Pick<SceneActions, "state" | "tiltTo">): void {
	actions.tiltTo(actions.state.camera.tilt ? 0 : TILT);
}

export function zoomButtons(state: ViewerState, actions: SceneActions): TemplateResult {
	const isVirtual = state.shown?.ego.is_virtual;
	const centre = isVirtual ? "Centre on the scene" : "Centre on the ego";
	return html`<div class="over-right">
		<button class="icon-only" aria-label="Measure" title="Measure (M)" aria-pressed=${state.measured !== undefined}
			@click=${() => actions.toggleMeasure()}>${icon("measure")}</button>
		<button class="icon-only" aria-label="Tilt" title="Tilt (V)" aria-pressed=${(state.camera.tilt ?? 0) > 0}
			@click=${() => toggleTilt(actions)}>${icon("tilt")}</button>
		<button class="icon-only zoom" aria-label="Zoom in" title="Zoom in (+)"
			@click=${() => actions.zoomBy(1.5)}>${icon("plus")}</button>
		<button class="icon-only zoom" aria-label="Zoom out" title="Zoom out (−)"
			@click=${() => actions.zoomBy(1 / 1.5)}>${icon("minus")}</button>
		<button class="icon-only zoom" aria-label="Show the whole map" title="Show the whole map (A)"
			@click=${() => actions.fitAll()}>${icon("whole")}</button>
		<button class="icon-only" aria-label=${centre} title="${centre} (0)"
			@click=${() => actions.reset()}>${icon("fit")}</button>
	</div>`;
}

/** Maximum length of the scale bar in CSS pixels. */
const LONGEST = 110;

/** Width of its words. */
const SHORTEST = 48;

/** Renders a scale bar of a round length. */
export function scaleBarOf({ pixelsPerMetre }: View): TemplateResult {
	const metres = scaleBar(pixelsPerMetre, LONGEST);
	const width = Math.round(metres * pixelsPerMetre);
	const words = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
	return html`<svg class="bar" width=${Math.max(width + 1, SHORTEST)} height="22" role="img" aria-label=${`Scale: ${words}`}>
		${svg`<path d=${`M.5 2v5h${width}v-5`} fill="none" stroke="currentColor"/>
		<text x="0" y="19">${words}</text>`}
	</svg>`;
}

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
