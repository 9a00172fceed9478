import type { MapView } from "../../dataset/map-view.js";
import type { Point } from "../scene-view/camera.js";
import { pageTools } from "../session/page-tools.js";
import type { ViewerState } from "../session/state.js";
import { facesOf } from "./faces.js";
import { pointsOn } from "./map-facts.js";
import { isSameObject, type MapChoice, type MapObject } from "./map-state.js";

type ObjectOfRow = Extract<MapObject, { readonly row: number }>;

function choiceOf(object: MapObject, lanes: readonly number[] = []): MapChoice {
	if (object.kind === "light") return { object, marks: { lanes, crosswalks: [] } };
	const rows = [object.row];
	return object.kind === "lane"
		? { object, marks: { lanes: rows, crosswalks: [] } }
		: { object, marks: { lanes: [], crosswalks: rows } };
}

/**
 * Returns the crosswalk or lane of a visible layer at a world point. If several
 * overlap, repeated calls return them in turn, after `mapChoice`.
 */
export async function objectAt(
	{ map, layers, mapChoice }: ViewerState,
	{ x, y }: Point,
	signal: AbortSignal,
): Promise<MapChoice | undefined> {
	if (!map) return undefined;
	const [crosswalks, lanes] = await Promise.all([
		layers.has("crosswalks") ? map.crosswalksNear(x, y, 0, { signal }) : [],
		layers.has("lanes") ? map.lanesNear(x, y, 0, { signal }) : [],
	]);
	const tools = await pageTools();
	signal.throwIfAborted();
	const candidates: ObjectOfRow[] = [
		...[...crosswalks].map((row) => ({ kind: "crosswalk", row }) as const),
		...[...lanes].map((row) => ({ kind: "lane", row }) as const),
	];
	const at = Float64Array.of(x, y);
	const hits = candidates.filter((one) => pointsOn(tools, map, one, at).length > 0);
	const now = hits.findIndex((hit) => isSameObject(hit, mapChoice?.object));
	const next = hits[(now + 1) % hits.length];
	return next && choiceOf(next);
}

/**
 * Returns the lanes controlled by faces of a traffic light, that is, the lanes they
 * colour.
 */
async function lanesOf(
	faces: readonly string[],
	map: MapView,
	signal: AbortSignal,
): Promise<number[]> {
	const colours = await map.laneColours(faces, { signal });
	return [...colours.keys()].filter((row) => colours[row] !== 0);
}

/** Returns the selection of a map element, with its outlines. */
export async function choose(
	state: ViewerState,
	object: MapObject,
	signal: AbortSignal,
): Promise<MapChoice> {
	const { map } = state;
	if (object.kind !== "light" || !map) return choiceOf(object);
	const faces = state.shown ? facesOf(state.shown, object.id) : [];
	return { ...choiceOf(object, await lanesOf(faces, map, signal)), faces };
}
