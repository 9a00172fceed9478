import type { Polylines } from "../../dataset/frame-view.js";
import type { Round } from "./map-shapes.js";

/** Polylines in world metres with a bounding circle. */
export interface MapLine extends Polylines, Round {}

/** Coordinates x, y, x, y .. of a polyline, in world metres. */
export type Coordinates = readonly number[] | Float64Array;

/** Collects polylines. */
export class LineMaker {
	readonly #points: number[] = [];
	readonly #offsets: number[] = [0];

	/** Adds a polyline; ignores fewer than two points. */
	add(line: Coordinates): void {
		if (line.length < 4) return;
		for (const value of line) this.#points.push(value);
		this.#offsets.push(this.#points.length / 2);
	}

	made(): MapLine {
		const points = Float64Array.from(this.#points);
		return { points, offsets: Uint32Array.from(this.#offsets), ...roundOf(points) };
	}
}

/** Returns the bounding circle; NaN without points, which is never in view. */
export function roundOf(points: Coordinates): Round {
	let [left, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	let [right, top] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (let k = 0; k + 1 < points.length; k += 2) {
		const [x = 0, y = 0] = [points[k], points[k + 1]];
		left = Math.min(left, x);
		right = Math.max(right, x);
		bottom = Math.min(bottom, y);
		top = Math.max(top, y);
	}
	const radius = Math.hypot(right - left, top - bottom) / 2;
	return { x: (left + right) / 2, y: (bottom + top) / 2, radius };
}

/** Returns the coordinates of line `i`. */
export function lineOf({ points, offsets }: Polylines, i: number): Float64Array {
	const begin = offsets[i] ?? 0;
	return points.subarray(2 * begin, 2 * (offsets[i + 1] ?? begin));
}

export function lengthOf(line: Coordinates): number {
	let sum = 0;
	for (let k = 2; k + 1 < line.length; k += 2) sum += segment(line, k);
	return sum;
}

/** Returns the length of the segment that ends at coordinate `k`. */
function segment(line: Coordinates, k: number): number {
	const dx = (line[k] ?? 0) - (line[k - 2] ?? 0);
	const dy = (line[k + 1] ?? 0) - (line[k - 1] ?? 0);
	return Math.hypot(dx, dy);
}

/**
 * Returns the part of a line between two distances along it, in metres, clamped to the
 * line.
 */
export function cut(line: Coordinates, from: number, to: number): number[] {
	const part: number[] = [];
	let done = 0;
	for (let k = 2; k + 1 < line.length; k += 2) {
		const length = segment(line, k);
		const [x0 = 0, y0 = 0] = [line[k - 2], line[k - 1]];
		const [dx, dy] = [(line[k] ?? 0) - x0, (line[k + 1] ?? 0) - y0];
		const add = (along: number): void => {
			const share = length > 0 ? along / length : 0;
			part.push(x0 + share * dx, y0 + share * dy);
		};
		const [begin, end] = [from - done, to - done];
		if (end > 0 && begin < length) {
			if (part.length === 0) add(Math.max(0, begin));
			add(Math.min(length, end));
		}
		done += length;
	}
	return part;
}

/** Returns the point at a distance along the line, and the unit direction there. */
export function pointAt(
	line: Coordinates,
	along: number,
): readonly [x: number, y: number, dx: number, dy: number] {
	let left = along;
	const last = line.length - 2;
	for (let k = 2; k <= last; k += 2) {
		const length = segment(line, k);
		if ((left > length && k < last) || length === 0) {
			left -= length;
			continue;
		}
		const [x = 0, y = 0] = [line[k - 2], line[k - 1]];
		const dx = ((line[k] ?? 0) - x) / length;
		const dy = ((line[k + 1] ?? 0) - y) / length;
		return [x + left * dx, y + left * dy, dx, dy];
	}
	return [line[0] ?? 0, line[1] ?? 0, 1, 0];
}

/** Maximum number of points of a centre line. */
const MID_POINTS = 24;

/** Returns the line midway between two boundaries, by equal shares of their lengths. */
export function between(left: Coordinates, right: Coordinates): number[] {
	if (left.length < 4 || right.length < 4) return [];
	const count = Math.min(MID_POINTS, Math.max(left.length, right.length) / 2);
	const [a, b] = [lengthOf(left), lengthOf(right)];
	const line: number[] = [];
	for (let k = 0; k < count; k += 1) {
		const share = k / (count - 1);
		const [lx, ly] = pointAt(left, share * a);
		const [rx, ry] = pointAt(right, share * b);
		line.push((lx + rx) / 2, (ly + ry) / 2);
	}
	return line;
}
