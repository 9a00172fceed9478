import type { MapView } from "../../dataset/map-view.js";
import {
	between,
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
	/** The lane's part of the stop line; undefined where a lane before or after has it. */
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

/** Returns a lane's part of its stop line, from left to right. */
function stopOf({ lanes }: MapView, row: number): MapLine | undefined {
	const ends = lanes.stop_line.subarray(4 * row, 4 * row + 4);
	return Number.isNaN(ends[0]) ? undefined : lineFrom([...ends]);
}

function signalOf(map: MapView, row: number): LaneSignal {
	const { left, right, in_junction } = map.lanes;
	const stop = stopOf(map, row);
	if (in_junction[row] !== 1)
		return { stop, approach: approachOf(map, row), way: undefined, head: undefined };
	const way = between(lineOf(left, row), lineOf(right, row));
	// The line ends inside of the arrowhead.
	const line = lineFrom(cut(way, 0, lengthOf(way) - HEAD.length / 2));
	return { stop, approach: undefined, way: line, head: headOf(map, way) };
}

const known = new WeakMap<MapView, Map<number, LaneSignal>>();

/** Returns what a light on the lane colours, cached. */
export function laneSignal(map: MapView, row: number): LaneSignal {
	const made = known.get(map) ?? new Map<number, LaneSignal>();
	known.set(map, made);
	const signal = made.get(row) ?? signalOf(map, row);
	made.set(row, signal);
	return signal;
}
