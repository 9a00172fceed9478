import type { Polylines } from "../../../frame-view.js";
import type { MapView } from "../../../map-view.js";
import { type MapShape, mapShapes } from "../map-shapes.js";
import { type IndexRange, Mesh } from "./mesh.js";

/** A map's triangles, in metres from its origin. */
export interface MapMesh {
	/**
	 * Four numbers per vertex: x, y, and the normal along which a line is widened (0 for
	 * areas).
	 */
	readonly mesh: Mesh;
	/** The fans of each area. */
	readonly areas: ReadonlyMap<MapShape, IndexRange>;
	/** The strips along both sides of each lane, by row. */
	readonly sides: readonly IndexRange[];
}

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

function pointsOf({ points, offsets }: Polylines, i: number, origin: Point): Point[] {
	const begin = offsets[i] ?? 0;
	const count = Math.max(0, (offsets[i + 1] ?? begin) - begin);
	return Array.from({ length: count }, (_, k) => [
		(points[2 * (begin + k)] ?? 0) - origin[0],
		(points[2 * (begin + k) + 1] ?? 0) - origin[1],
	]);
}

export function mapMesh(map: MapView): MapMesh {
	const { originX, originY, lanes, tiles, crosswalks } = mapShapes(map);
	const mesh = new Mesh(4);
	const areas = new Map<MapShape, IndexRange>();
	for (const shape of [...lanes, ...crosswalks, ...tiles]) {
		const range = mesh.range(() => {
			for (const ring of shape.rings) {
				for (let k = 0; k < ring.length; k += 2) {
					mesh.add(ring[k] ?? 0, ring[k + 1] ?? 0, 0, 0);
				}
				mesh.restart();
			}
		});
		areas.set(shape, range);
	}
	const origin = [originX, originY] as const;
	const sides = lanes.map(({ row }) =>
		mesh.range(() => {
			for (const side of [map.lanes.left, map.lanes.right]) {
				addLine(mesh, pointsOf(side, row, origin));
			}
		}),
	);
	return { mesh, areas, sides };
}
