import type { Point } from "./camera.js";

/** One segment of a path, in world metres. */
export interface Step {
	readonly dx: number;
	readonly dy: number;
	readonly metres: number;
	/** Radians, counter-clockwise from the world's x axis. */
	readonly heading: number;
}

export function stepBetween(from: Point, to: Point): Step {
	const [dx, dy] = [to.x - from.x, to.y - from.y];
	return { dx, dy, metres: Math.hypot(dx, dy), heading: Math.atan2(dy, dx) };
}

/** Returns the last segment; undefined for fewer than two points. */
export function lastStep(path: readonly Point[]): Step | undefined {
	const [from, to] = path.slice(-2);
	return from && to && stepBetween(from, to);
}

/** Returns a path's length in metres. */
export function lengthOf(path: readonly Point[]): number {
	let metres = 0;
	path.forEach((to, k) => {
		const from = path[k - 1];
		if (from) metres += stepBetween(from, to).metres;
	});
	return metres;
}
