import type { MapView } from "../../map-view.js";
import {
	between,
	type Coordinates,
	cut,
	LineMaker,
	lengthOf,
	lineOf,
	type MapLine,
	pointAt,
} from "./map-lines.js";
import { type MapShape, mapShapes, shapeOf } from "./map-shapes.js";

/** What a light on a lane colours. */
export interface LaneSignal {
	/** The stop line; undefined in a junction whose approach has lights of its own. */
	readonly stop: MapLine | undefined;
	/** The lane before the stop line; undefined in junctions. */
	readonly approach: MapShape | undefined;
	/** The movement through a junction; undefined outside. */
	readonly way: MapLine | undefined;
	/** Arrowhead at the movement's end. */
	readonly head: MapShape | undefined;
}

/** Length in metres of the approach that a light colours. */
const APPROACH = 24;
/** Length and half width of an arrowhead in metres. */
const HEAD = { length: 1.9, aside: 0.75 };

type Ends = readonly [x0: number, y0: number, x1: number, y1: number];

/** Returns the ends of the line across a lane's start or end, left first. */
function across(left: Coordinates, right: Coordinates, atEnd: boolean): Ends {
	const [a, b] = atEnd ? [left.length - 2, right.length - 2] : [0, 0];
	return [left[a] ?? 0, left[a + 1] ?? 0, right[b] ?? 0, right[b + 1] ?? 0];
}

function shortened([x0, y0, x1, y1]: Ends, from: number, to: number): number[] {
	const at = (share: number) => [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
	return [...at(from), ...at(to)];
}

function lineFrom(points: readonly number[]): MapLine {
	const maker = new LineMaker();
	maker.add(points);
	return maker.made();
}

function approachOf(map: MapView, row: number): MapShape {
	const { originX, originY } = mapShapes(map);
	const tail = (line: Float64Array): number[] => {
		const length = lengthOf(line);
		return cut(line, Math.max(0, length - APPROACH), length);
	};
	const ring = tail(lineOf(map.lanes.left, row));
	const right = tail(lineOf(map.lanes.right, row));
	for (let k = right.length - 2; k >= 0; k -= 2)
		ring.push(right[k] ?? 0, right[k + 1] ?? 0);
	return shapeOf(ring, originX, originY);
}

function headOf(map: MapView, way: readonly number[]): MapShape {
	const { originX, originY } = mapShapes(map);
	const [x, y, dx, dy] = pointAt(way, lengthOf(way));
	const { length, aside } = HEAD;
	const [bx, by] = [x - length * dx, y - length * dy];
	const ring = [
		x,
		y,
		bx - aside * dy,
		by + aside * dx,
		bx + aside * dy,
		by - aside * dx,
	];
	return shapeOf(ring, originX, originY);
}

/** Lanes of junctions by the lane before them, and where a lane before has lights. */
interface Approaches {
	/** Rows of junction lanes that start at the same place, by that place. */
	readonly starts: ReadonlyMap<string, readonly number[]>;
	/** Junction lanes after a lane with traffic controls. */
	readonly controlled: ReadonlySet<number>;
}

function startKey(map: MapView, row: number): string {
	const { left, right } = map.lanes;
	const [x0, y0, x1, y1] = across(lineOf(left, row), lineOf(right, row), false);
	return `${Math.round((x0 + x1) / 2)} ${Math.round((y0 + y1) / 2)}`;
}

function approachesOf(map: MapView): Approaches {
	const { lanes } = map;
	const starts = new Map<string, number[]>();
	const controlled = new Set<number>();
	for (let row = 0; row < lanes.length; row += 1) {
		if (lanes.in_junction[row] === 1) {
			const key = startKey(map, row);
			const same = starts.get(key);
			if (same) same.push(row);
			else starts.set(key, [row]);
		} else if (
			(lanes.controls_first[row + 1] ?? 0) > (lanes.controls_first[row] ?? 0)
		) {
			const [begin, end] = [lanes.ahead_first[row], lanes.ahead_first[row + 1]];
			for (const next of lanes.ahead.subarray(begin, end)) controlled.add(next);
		}
	}
	return { starts, controlled };
}

/** Returns how far right of its start a lane ends, in radians; sorts turns left to right. */
function turned(map: MapView, row: number): number {
	const sides = [lineOf(map.lanes.left, row), lineOf(map.lanes.right, row)] as const;
	const [x0, y0, x1, y1] = across(...sides, false);
	const [fx, fy, tx, ty] = across(...sides, true);
	const [ex, ey] = [(fx + tx - x0 - x1) / 2, (fy + ty - y0 - y1) / 2];
	const [dx, dy] = [y0 - y1, x1 - x0]; // forward: the start line turned left
	return Math.atan2(ex * dy - ey * dx, ex * dx + ey * dy);
}

/**
 * Returns a junction lane's part of the stop line: lanes that start together share it, the
 * leftmost turn at the left.
 */
function stopInJunction(map: MapView, row: number, { starts }: Approaches): MapLine {
	const { left, right } = map.lanes;
	const ends = across(lineOf(left, row), lineOf(right, row), false);
	const same = [...(starts.get(startKey(map, row)) ?? [row])].sort(
		(a, b) => turned(map, a) - turned(map, b),
	);
	const at = Math.max(0, same.indexOf(row));
	return lineFrom(shortened(ends, at / same.length, (at + 1) / same.length));
}

function signalOf(map: MapView, row: number, approaches: Approaches): LaneSignal {
	const { left, right, in_junction } = map.lanes;
	const sides = [lineOf(left, row), lineOf(right, row)] as const;
	if (in_junction[row] !== 1) {
		const stop = lineFrom(shortened(across(...sides, true), 0, 1));
		return { stop, approach: approachOf(map, row), way: undefined, head: undefined };
	}
	const way = between(...sides);
	const stop = approaches.controlled.has(row)
		? undefined
		: stopInJunction(map, row, approaches);
	// The line ends inside of the arrowhead.
	const line = lineFrom(cut(way, 0, lengthOf(way) - HEAD.length / 2));
	return { stop, approach: undefined, way: line, head: headOf(map, way) };
}

interface Made {
	readonly approaches: Approaches;
	readonly signals: Map<number, LaneSignal>;
}

const known = new WeakMap<MapView, Made>();

/** Returns what a light on the lane colours, cached. */
export function laneSignal(map: MapView, row: number): LaneSignal {
	const made = known.get(map) ?? { approaches: approachesOf(map), signals: new Map() };
	known.set(map, made);
	const before = made.signals.get(row);
	if (before) return before;
	const signal = signalOf(map, row, made.approaches);
	made.signals.set(row, signal);
	return signal;
}
