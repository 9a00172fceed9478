import type { Point } from "../../scene-view/camera.js";
import type { ScreenBox } from "../picture.js";

/** An upright box in a tilted picture, in CSS pixels. */
export interface Solid {
	/** The footprint, on the ground. */
	readonly box: ScreenBox;
	/** How far the bottom and the top are above the footprint in the picture. */
	readonly low: number;
	readonly high: number;
}

/** Corners by index, counter-clockwise in the picture. */
export const CORNERS = [0, 1, 2, 3] as const;
export type Corner = (typeof CORNERS)[number];

export function nextCorner(k: Corner): Corner {
	return ((k + 1) % 4) as Corner;
}

/**
 * Returns the extent of the footprint in column `x`: the smallest and largest y; infinite and
 * reversed if it does not reach `x`.
 */
export function spanAt({ x: xs, y: ys }: ScreenBox, x: number): [number, number] {
	let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const k of CORNERS) {
		const n = nextCorner(k);
		const [x0, x1, y0, y1] = [xs[k], xs[n], ys[k], ys[n]];
		if (!(Math.min(x0, x1) <= x && x <= Math.max(x0, x1))) continue;
		const t = x0 === x1 ? 0 : (x - x0) / (x1 - x0);
		const y = y0 + t * (y1 - y0);
		min = Math.min(min, y, x0 === x1 ? y1 : y);
		max = Math.max(max, y, x0 === x1 ? y1 : y);
	}
	return [min, max];
}

/**
 * Returns where the line of sight through `p` enters the box, as the y of the ground below:
 * larger is nearer to the viewer. Undefined if the line misses the box.
 */
export function entryOf({ box, low, high }: Solid, p: Point): number | undefined {
	// A line of sight passes over ground at p.y + h, where h is its height in pixels.
	const [min, max] = spanAt(box, p.x);
	const [from, to] = [Math.max(min, p.y + low), Math.min(max, p.y + high)];
	return from <= to ? to : undefined;
}

/** Returns the convex hull of the box in the picture: x, y, x, y .., clockwise. */
export function hullOf({ box, low, high }: Solid): number[] {
	const points = CORNERS.flatMap((k) => [
		[box.x[k], box.y[k] - low],
		[box.x[k], box.y[k] - high],
	]).sort(([ax = 0, ay = 0], [bx = 0, by = 0]) => ax - bx || ay - by);
	const chain = (of: readonly (readonly number[])[]): number[] => {
		const hull: number[] = [];
		for (const [x = 0, y = 0] of of) {
			while (hull.length >= 4) {
				const [px = 0, py = 0, qx = 0, qy = 0] = hull.slice(-4);
				if ((qx - px) * (y - py) - (qy - py) * (x - px) > 0) break;
				hull.length -= 2;
			}
			hull.push(x, y);
		}
		return hull.slice(0, -2);
	};
	return [...chain(points), ...chain(points.reverse())];
}

/** Maximum number of boxes that are ordered pair by pair. */
const MAX_ORDERED = 1000;

interface Bounded<T> {
	readonly solid: T;
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

function bounded<T extends Solid>(solid: T): Bounded<T> {
	const { x, y } = solid.box;
	return {
		solid,
		left: Math.min(...x),
		right: Math.max(...x),
		top: Math.min(...y) - solid.high,
		bottom: Math.max(...y) - solid.low,
	};
}

function isOverlapping(a: Bounded<Solid>, b: Bounded<Solid>): boolean {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Returns whether `a` is behind `b` where both are in the same columns. */
function isBehind(a: Bounded<Solid>, b: Bounded<Solid>): boolean {
	const x = (Math.max(a.left, b.left) + Math.min(a.right, b.right)) / 2;
	const [p, q] = [spanAt(a.solid.box, x), spanAt(b.solid.box, x)];
	return p[0] + p[1] < q[0] + q[1];
}

/**
 * Returns the boxes in the order in which they are painted: none hides a later one. An
 * order by centres would let a bus hide a pedestrian beside its front. For footprints that
 * do not overlap, which box is behind has no cycles, since sight lines are parallel.
 * More than `MAX_ORDERED` boxes are ordered by their centres.
 */
export function backToFront<T extends Solid>(solids: readonly T[]): T[] {
	const all = solids.map(bounded).sort((a, b) => a.solid.box.cy - b.solid.box.cy);
	if (all.length > MAX_ORDERED) return all.map(({ solid }) => solid);
	const behind = all.map((): number[] => []);
	for (const [i, a] of all.entries()) {
		for (let j = i + 1; j < all.length; j += 1) {
			const b = all[j] as Bounded<T>;
			if (!isOverlapping(a, b)) continue;
			if (isBehind(b, a)) behind[i]?.push(j);
			else behind[j]?.push(i);
		}
	}
	const ordered: T[] = [];
	const isVisited = new Uint8Array(all.length);
	const visit = (i: number): void => {
		if (isVisited[i]) return;
		isVisited[i] = 1;
		for (const j of behind[i] ?? []) visit(j);
		const { solid } = all[i] as Bounded<T>;
		ordered.push(solid);
	};
	for (const i of all.keys()) visit(i);
	return ordered;
}
