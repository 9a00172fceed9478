import type { FrameView } from "../../frame-view.js";
import type { MapView } from "../../map-view.js";
import { mapShapes } from "../draw/map-shapes.js";
import type { ViewerState } from "../session/state.js";
import type { MapObject } from "./map-state.js";

const TURNS = ["–", "through", "left", "sharp left", "right", "sharp right", "u-turn"];
const ACCESS = ["–", "no restriction", "HOV", "bus", "bike", "turn only"];
const ORIENTATIONS = [
	"–",
	"two-way",
	"one-way forward",
	"one-way backward",
	"reversible",
];

/** Returns a lane's attributes as text, by name. */
export function laneAttributes({ lanes }: MapView, row: number): [string, string][] {
	const limit = lanes.speed_limit[row] ?? Number.NaN;
	return [
		["Turn", TURNS[lanes.turn[row] ?? 0] ?? "–"],
		["Access", ACCESS[lanes.access[row] ?? 0] ?? "–"],
		["Direction", ORIENTATIONS[lanes.orientation[row] ?? 0] ?? "–"],
		["Speed limit", Number.isFinite(limit) ? `${limit.toFixed(1)} m/s` : "none"],
		["Parking", lanes.can_have_parked_cars[row] === 1 ? "yes" : "no"],
	];
}

/** Returns the rows of the lanes whose lanes ahead include `row`. */
export function lanesBehind({ lanes }: MapView, row: number): number[] {
	const behind: number[] = [];
	for (let lane = 0; lane < lanes.length; lane += 1) {
		const [begin, end] = [lanes.ahead_first[lane], lanes.ahead_first[lane + 1]];
		if (lanes.ahead.subarray(begin, end).includes(row)) behind.push(lane);
	}
	return behind;
}

/** Context for point-in-path tests, created once. */
let tester: OffscreenCanvasRenderingContext2D | null | undefined;

/** Returns the tracks whose centroids are on a lane or crosswalk in `frame`. */
export function tracksOn(
	map: MapView,
	object: Extract<MapObject, { readonly row: number }>,
	{ agents, ego }: FrameView,
): ("ego" | bigint)[] {
	const shapes = mapShapes(map);
	const all = object.kind === "lane" ? shapes.lanes : shapes.crosswalks;
	const area = all[object.row]?.area;
	tester ??= new OffscreenCanvas(1, 1).getContext("2d");
	if (!area || !tester) return [];
	const isOn = (x = Number.NaN, y = Number.NaN) =>
		tester?.isPointInPath(area, x - shapes.originX, y - shapes.originY) === true;
	const [x, y] = ego.centroid;
	const tracks: ("ego" | bigint)[] = isOn(x, y) ? ["ego"] : [];
	agents.track_id.forEach((track, i) => {
		if (isOn(agents.centroid[2 * i], agents.centroid[2 * i + 1])) tracks.push(track);
	});
	return tracks;
}

/** Maximum number of objects that a search lists. */
const MAX_FOUND = 20;

/** Returns lanes, crosswalks and lights whose id contains `text`; equal ids first. */
export function objectsNamed(
	{ map, timeline }: Pick<ViewerState, "map" | "timeline">,
	text: string,
): readonly { readonly object: MapObject; readonly id: string }[] {
	const wanted = text.trim().toLowerCase();
	if (wanted === "") return [];
	const rows = (kind: "lane" | "crosswalk", ids: readonly string[] = []) =>
		ids.map((id, row) => ({ object: { kind, row } as MapObject, id }));
	const lights = new Set([...(map?.lights.id ?? []), ...(timeline?.lights.id ?? [])]);
	const all = [
		...rows("lane", map?.lanes.id),
		...rows("crosswalk", map?.crosswalks.id),
		...[...lights].map((id) => ({ object: { kind: "light", id } as MapObject, id })),
	];
	const hits = all.filter(({ id }) => id.toLowerCase().includes(wanted));
	const isExact = ({ id }: { id: string }) => id.toLowerCase() === wanted;
	return [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))].slice(
		0,
		MAX_FOUND,
	);
}
