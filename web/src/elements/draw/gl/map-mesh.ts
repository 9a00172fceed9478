import type { MapView } from "../../../dataset/map-view.js";
import type { MapLine } from "../map-lines.js";
import { type MapShape, mapShapes } from "../map-shapes.js";
import { type IndexRange, Mesh } from "./mesh.js";

/** Maximum miter length in line widths; enough for one-pixel lines. */
const LONGEST_MITER = 2;

type Point = readonly [x: number, y: number];

const NOWHERE: Point = [0, 0];

function unitNormal([x0, y0]: Point, [x1, y1]: Point): Point | undefined {
	const length = Math.hypot(x1 - x0, y1 - y0);
	return length > 1e-9 ? [(y0 - y1) / length, (x1 - x0) / length] : undefined;
}

/**
 * Returns the offset that moves a corner outwards by one width, from its segments'
 * normals.
 */
function cornerNormal(a: Point | undefined, b: Point | undefined): Point {
	const before = a ?? b ?? NOWHERE;
	const after = b ?? a ?? NOWHERE;
	const [x, y] = [before[0] + after[0], before[1] + after[1]];
	const square = x * x + y * y;
	if (square < 1e-9) return after;
	const reach = Math.min(LONGEST_MITER, 2 / Math.sqrt(square)) / Math.sqrt(square);
	return [x * reach, y * reach];
}

function addLine(mesh: Mesh, points: readonly Point[]): void {
	points.forEach((point, k) => {
		const [before, after] = [points[k - 1], points[k + 1]];
		const [nx, ny] = cornerNormal(
			before && unitNormal(before, point),
			after && unitNormal(point, after),
		);
		mesh.add(...point, nx, ny);
		mesh.add(...point, -nx, -ny);
	});
	mesh.restart();
}

/** A map's triangles, in metres from its origin; shapes are added when first drawn. */
export class MapMesh {
	/**
	 * Four numbers per vertex: x, y, and the normal along which a line is widened (0 for
	 * areas).
	 */
	readonly mesh = new Mesh(4);
	readonly #origin: Point;
	readonly #known = new Map<MapShape | MapLine, IndexRange>();

	constructor(map: MapView) {
		const { originX, originY } = mapShapes(map);
		this.#origin = [originX, originY];
	}

	/** Returns the fans of an area. */
	areaOf(shape: MapShape): IndexRange {
		return this.#rangeOf(shape, () => {
			for (const ring of shape.rings) {
				for (let k = 0; k < ring.length; k += 2) {
					this.mesh.add(ring[k] ?? 0, ring[k + 1] ?? 0, 0, 0);
				}
				this.mesh.restart();
			}
		});
	}

	/** Returns the strips along lines. */
	lineOf(line: MapLine): IndexRange {
		const { points, offsets } = line;
		const [x, y] = this.#origin;
		return this.#rangeOf(line, () => {
			for (let i = 0; i + 1 < offsets.length; i += 1) {
				const of: Point[] = [];
				for (let k = offsets[i] ?? 0; k < (offsets[i + 1] ?? 0); k += 1)
					of.push([(points[2 * k] ?? 0) - x, (points[2 * k + 1] ?? 0) - y]);
				addLine(this.mesh, of);
			}
		});
	}

	#rangeOf(of: MapShape | MapLine, add: () => void): IndexRange {
		const before = this.#known.get(of);
		if (before) return before;
		const range = this.mesh.range(add);
		this.#known.set(of, range);
		return range;
	}
}
