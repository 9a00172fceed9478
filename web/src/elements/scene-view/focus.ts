import { DIMMED, SHOWN } from "../agents/summary.js";
import type { Picture } from "../draw/picture.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { panned, screenFromWorld } from "./camera.js";
import type { Selection } from "./picking.js";
import type { Focus } from "./scene-state.js";

/** Duration of the camera's way in milliseconds. */
const FLIGHT_MS = 200;

const reached: Focus["reached"] = (camera, follow, view, p) => {
	const at = screenFromWorld(view, p.x, p.y);
	const outside = (value: number, size: number): number =>
		Math.min(0, (3 * size) / 4 - value) + Math.max(0, size / 4 - value);
	const [dx, dy] = [outside(at.x, view.width), outside(at.y, view.height)];
	return dx === 0 && dy === 0 ? undefined : panned(camera, follow, view, dx, dy);
};

/** Returns the visibility of agents beside the one in focus. */
function asideOf({ visibility, frame }: Picture, of: Selection): Uint8Array {
	// What the ego vehicle reacts to stays as it is.
	if (of === "ego") return visibility;
	return visibility.map((one, i) =>
		one === SHOWN && frame?.agents.track_id[i] !== of ? DIMMED : one,
	);
}

/** Sets what the picture is about; select it first. */
export function focusOn(
	store: Store<ViewerState>,
	{ scene, of, words }: Pick<Focus, "scene" | "of" | "words">,
): void {
	const applied = (picture: Picture): Picture => {
		const { selection, frame, labelOf } = picture;
		if (selection !== of || frame?.scene !== scene) return picture;
		const named = (one: Selection): string =>
			one === of && words ? `${labelOf(one)} \u00b7 ${words}` : labelOf(one);
		const visibility = asideOf(picture, of);
		return { ...picture, focus: of, visibility, labelOf: named };
	};
	store.patch({ focus: { scene, of, words, flightMs: FLIGHT_MS, reached, applied } });
}
