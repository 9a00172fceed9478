import type { Core } from "../../core/core.js";
import type { FrameView, Polylines } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import { isKept, type Limits } from "../agents/summary.js";
import type { ViewerState } from "../session/state.js";
import { formatNumber } from "../ui/words.js";
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
		["Speed limit", Number.isFinite(limit) ? `${formatNumber(limit, 1)} m/s` : "none"],
		["Parking", lanes.can_have_parked_cars[row] === 1 ? "yes" : "no"],
	];
}

/** The part of the core that answers questions about a map. */
export type MapTools = Pick<Core, "run">;

/** Returns the rows of the lanes whose lanes ahead include `row`. */
export function lanesBehind(
	tools: MapTools,
	{ lanes }: MapView,
	row: number,
): number[] {
	const { ahead, ahead_first } = lanes;
	return [...tools.run("lanes_behind", { ahead, ahead_first, lane: row })];
}

/** Returns the points of one line as x, y, x, y .. */
function line({ points, offsets }: Polylines, row: number): Float64Array {
	return points.subarray(2 * (offsets[row] ?? 0), 2 * (offsets[row + 1] ?? 0));
}

/** Returns the rows of the points x, y, x, y .. that are on a lane or crosswalk. */
export function pointsOn(
	tools: MapTools,
	{ lanes, crosswalks }: Pick<MapView, "lanes" | "crosswalks">,
	{ kind, row }: Extract<MapObject, { readonly row: number }>,
	points: Float64Array,
): number[] {
	const rows =
		kind === "lane"
			? tools.run("points_on_lane", {
					left: line(lanes.left, row),
					right: line(lanes.right, row),
					points,
				})
			: tools.run("points_in_outline", { outline: line(crosswalks, row), points });
	return [...rows];
}

/** Tracks on a lane or crosswalk. */
export interface TracksOn {
	/** Those that pass the filters. */
	readonly tracks: readonly ("ego" | bigint)[];
	/** Number of those that do not. */
	readonly filteredOut: number;
}

/** Returns the tracks whose centroids are on a lane or crosswalk in `frame`. */
export function tracksOn(
	tools: MapTools,
	{ map, frame, limits }: { map: MapView; frame: FrameView; limits: Limits },
	object: Extract<MapObject, { readonly row: number }>,
): TracksOn {
	const { agents, ego } = frame;
	const at = ego.is_virtual ? Float64Array.of() : Float64Array.from(ego.centroid);
	const isEgoOn = pointsOn(tools, map, object, at);
	const on = pointsOn(tools, map, object, agents.centroid);
	const kept = on.filter((i) => isKept(frame, i, limits));
	const tracks = kept.flatMap((i) => agents.track_id[i] ?? []);
	return {
		tracks: isEgoOn.length > 0 ? ["ego", ...tracks] : tracks,
		filteredOut: on.length - kept.length,
	};
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
