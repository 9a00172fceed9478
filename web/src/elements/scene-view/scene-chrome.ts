import { html, type TemplateResult } from "lit";
import type { ViewerState } from "../session/state.js";
import { icon } from "../ui/icons.js";
import { canFollow } from "./anchor.js";
import type { Follow } from "./camera.js";
import type { Coords } from "./frames.js";

/** Names and tooltips of the follow modes. */
export const FOLLOW_NAMES: readonly (readonly [Follow, string, string])[] = [
	["position", "Follow", "Follow the ego (F)"],
	["heading", "Heading up", "Follow the ego and rotate with it (F)"],
	["selected", "Selected", "Follow the selection (F)"],
	["free", "Free", "Free camera (F)"],
];

/** Actions of the controls over the picture. */
export interface SceneActions {
	follow(follow: Follow): void;
	setCoords(coords: Coords): void;
	toggleMeasure(): void;
	/** Zooms around the centre; factor 2 shows half the span. */
	zoomBy(factor: number): void;
	reset(): void;
	/** Shows the whole map, or without one the frame's surroundings. */
	fitAll(): void;
}

/** Returns the next available follow mode. */
export function nextFollow(state: ViewerState): Follow {
	const there = FOLLOW_NAMES.filter(([name]) => canFollow(name, state));
	const at = there.findIndex(([name]) => name === state.follow);
	return there[(at + 1) % there.length]?.[0] ?? "position";
}

/** Renders the buttons of the follow modes. */
export function segments(state: ViewerState, actions: SceneActions): TemplateResult {
	return html`<div class="over-left">
		<div class="segments" role="group" aria-label="Camera">
			${FOLLOW_NAMES.map(
				([
					follow,
					name,
					title,
				]) => html`<button aria-pressed=${state.follow === follow} title=${title}
					?disabled=${!canFollow(follow, state)}
					@click=${() => actions.follow(follow)}>${name}</button>`,
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
		<button class="icon-only zoom" aria-label="Show the whole map" title="Show the whole map (A)"
			@click=${() => actions.fitAll()}>${icon("whole")}</button>
		<button class="icon-only" aria-label="Centre on the ego" title="Centre on the ego (0)"
			@click=${() => actions.reset()}>${icon("fit")}</button>
	</div>`;
}
