import type { Polylines } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import { squeeze, type View } from "../scene-view/camera.js";

/** A bounding circle for culling, in world metres. */
export interface Round {
	readonly x: number;
	readonly y: number;
	readonly radius: number;
}

/** An area's path, in metres from the map's origin. */
export interface MapShape extends Round {
	readonly area: Path2D;
	/** The same area as x, y, x, y ..; each ring is counter-clockwise. */
	readonly rings: readonly Float64Array[];
}

export interface LaneShape extends MapShape {
	/** Row of the lane in the map. */
	readonly row: number;
	readonly inJunction: boolean;
}

/** The lanes whose centres are in one square of the map. */
export interface TileShape extends MapShape {
	/** Rows of the lanes. */
	readonly rows: readonly number[];
}

export interface MapShapes {
	/**
	 * Origin of the paths: single-precision coordinates lose centimetres far from the
	 * world's origin.
	 */
	readonly originX: number;
	readonly originY: number;
	readonly lanes: readonly LaneShape[];
	/** The lanes' areas merged by tile: one fill each, without seams. */
	readonly tiles: readonly TileShape[];
	readonly crosswalks: readonly MapShape[];
}

/**
 * Metres. At the default scale a picture shows a few tiles, with some dozen lanes each.
 */
const TILE = 120;

class Bounds {
	#minX = Number.POSITIVE_INFINITY;
	#minY = Number.POSITIVE_INFINITY;
	#maxX = Number.NEGATIVE_INFINITY;
	#maxY = Number.NEGATIVE_INFINITY;

	add(x: number, y: number, radius = 0): void {
		this.#minX = Math.min(this.#minX, x - radius);
		this.#minY = Math.min(this.#minY, y - radius);
		this.#maxX = Math.max(this.#maxX, x + radius);
		this.#maxY = Math.max(this.#maxY, y + radius);
	}

	/** Returns the bounding circle; NaN if nothing was added, which is never in view. */
	round(): Round {
		return {
			x: (this.#minX + this.#maxX) / 2,
			y: (this.#minY + this.#maxY) / 2,
			radius: Math.hypot(this.#maxX - this.#minX, this.#maxY - this.#minY) / 2,
		};
	}
}

/** Appends the coordinates of line `i`, reversed if `backwards`. */
function append(
	ring: number[],
	{ points, offsets }: Polylines,
	i: number,
	backwards: boolean,
): void {
	const begin = offsets[i] ?? 0;
	const end = offsets[i + 1] ?? begin;
	for (let k = 0; k < end - begin; k += 1) {
		const at = backwards ? end - 1 - k : begin + k;
		ring.push(points[2 * at] ?? 0, points[2 * at + 1] ?? 0);
	}
}

/** Returns twice the signed area, positive if the ring is counter-clockwise. */
function turn(ring: readonly number[]): number {
	let sum = 0;
	for (let k = 0; k < ring.length; k += 2) {
		const next = (k + 2) % ring.length;
		const [x = 0, y = 0] = [ring[k], ring[k + 1]];
		sum += x * (ring[next + 1] ?? 0) - (ring[next] ?? 0) * y;
	}
	return sum;
}

/**
 * Returns the ring as a counter-clockwise path: overlaps of opposite orientation would
 * be holes.
 */
export function shapeOf(
	ring: readonly number[],
	originX: number,
	originY: number,
): MapShape {
	const area = new Path2D();
	const bounds = new Bounds();
	const count = ring.length / 2;
	const reversed = turn(ring) < 0;
	const own = new Float64Array(2 * count);
	for (let k = 0; k < count; k += 1) {
		const at = 2 * (reversed ? count - 1 - k : k);
		const [x = 0, y = 0] = [ring[at], ring[at + 1]];
		bounds.add(x, y);
		own.set([x - originX, y - originY], 2 * k);
		if (k === 0) area.moveTo(x - originX, y - originY);
		else area.lineTo(x - originX, y - originY);
	}
	if (count > 0) area.closePath();
	return { area, rings: [own], ...bounds.round() };
}

/** Returns the union of shapes as one shape, filled once. */
export function merged(shapes: readonly MapShape[]): MapShape {
	const [area, bounds] = [new Path2D(), new Bounds()];
	for (const shape of shapes) {
		area.addPath(shape.area);
		bounds.add(shape.x, shape.y, shape.radius);
	}
	return { area, rings: shapes.flatMap(({ rings }) => rings), ...bounds.round() };
}

function tilesOf(lanes: readonly LaneShape[]): TileShape[] {
	const tiles = new Map<string, LaneShape[]>();
	for (const lane of lanes) {
		const key = `${Math.floor(lane.x / TILE)} ${Math.floor(lane.y / TILE)}`;
		const tile = tiles.get(key);
		if (tile) tile.push(lane);
		else tiles.set(key, [lane]);
	}
	return [...tiles.values()].map((of) => ({
		...merged(of),
		rows: of.map(({ row }) => row),
	}));
}

function build({ lanes, crosswalks, bounds }: MapView): MapShapes {
	const originX = ((bounds[0] ?? 0) + (bounds[2] ?? 0)) / 2;
	const originY = ((bounds[1] ?? 0) + (bounds[3] ?? 0)) / 2;
	const lane = (i: number): LaneShape => {
		const ring: number[] = [];
		append(ring, lanes.left, i, false);
		append(ring, lanes.right, i, true);
		const inJunction = lanes.in_junction[i] === 1;
		return { ...shapeOf(ring, originX, originY), row: i, inJunction };
	};
	const crosswalk = (i: number): MapShape => {
		const ring: number[] = [];
		append(ring, crosswalks, i, false);
		return shapeOf(ring, originX, originY);
	};
	const shapes = Array.from({ length: lanes.length }, (_, i) => lane(i));
	return {
		originX,
		originY,
		lanes: shapes,
		tiles: tilesOf(shapes),
		crosswalks: Array.from({ length: crosswalks.length }, (_, i) => crosswalk(i)),
	};
}

const built = new WeakMap<MapView, MapShapes>();

/** Returns the map's paths, cached. */
export function mapShapes(map: MapView): MapShapes {
	const known = built.get(map);
	if (known) return known;
	const shapes = build(map);
	built.set(map, shapes);
	return shapes;
}

/** Returns whether any part of the shape may be visible. */
export function inView(shape: Round, view: View): boolean {
	const across = Math.hypot(view.width, view.height / squeeze(view));
	const reach = across / 2 / view.pixelsPerMetre;
	return Math.hypot(shape.x - view.x, shape.y - view.y) <= reach + shape.radius;
}
