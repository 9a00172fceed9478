import type { FrameView } from "../../dataset/frame-view.js";
import type { Point } from "./camera.js";

/** A selected agent's track id, or the ego. */
export type Selection = bigint | "ego";

/** Returns the squared distance from `p` to the segment between corners `a` and `b`. */
export function toSegment(
	p: Point,
	ax: number,
	ay: number,
	bx: number,
	by: number,
): number {
	const dx = bx - ax;
	const dy = by - ay;
	const length = dx * dx + dy * dy;
	const along = length > 0 ? ((p.x - ax) * dx + (p.y - ay) * dy) / length : 0;
	const t = Math.min(1, Math.max(0, along));
	return (p.x - ax - t * dx) ** 2 + (p.y - ay - t * dy) ** 2;
}

/**
 * Returns the distance in metres from `p` to the box at `8 * i` in `corners`; 0 inside.
 * Corners are counter-clockwise.
 */
export function distanceToBox(corners: Float64Array, i: number, p: Point): number {
	let nearest = Number.POSITIVE_INFINITY;
	let inside = true;
	for (let k = 0; k < 4; k += 1) {
		const a = i * 8 + k * 2;
		const b = i * 8 + ((k + 1) % 4) * 2;
		const ax = corners[a] ?? 0;
		const ay = corners[a + 1] ?? 0;
		const bx = corners[b] ?? 0;
		const by = corners[b + 1] ?? 0;
		nearest = Math.min(nearest, toSegment(p, ax, ay, bx, by));
		inside = inside && (bx - ax) * (p.y - ay) - (by - ay) * (p.x - ax) >= 0;
	}
	return inside ? 0 : Math.sqrt(nearest);
}

/** The agents that can be picked. */
export interface Pickable {
	readonly frame: FrameView;
	/** Nonzero if agent i can be picked. */
	readonly visibility: Uint8Array;
	readonly ego: boolean;
}

/**
 * Returns the agent at world point `p`, or within `slack` metres: the box that contains
 * it, else the nearest; for overlapping boxes the one with the nearer centre.
 */
export function picked(what: Pickable, p: Point, slack: number): Selection | undefined {
	const { agents, ego } = what.frame;
	let best: Selection | undefined;
	let bestScore = Number.POSITIVE_INFINITY;
	const offer = (selection: Selection, gap: number, cx: number, cy: number) => {
		if (!(gap <= slack)) return; // NaN of an unknown box
		// The gap dominates; the centre breaks ties among boxes that contain the point.
		const score = gap * 1000 + Math.hypot(cx - p.x, cy - p.y);
		if (score >= bestScore) return;
		bestScore = score;
		best = selection;
	};
	for (let i = 0; i < agents.length; i += 1) {
		if (what.visibility[i] === 0) continue;
		const [cx = 0, cy = 0] = agents.centroid.subarray(2 * i, 2 * i + 2);
		offer(agents.track_id[i] ?? 0n, distanceToBox(agents.corners, i, p), cx, cy);
	}
	if (what.ego) {
		const [cx = 0, cy = 0] = ego.centroid;
		offer("ego", distanceToBox(ego.corners, 0, p), cx, cy);
	}
	return best;
}

/**
 * Returns the pickable agents by ascending distance to the ego, for keyboard
 * navigation.
 */
export function byDistance(what: Pickable): bigint[] {
	const { agents } = what.frame;
	const rows = Array.from(agents.track_id.keys()).filter(
		(i) => what.visibility[i] !== 0,
	);
	rows.sort((a, b) => (agents.distance[a] ?? 0) - (agents.distance[b] ?? 0) || a - b);
	return rows.map((i) => agents.track_id[i] ?? 0n);
}
