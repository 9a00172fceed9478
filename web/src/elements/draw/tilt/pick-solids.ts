import type { MapView } from "../../../dataset/map-view.js";
import type { Point, View } from "../../scene-view/camera.js";
import { type Pickable, type Selection, toSegment } from "../../scene-view/picking.js";
import {
	type AgentSolid,
	agentSolids,
	type LightSolid,
	lightSolids,
} from "./scene-solids.js";
import { entryOf, hullOf, type Solid } from "./solid.js";

/** Returns the distance in CSS pixels from `p` to the box's outline. */
function distanceTo(solid: Solid, p: Point): number {
	const hull = hullOf(solid);
	let nearest = Number.POSITIVE_INFINITY;
	for (let k = 0; k < hull.length; k += 2) {
		const [ax = 0, ay = 0] = [hull[k], hull[k + 1]];
		const n = (k + 2) % hull.length;
		nearest = Math.min(nearest, toSegment(p, ax, ay, hull[n] ?? 0, hull[n + 1] ?? 0));
	}
	return Math.sqrt(nearest);
}

/** The better of two boxes is nearer to the pointer, then to the viewer, then by its centre. */
type Score = readonly [gap: number, behind: number, aside: number];

function isBetter(a: Score, b: Score): boolean {
	const k = a.findIndex((value, i) => value !== b[i]);
	return k >= 0 && (a[k] ?? 0) < (b[k] ?? 0);
}

/**
 * Returns the front-most box at `p`, that is, the one that the line of sight enters first;
 * else the nearest within `slack` CSS pixels.
 */
export function pickedSolid<T extends Solid>(
	solids: readonly T[],
	p: Point,
	slack: number,
): T | undefined {
	let best: T | undefined;
	let bestScore: Score = [slack, Number.POSITIVE_INFINITY, 0];
	for (const solid of solids) {
		const { box, high } = solid;
		const entry = entryOf(solid, p);
		const gap = entry === undefined ? distanceTo(solid, p) : 0;
		const aside = Math.hypot(box.cx - p.x, box.cy - high - p.y);
		const score: Score = [gap, -(entry ?? box.cy), aside];
		if (!isBetter(score, bestScore)) continue;
		best = solid;
		bestScore = score;
	}
	return best;
}

/** Returns the agent at a point of a tilted picture, or within `slack` CSS pixels. */
export function pickedAgent(
	{ frame, visibility, ego }: Pickable,
	view: View,
	at: Point,
	slack: number,
): Selection | undefined {
	const solids = agentSolids({ view, visibility }, frame, ego);
	return pickedSolid(solids, at, slack)?.selection;
}

/** Returns the id of the traffic light at a point; undefined if an agent is before it. */
export function pickedLight(
	{ frame, visibility, ego }: Pickable,
	view: View,
	at: Point,
	map: MapView | undefined,
): string | undefined {
	const agents = agentSolids({ view, visibility }, frame, ego);
	const solids = [...agents, ...lightSolids(view, frame, map)];
	const solid = pickedSolid<AgentSolid | LightSolid>(solids, at, 0);
	return solid?.kind === "light" ? solid.id : undefined;
}
