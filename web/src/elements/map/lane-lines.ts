import type { MapView } from "../../dataset/map-view.js";
import type { Overlay } from "../draw/picture.js";
import type { Point } from "../scene-view/camera.js";
import type { ViewerState } from "../session/state.js";

type Side = MapView["lanes"]["left"];

/** Returns the points of line `row`. */
function pointsOf({ points, offsets }: Side, row: number): Point[] {
	const [begin = 0, end = 0] = [offsets[row], offsets[row + 1]];
	return Array.from({ length: end - begin }, (_, i) => ({
		x: points[2 * (begin + i)] ?? 0,
		y: points[2 * (begin + i) + 1] ?? 0,
	}));
}

function lengthOf(line: readonly Point[]): number {
	return line.reduce((sum, { x, y }, i) => {
		const before = line[i - 1];
		return before ? sum + Math.hypot(x - before.x, y - before.y) : sum;
	}, 0);
}

/** Returns the point at a share of a line's length, 0 to 1. */
function pointAt(line: readonly Point[], share: number): Point | undefined {
	let rest = share * lengthOf(line);
	for (const [i, to] of line.entries()) {
		const from = line[i - 1];
		if (!from) continue;
		const step = Math.hypot(to.x - from.x, to.y - from.y);
		if (rest <= step && step > 0) {
			const t = rest / step;
			return { x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y) };
		}
		rest -= step;
	}
	return line.at(-1);
}

/** Returns the point between a lane's boundaries at a share of their lengths. */
export function middleOf(map: MapView, row: number, share = 0.5): Point | undefined {
	const left = pointAt(pointsOf(map.lanes.left, row), share);
	const right = pointAt(pointsOf(map.lanes.right, row), share);
	return left && right && { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
}

/** Distance of direction arrows in metres, and their maximum number. */
const EVERY_M = 12;
const MAX_ARROWS = 24;
/** Half of an arrow's size in metres. */
const SIZE_M = 0.9;
const COLOR = "#d9480f";

/** Returns arrows along a lane, in its direction. */
export function laneArrows(map: MapView, row: number): Overlay[] {
	const length = lengthOf(pointsOf(map.lanes.left, row));
	const count = Math.min(MAX_ARROWS, Math.max(1, Math.round(length / EVERY_M)));
	return Array.from({ length: count }, (_, i) => (i + 0.5) / count).flatMap((share) => {
		const at = middleOf(map, row, share);
		const ahead = middleOf(map, row, Math.min(1, share + 0.02));
		const behind = middleOf(map, row, Math.max(0, share - 0.02));
		if (!at || !ahead || !behind) return [];
		const far = Math.hypot(ahead.x - behind.x, ahead.y - behind.y);
		if (!(far > 0)) return [];
		const [x, y] = [
			((ahead.x - behind.x) / far) * SIZE_M,
			((ahead.y - behind.y) / far) * SIZE_M,
		];
		const points = Float64Array.of(
			...[at.x - x - y, at.y - y + x],
			...[at.x + x, at.y + y],
			...[at.x - x + y, at.y - y - x],
		);
		return [{ kind: "line" as const, points, color: COLOR }];
	});
}

let made: { readonly of: readonly unknown[]; readonly arrows: readonly Overlay[] } = {
	of: [],
	arrows: [],
};

/** Returns `overlays`, followed by the arrows of the selected lane. */
export function withLaneArrows(
	{ map, mapChoice }: ViewerState,
	overlays: readonly Overlay[],
): readonly Overlay[] {
	const object = mapChoice?.object;
	if (!map || object?.kind !== "lane") return overlays;
	const of = [map, object, overlays];
	if (of.some((value, i) => value !== made.of[i]))
		made = { of, arrows: [...overlays, ...laneArrows(map, object.row)] };
	return made.arrows;
}
