import { html, type TemplateResult } from "lit";
import type { Follow } from "../pure/camera.js";
import { type Coords, hasCoords } from "../pure/frames.js";
import type { ViewerState } from "../state.js";
import { icon } from "./icons.js";

const FOLLOW_NAMES: readonly (readonly [Follow, string])[] = [
	["position", "Follow"],
	["heading", "Heading up"],
	["free", "Free"],
];
const COORDS_NAMES: readonly (readonly [Coords, string])[] = [
	["world", "World"],
	["ego", "Ego"],
	["agent", "Agent"],
	["raster", "Raster"],
];

/** What the controls over the picture do. */
export interface SceneActions {
	follow(follow: Follow): void;
	setCoords(coords: Coords): void;
	toggleMeasure(): void;
	/** Zooms about the middle; 2 shows half as much. */
	zoomBy(factor: number): void;
	reset(): void;
}

/** The way of following that comes after `follow`. */
export function nextFollow(follow: Follow): Follow {
	const at = FOLLOW_NAMES.findIndex(([name]) => name === follow);
	return FOLLOW_NAMES[(at + 1) % FOLLOW_NAMES.length]?.[0] ?? "position";
}

/** What the camera follows, and in whose axes coordinates are told. */
export function segments(state: ViewerState, actions: SceneActions): TemplateResult {
	return html`<div class="over-left">
		<div class="segments" role="group" aria-label="Camera">
			${FOLLOW_NAMES.map(
				([follow, name]) => html`<button aria-pressed=${state.follow === follow}
					@click=${() => actions.follow(follow)}>${name}</button>`,
			)}
		</div>
		<div class="segments" role="group" aria-label="Coordinates">
			${COORDS_NAMES.map(
				([coords, name]) => html`<button aria-pressed=${state.coords === coords}
					?disabled=${!hasCoords(coords, state)}
					@click=${() => actions.setCoords(coords)}>${name}</button>`,
			)}
		</div>
	</div>`;
}

export function zoomButtons(state: ViewerState, actions: SceneActions): TemplateResult {
	return html`<div class="over-right">
		<button class="icon-only" aria-label="Measure" title="Measure (M)" aria-pressed=${state.measured !== undefined}
			@click=${() => actions.toggleMeasure()}>${icon("measure")}</button>
		<button class="icon-only zoom" aria-label="Zoom in" title="Zoom in (+)"
			@click=${() => actions.zoomBy(1.5)}>${icon("plus")}</button>
		<button class="icon-only zoom" aria-label="Zoom out" title="Zoom out (−)"
			@click=${() => actions.zoomBy(1 / 1.5)}>${icon("minus")}</button>
		<button class="icon-only" aria-label="Centre on the ego" title="Centre on the ego (0)"
			@click=${() => actions.reset()}>${icon("fit")}</button>
	</div>`;
}
