import type { LaneBoundaries, MapView } from "../../dataset/map-view.js";
import {
	type Coordinates,
	cut,
	LineMaker,
	lengthOf,
	lineOf,
	type MapLine,
} from "./map-lines.js";

/** How a boundary is painted. */
export type MarkStyle = "solid" | "double" | "dashed";

/** Painted lines of lanes, by style. */
export type LaneMarks = Readonly<Record<MarkStyle, MapLine>>;

/** Metres of a dash, and from one dash to the next. */
const DASH = 3;
const PERIOD = 9;

/** Styles of L5Kit's line kinds from 2 on; kinds 0 and 1 are unknown and none. */
const STYLES: readonly (MarkStyle | undefined)[] = [
	undefined,
	undefined,
	"solid",
	"solid",
	"dashed",
	"dashed",
	"double",
	"double",
	"double",
	"double",
	"solid",
	"solid",
	"solid",
];

/** Boundaries of both sides that occur in two lanes, each painted once. */
interface Shared {
	/** Number of lanes per boundary. */
	readonly counts: ReadonlyMap<string, number>;
	/** Whether two neighbours have the same direction. */
	readonly aligned: ReadonlySet<string>;
}

/** Returns a key that is equal for both directions of a line. */
function keyOf(line: Coordinates): { readonly key: string; readonly forward: boolean } {
	const end = line.length - 2;
	const at = (k: number) =>
		`${Math.round(line[k] ?? 0)} ${Math.round(line[k + 1] ?? 0)}`;
	const [first, last] = [at(0), at(end)];
	const forward = first < last;
	return { key: forward ? `${first},${last}` : `${last},${first}`, forward };
}

function sharedOf({ lanes }: MapView): Shared {
	const counts = new Map<string, number>();
	const directions = new Map<string, boolean>();
	const aligned = new Set<string>();
	for (const side of [lanes.left, lanes.right]) {
		for (let row = 0; row < lanes.length; row += 1) {
			const line = lineOf(side, row);
			if (line.length < 4 || lanes.in_junction[row] === 1) continue;
			const { key, forward } = keyOf(line);
			counts.set(key, (counts.get(key) ?? 0) + 1);
			if (directions.get(key) === forward) aligned.add(key);
			directions.set(key, forward);
		}
	}
	return { counts, aligned };
}

/** A part of a boundary with one line kind, in metres along it. */
interface Section {
	readonly from: number;
	readonly to: number;
	readonly kind: number;
}

/** Returns the sections of a lane's boundary, from the distances at which kinds change. */
export function sectionsOf(side: LaneBoundaries, row: number): Section[] {
	const first = side.dividers_first[row] ?? 0;
	const count = (side.dividers_first[row + 1] ?? first) - first;
	const changes = side.changes_first[row] ?? 0;
	const changeCount = (side.changes_first[row + 1] ?? changes) - changes;
	const sections: Section[] = [];
	let from = 0;
	for (let k = 0; k < Math.max(1, count); k += 1) {
		const isLast = k >= changeCount || k + 1 >= count;
		const to = isLast
			? Number.POSITIVE_INFINITY
			: (side.changes_cm[changes + k] ?? 0) / 100;
		const kind = count > 0 ? (side.dividers[first + k] ?? 0) : 0;
		sections.push({ from, to, kind });
		if (isLast) break;
		from = to;
	}
	return sections;
}

/** Adds dashes between two distances; their phase starts at the line's first point. */
function addDashes(maker: LineMaker, line: Coordinates, from: number, to: number) {
	const end = Math.min(to, lengthOf(line));
	for (let at = Math.floor(from / PERIOD) * PERIOD; at < end; at += PERIOD) {
		const [begin, finish] = [Math.max(from, at), Math.min(end, at + DASH)];
		if (finish > begin) maker.add(cut(line, begin, finish));
	}
}

const known = new WeakMap<MapView, Shared>();

function knownShared(map: MapView): Shared {
	const before = known.get(map);
	if (before) return before;
	const shared = sharedOf(map);
	known.set(map, shared);
	return shared;
}

/**
 * Returns the painted boundaries of the lanes outside junctions. Where the map names no
 * line kind, a boundary between two lanes of one direction is dashed, others are solid. A
 * boundary of two lanes is returned once.
 */
export function laneMarks(map: MapView, rows: readonly number[]): LaneMarks {
	const { counts, aligned } = knownShared(map);
	const makers = {
		solid: new LineMaker(),
		double: new LineMaker(),
		dashed: new LineMaker(),
	};
	const { lanes } = map;
	const done = new Set<string>();
	for (const row of rows) {
		if (lanes.in_junction[row] === 1) continue;
		for (const side of [lanes.left, lanes.right]) {
			const line = lineOf(side, row);
			if (line.length < 4) continue;
			const { key } = keyOf(line);
			if (done.has(key)) continue;
			done.add(key);
			const plain = (counts.get(key) ?? 1) > 1 && aligned.has(key) ? "dashed" : "solid";
			for (const { from, to, kind } of sectionsOf(side, row)) {
				const style = STYLES[kind] ?? plain;
				if (style === "dashed") addDashes(makers.dashed, line, from, to);
				else makers[style].add(cut(line, from, to));
			}
		}
	}
	return {
		solid: makers.solid.made(),
		double: makers.double.made(),
		dashed: makers.dashed.made(),
	};
}
