import type { FrameView } from "../../dataset/frame-view.js";
import type { Overlay } from "../draw/picture.js";
import type { RolloutReport } from "./rollout-state.js";

/** Colour of simulated road users, and of the ego vehicle when it collides. */
export const SIMULATED = "#c026d3";
const COLLIDING = "#ff2d2d";
/** Colours of the plan that was made in the frame, and of the expert's path. */
export const PLAN = "#0891b2";
export const EXPERT = "#65a30d";
/** Numbers of an outline: 7 points. */
const OUTLINE = 14;

/** First row of each frame's agents. */
const firsts = new WeakMap<Uint32Array, Uint32Array>();

function firstRows(counts: Uint32Array): Uint32Array {
	const known = firsts.get(counts);
	if (known) return known;
	const first = new Uint32Array(counts.length + 1);
	for (const [k, count] of counts.entries()) first[k + 1] = (first[k] ?? 0) + count;
	firsts.set(counts, first);
	return first;
}

/** Returns the centres of the ego vehicle's outlines. */
function pathOf({ outlines, frames }: RolloutReport): Float64Array {
	const path = new Float64Array(2 * frames);
	for (let k = 0; k < frames; k += 1)
		path.set(outlines.subarray(OUTLINE * k, OUTLINE * k + 2), 2 * k);
	return path;
}

const paths = new WeakMap<RolloutReport, Float64Array>();

/**
 * Returns what is drawn of a rollout in a frame: the ego vehicle's path, its box and the
 * line to its recorded place, and the boxes of the agents that moved.
 */
export function ghostsOf(report: RolloutReport, shown: FrameView): readonly Overlay[] {
	const { scene, frame } = shown;
	const at = frame - report.firstFrame;
	const path = paths.get(report) ?? pathOf(report);
	paths.set(report, path);
	const all: Overlay[] = [{ points: path, kind: "line", color: SIMULATED, scene }];
	const { planFirst, plan, expert } = report.planned ?? {};
	if (expert && expert.length > 0)
		all.unshift({ points: expert, kind: "line", color: EXPERT, scene });
	if (at < 0 || at >= report.frames) return all;
	const box = (row: number, color: string): Overlay => {
		const points = report.outlines.subarray(OUTLINE * row, OUTLINE * (row + 1));
		return { points, kind: "line", color, scene, frame };
	};
	const first = firstRows(report.counts);
	for (let row = first[at] ?? 0; row < (first[at + 1] ?? 0); row += 1) {
		if (report.moved[row] === 1) all.push(box(report.frames + row, SIMULATED));
	}
	if (plan && planFirst) {
		const points = plan.subarray(
			2 * (planFirst[at] ?? 0),
			2 * (planFirst[at + 1] ?? 0),
		);
		if (points.length > 0)
			all.push({ points, kind: "line", color: PLAN, scene, frame });
	}
	const [x = Number.NaN, y = Number.NaN] = shown.ego.centroid;
	const gap = Float64Array.of(x, y, path[2 * at] ?? x, path[2 * at + 1] ?? y);
	all.push({ points: gap, kind: "line", color: SIMULATED, scene, frame });
	all.push(box(at, report.collision[at] ? COLLIDING : SIMULATED));
	return all;
}
