import type { Polylines } from "../../frame-view.js";
import type { MapView } from "../../map-view.js";
import type { View } from "../pure/camera.js";

/** A path in metres from the map's origin, and the circle around it for culling. */
export interface MapShape {
	readonly area: Path2D;
	/** The sides alone: the ends of a lane are no lines on the road. */
	readonly sides: Path2D;
	readonly x: number;
	readonly y: number;
	readonly radius: number;
}

export interface LaneShape extends MapShape {
	/** Its row in the map. */
	readonly row: number;
	readonly inJunction: boolean;
}

export interface MapShapes {
	/** Paths are relative to it: far from world's origin single floats lose centimetres. */
	readonly originX: number;
	readonly originY: number;
	readonly lanes: readonly LaneShape[];
	readonly crosswalks: readonly MapShape[];
}

class Outline {
	readonly area = new Path2D();
	readonly sides = new Path2D();
	#minX = Number.POSITIVE_INFINITY;
	#minY = Number.POSITIVE_INFINITY;
	#maxX = Number.NEGATIVE_INFINITY;
	#maxY = Number.NEGATIVE_INFINITY;
	#empty = true;
	readonly #originX: number;
	readonly #originY: number;

	constructor(originX: number, originY: number) {
		this.#originX = originX;
		this.#originY = originY;
	}

	/** Goes on along line `i`; `backwards` from its end. */
	add({ points, offsets }: Polylines, i: number, backwards: boolean): void {
		const begin = offsets[i] ?? 0;
		const end = offsets[i + 1] ?? begin;
		for (let k = 0; k < end - begin; k += 1) {
			const at = backwards ? end - 1 - k : begin + k;
			const x = (points[2 * at] ?? 0) - this.#originX;
			const y = (points[2 * at + 1] ?? 0) - this.#originY;
			this.#point(x, y, k === 0);
		}
	}

	shape(): MapShape {
		if (!this.#empty) this.area.closePath();
		return {
			area: this.area,
			sides: this.sides,
			x: this.#originX + (this.#minX + this.#maxX) / 2,
			y: this.#originY + (this.#minY + this.#maxY) / 2,
			radius: Math.hypot(this.#maxX - this.#minX, this.#maxY - this.#minY) / 2,
		};
	}

	#point(x: number, y: number, starts: boolean): void {
		if (this.#empty) this.area.moveTo(x, y);
		else this.area.lineTo(x, y);
		if (starts) this.sides.moveTo(x, y);
		else this.sides.lineTo(x, y);
		this.#empty = false;
		this.#minX = Math.min(this.#minX, x);
		this.#minY = Math.min(this.#minY, y);
		this.#maxX = Math.max(this.#maxX, x);
		this.#maxY = Math.max(this.#maxY, y);
	}
}

function build({ lanes, crosswalks, bounds }: MapView): MapShapes {
	const originX = ((bounds[0] ?? 0) + (bounds[2] ?? 0)) / 2;
	const originY = ((bounds[1] ?? 0) + (bounds[3] ?? 0)) / 2;
	const lane = (i: number): LaneShape => {
		const outline = new Outline(originX, originY);
		outline.add(lanes.left, i, false);
		outline.add(lanes.right, i, true);
		return {
			...outline.shape(),
			row: i,
			inJunction: lanes.in_junction[i] === 1,
		};
	};
	const crosswalk = (i: number): MapShape => {
		const outline = new Outline(originX, originY);
		outline.add(crosswalks, i, false);
		return outline.shape();
	};
	return {
		originX,
		originY,
		lanes: Array.from({ length: lanes.length }, (_, i) => lane(i)),
		crosswalks: Array.from({ length: crosswalks.length }, (_, i) => crosswalk(i)),
	};
}

const built = new WeakMap<MapView, MapShapes>();

/** The map's paths, made once. */
export function mapShapes(map: MapView): MapShapes {
	const known = built.get(map);
	if (known) return known;
	const shapes = build(map);
	built.set(map, shapes);
	return shapes;
}

/** Whether any of the shape may be in the picture. */
export function inView(shape: MapShape, view: View): boolean {
	const reach = Math.hypot(view.width, view.height) / 2 / view.pixelsPerMetre;
	return Math.hypot(shape.x - view.x, shape.y - view.y) <= reach + shape.radius;
}
