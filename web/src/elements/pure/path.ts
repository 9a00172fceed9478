import type { Point } from "./camera.js";

/** One straight part of a path, in metres of world. */
export interface Step {
	readonly dx: number;
	readonly dy: number;
	readonly metres: number;
	/** Radians, counter-clockwise from world's x axis. */
	readonly heading: number;
}

export function stepBetween(from: Point, to: Point): Step {
	const [dx, dy] = [to.x - from.x, to.y - from.y];
	return { dx, dy, metres: Math.hypot(dx, dy), heading: Math.atan2(dy, dx) };
}

/** The step to the last point; undefined for fewer than two. */
export function lastStep(path: readonly Point[]): Step | undefined {
	const [from, to] = path.slice(-2);
	return from && to && stepBetween(from, to);
}

/** Metres along all of a path. */
export function lengthOf(path: readonly Point[]): number {
	let metres = 0;
	path.forEach((to, k) => {
		const from = path[k - 1];
		if (from) metres += stepBetween(from, to).metres;
	});
	return metres;
}
