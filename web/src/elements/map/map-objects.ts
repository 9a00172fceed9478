import type { MapView } from "../../map-view.js";
import { type MapShape, mapShapes } from "../draw/map-shapes.js";
import type { Point } from "../scene-view/camera.js";
import type { ViewerState } from "../session/state.js";
import { facesOf } from "./faces.js";
import { isSameObject, type MapChoice, type MapObject } from "./map-state.js";

/** Context for point-in-path tests, created once. */
let tester: OffscreenCanvasRenderingContext2D | null | undefined;

function isIn(shape: MapShape | undefined, x: number, y: number): boolean {
	tester ??= new OffscreenCanvas(1, 1).getContext("2d");
	return shape !== undefined && tester?.isPointInPath(shape.area, x, y) === true;
}

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
	const shapes = mapShapes(map);
	const at = [x - shapes.originX, y - shapes.originY] as const;
	const hits: MapObject[] = [
		...[...crosswalks]
			.filter((row) => isIn(shapes.crosswalks[row], ...at))
			.map((row) => ({ kind: "crosswalk", row }) as const),
		...[...lanes]
			.filter((row) => isIn(shapes.lanes[row], ...at))
			.map((row) => ({ kind: "lane", row }) as const),
	];
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
