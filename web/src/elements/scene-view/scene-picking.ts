import { visibilityOf } from "../agents/summary.js";
import { showsEgo } from "../layers/layer-set.js";
import type { ViewerState } from "../session/state.js";
import { type Point, type View, worldFromScreen } from "./camera.js";
import type { Selection } from "./picking.js";
import { byDistance, type Pickable, picked } from "./picking.js";

function pickableOf(state: ViewerState): Pickable | undefined {
	const { shown, layers } = state;
	if (!shown) return undefined;
	return {
		frame: shown,
		visibility: visibilityOf(shown, state),
		ego: showsEgo(layers, shown),
	};
}

/** Returns the agent at screen point `at`, or within `slack` CSS pixels. */
export function pickedAt(
	state: ViewerState,
	view: View,
	at: Point,
	slack: number,
): Selection | undefined {
	const pickable = pickableOf(state);
	if (pickable && view.tilt && state.solids)
		return state.solids.picked(pickable, view, at, slack);
	const world = worldFromScreen(view, at.x, at.y);
	return pickable && picked(pickable, world, slack / view.pixelsPerMetre);
}

/** Returns the id of the traffic light whose box is at a point of a tilted picture. */
export function lightAt(state: ViewerState, view: View, at: Point): string | undefined {
	const pickable = view.tilt ? pickableOf(state) : undefined;
	if (!pickable || !state.layers.has("lights")) return undefined;
	return state.solids?.pickedLight(pickable, view, at, state.map);
}

/**
 * Returns the agent after (+1) or before (-1) the hovered or selected one, by distance
 * to the ego.
 */
export function nextByDistance(
	state: ViewerState,
	direction: 1 | -1,
): Selection | undefined {
	const pickable = pickableOf(state);
	if (!pickable) return undefined;
	const tracks = byDistance(pickable);
	const { hover, selection } = state;
	const at = tracks.indexOf((hover ?? selection) as bigint);
	const from = at < 0 && direction < 0 ? 0 : at;
	return tracks[(from + direction + tracks.length) % Math.max(1, tracks.length)];
}
