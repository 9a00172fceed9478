import type { Overlay } from "../draw/picture.js";
import type { ViewerState } from "../session/state.js";
import type { Note } from "./note.js";

/** Colour of places in the picture, visible on both grounds. */
const COLOR = "#d9480f";

interface Made {
	readonly of: readonly unknown[];
	readonly overlays: readonly Overlay[];
}

const made = new WeakMap<readonly Note[], Made>();

/** Returns the rollout, the page's overlays and the places of the scene's notes. */
export function withPlaces({
	notes,
	scene,
	overlays: given,
	placed,
	simulated,
}: ViewerState): readonly Overlay[] {
	const overlays = simulated.length > 0 ? [...simulated, ...given] : given;
	const places = notes.filter((note) => note.scene === scene && note.place);
	if (places.length === 0 && !placed) return overlays;
	const of = [scene, given, simulated, placed];
	const held = made.get(notes);
	if (held?.of.every((value, i) => value === of[i])) return held.overlays;
	const points = places.flatMap(({ place }) => [...(place ?? [])]);
	if (placed) points.push(placed.x, placed.y);
	const all = [...overlays, { points: Float64Array.from(points), color: COLOR }];
	made.set(notes, { of, overlays: all });
	return all;
}
