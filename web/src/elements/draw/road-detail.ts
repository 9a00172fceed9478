import type { MapView } from "../../dataset/map-view.js";
import { type LaneMarks, laneMarks } from "./lane-marks.js";
import {
	between,
	LineMaker,
	lengthOf,
	lineOf,
	type MapLine,
	pointAt,
} from "./map-lines.js";
import {
	type MapShape,
	mapShapes,
	merged,
	shapeOf,
	type TileShape,
} from "./map-shapes.js";

/** Paint on the roads of a tile. */
export interface RoadDetail extends LaneMarks {
	/** Centre lines of lanes in junctions. */
	readonly guides: MapLine;
	/** Arrowheads in the direction of the lanes. */
	readonly chevrons: MapShape;
}

/** Metres between chevrons, and from the lane's start to the first. */
const CHEVRON_EVERY = 30;
const CHEVRON_FIRST = 15;
/** Extent of a chevron from its tip, half its width and its stroke, in metres. */
const CHEVRON = { back: 0.8, aside: 0.9, stroke: 0.45 };
/** Values of `lanes.orientation` without a single direction: two-way and reversible. */
const BOTH_WAYS = [1, 4];

type Place = readonly [x: number, y: number, dx: number, dy: number];

/** Returns the outline of a V whose tip points along the lane. */
function chevron([x, y, dx, dy]: Place): number[] {
	const at = (along: number, aside: number) => [
		x + along * dx - aside * dy,
		y + along * dy + aside * dx,
	];
	const { back, aside, stroke } = CHEVRON;
	return [
		...at(0, 0),
		...at(-back, aside),
		...at(-back - stroke, aside),
		...at(-stroke, 0),
		...at(-back - stroke, -aside),
		...at(-back, -aside),
	];
}

function detailOf(map: MapView, { rows }: TileShape): RoadDetail {
	const { lanes } = map;
	const { originX, originY } = mapShapes(map);
	const guides = new LineMaker();
	const chevrons: MapShape[] = [];
	for (const row of rows) {
		const middle = between(lineOf(lanes.left, row), lineOf(lanes.right, row));
		if (lanes.in_junction[row] === 1) {
			guides.add(middle);
			continue;
		}
		if (BOTH_WAYS.includes(lanes.orientation[row] ?? 0)) continue;
		if (lanes.can_have_parked_cars[row] === 1) continue;
		const length = lengthOf(middle);
		for (let at = CHEVRON_FIRST; at < length; at += CHEVRON_EVERY)
			chevrons.push(shapeOf(chevron(pointAt(middle, at)), originX, originY));
	}
	return {
		...laneMarks(map, rows),
		guides: guides.made(),
		chevrons: merged(chevrons),
	};
}

/** Metres from one bar of a crosswalk to the next, and a bar's width. */
const BARS_EVERY = 1.2;
const BAR = 0.6;

/** Returns the direction of a ring's longest side. */
function longestSide(ring: Float64Array): readonly [dx: number, dy: number] {
	let best: readonly [number, number] = [1, 0];
	let longest = 0;
	for (let k = 0; k < ring.length; k += 2) {
		const next = (k + 2) % ring.length;
		const dx = (ring[next] ?? 0) - (ring[k] ?? 0);
		const dy = (ring[next + 1] ?? 0) - (ring[k + 1] ?? 0);
		const length = Math.hypot(dx, dy);
		if (length > longest) best = [dx / length, dy / length];
		longest = Math.max(longest, length);
	}
	return best;
}

/** Returns the sorted positions across the axis at which a ring crosses `along` it. */
function crossings(turned: readonly (readonly [number, number])[], along: number) {
	const found: number[] = [];
	turned.forEach(([s0, t0], k) => {
		const [s1, t1] = turned[(k + 1) % turned.length] ?? [s0, t0];
		if (s0 <= along === s1 <= along) return;
		found.push(t0 + ((along - s0) / (s1 - s0)) * (t1 - t0));
	});
	return found.sort((a, b) => a - b);
}

/** Returns the bars of a crosswalk: across its longest side, which people walk along. */
export function zebraRings(ring: Float64Array): number[][] {
	const [ux, uy] = longestSide(ring);
	const turned = Array.from({ length: ring.length / 2 }, (_, k) => {
		const [x = 0, y = 0] = [ring[2 * k], ring[2 * k + 1]];
		return [x * ux + y * uy, y * ux - x * uy] as const;
	});
	const low = turned.reduce((least, [s]) => Math.min(least, s), Infinity);
	const high = turned.reduce((most, [s]) => Math.max(most, s), -Infinity);
	const count = Math.max(0, Math.floor((high - low) / BARS_EVERY));
	const first = (low + high) / 2 - ((count - 1) * BARS_EVERY) / 2;
	const bars: number[][] = [];
	for (let k = 0; k < count; k += 1) {
		const s = first + k * BARS_EVERY;
		const found = crossings(turned, s);
		for (let i = 0; i + 1 < found.length; i += 2) {
			const [t0 = 0, t1 = 0] = [found[i], found[i + 1]];
			const bar = [
				[s - BAR / 2, t0],
				[s + BAR / 2, t0],
				[s + BAR / 2, t1],
				[s - BAR / 2, t1],
			] as const;
			bars.push(bar.flatMap(([a, b]) => [a * ux - b * uy, a * uy + b * ux]));
		}
	}
	return bars;
}

interface Made {
	readonly tiles: Map<TileShape, RoadDetail>;
	readonly zebras: Map<number, MapShape>;
}

const known = new WeakMap<MapView, Made>();

function madeOf(map: MapView): Made {
	const before = known.get(map);
	if (before) return before;
	const made: Made = { tiles: new Map(), zebras: new Map() };
	known.set(map, made);
	return made;
}

/** Returns the paint on a tile's roads, cached; computed when the tile is first drawn. */
export function roadDetail(map: MapView, tile: TileShape): RoadDetail {
	const { tiles } = madeOf(map);
	const before = tiles.get(tile);
	if (before) return before;
	const detail = detailOf(map, tile);
	tiles.set(tile, detail);
	return detail;
}

/** Returns a crosswalk's bars as one shape, cached. */
export function zebraOf(map: MapView, row: number): MapShape {
	const { zebras } = madeOf(map);
	const before = zebras.get(row);
	if (before) return before;
	const { originX, originY } = mapShapes(map);
	const bars = zebraRings(lineOf(map.crosswalks, row));
	const zebra = merged(bars.map((bar) => shapeOf(bar, originX, originY)));
	zebras.set(row, zebra);
	return zebra;
}
