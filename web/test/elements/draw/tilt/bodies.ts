import { screenBox } from "../../../../src/elements/draw/shapes.js";
import type { Solid } from "../../../../src/elements/draw/tilt/solid.js";
import type { Point } from "../../../../src/elements/scene-view/camera.js";

/** A box in world, metres, whose view has one pixel per metre. */
export interface Body {
	readonly x: number;
	readonly y: number;
	readonly yaw: number;
	readonly length: number;
	readonly width: number;
	readonly bottom: number;
	readonly top: number;
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function randomly(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

function corners({ x, y, yaw, length, width }: Body): number[] {
	const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
	return [
		[1, 1],
		[-1, 1],
		[-1, -1],
		[1, -1],
	].flatMap(([a = 0, b = 0]) => {
		const [u, v] = [(a * length) / 2, (b * width) / 2];
		return [x + cos * u - sin * v, y + sin * u + cos * v];
	});
}

/** Returns whether two footprints overlap, by their separating axes. */
function isOverlapping(a: Body, b: Body): boolean {
	const [p, q] = [corners(a), corners(b)];
	return [a.yaw, a.yaw + Math.PI / 2, b.yaw, b.yaw + Math.PI / 2].every((angle) => {
		const along = (of: number[]) =>
			[0, 2, 4, 6].map(
				(k) => (of[k] ?? 0) * Math.cos(angle) + (of[k + 1] ?? 0) * Math.sin(angle),
			);
		const [s, t] = [along(p), along(q)];
		return Math.min(...s) < Math.max(...t) && Math.min(...t) < Math.max(...s);
	});
}

/** Returns random bodies, on the ground or above it; without overlaps, or unchecked. */
export function bodiesWithout(
	what: "overlaps" | "checks",
	random: () => number,
	count: number,
): Body[] {
	const bodies: Body[] = [];
	while (bodies.length < count) {
		const bottom = random() < 0.2 ? 4 * random() : 0;
		const body = {
			...{ x: 60 * random() - 30, y: 60 * random() - 30, yaw: 7 * random() },
			...{ length: 4 + 12 * random(), width: 4 + 2 * random() },
			...{ bottom, top: bottom + 0.5 + 8 * random() },
		};
		if (what === "checks" || !bodies.some((other) => isOverlapping(body, other)))
			bodies.push(body);
		else if (random() < 0.02) break;
	}
	return bodies;
}

/** Returns a body in a picture of 0 by 0 pixels around the world's origin. */
export function solidOf(body: Body, tilt: number): Solid {
	const projection = { a: 1, b: 0, c: 0, d: -Math.cos(tilt), e: 0, f: 0 };
	const box = screenBox({ projection }, Float64Array.from(corners(body)), 0);
	const up = Math.sin(tilt);
	return { box, low: body.bottom * up, high: body.top * up };
}

/**
 * Returns the index of the body that the ray through a point of the picture enters first, or
 * -1. Works in three dimensions: the ray is cut by the body's slabs.
 */
export function bruteForce(bodies: readonly Body[], p: Point, tilt: number): number {
	const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
	// The camera looks along (0, sin, -cos); the picture's up is (0, cos, sin).
	const origin = [p.x, -p.y * cos - 1000 * sin, -p.y * sin + 1000 * cos] as const;
	const direction = [0, sin, -cos] as const;
	let [found, nearest] = [-1, Number.POSITIVE_INFINITY];
	for (const [i, { x, y, yaw, length, width, bottom, top }] of bodies.entries()) {
		const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
		const [ox, oy] = [origin[0] - x, origin[1] - y];
		const slabs = [
			[c * ox + s * oy, s * direction[1], -length / 2, length / 2],
			[-s * ox + c * oy, c * direction[1], -width / 2, width / 2],
			[origin[2], direction[2], bottom, top],
		] as const;
		let [enter, leave] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
		for (const [from, by, low, high] of slabs) {
			const times = [(low - from) / by, (high - from) / by];
			enter = Math.max(enter, Math.min(...times));
			leave = Math.min(leave, Math.max(...times));
		}
		if (enter > leave || enter >= nearest) continue;
		[found, nearest] = [i, enter];
	}
	return found;
}

/** A box with sides along the picture's axes. */
export function upright(
	x: number,
	y: number,
	width: number,
	depth: number,
	high: number,
): Solid {
	const [l, r, t, b] = [x - width / 2, x + width / 2, y - depth / 2, y + depth / 2];
	return {
		box: {
			...{ x: [r, l, l, r], y: [t, t, b, b] },
			...{ cx: x, cy: y, length: width, width: depth, hx: 1, hy: 0 },
		},
		low: 0,
		high,
	};
}
