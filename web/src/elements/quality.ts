import type { FrameView } from "../frame-view.js";
import type { MapView } from "../map-view.js";
import { frameCount, type ViewerState } from "./state.js";

/** Something in the data that deserves a look. */
export interface QualityMark {
	readonly frame: number;
	/** In words, with the numbers. */
	readonly what: string;
}

/** A step in time this many times the usual one is a gap. */
const GAP = 1.5;
/** Metres a second: what moved faster between two frames is another thing. */
const FASTEST = 70;
/** Of one kind, no more are told one by one: the first says enough. */
const MOST_OF_A_KIND = 20;

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function gaps(seconds: Float64Array): QualityMark[] {
	const steps = Array.from(seconds.subarray(1), (s, k) => s - (seconds[k] ?? 0));
	const usual = median(steps);
	return steps.flatMap((step, k) => {
		if (step > GAP * usual) {
			return [{ frame: k + 1, what: `${step.toFixed(2)} s since the frame before` }];
		}
		return step <= 0 ? [{ frame: k + 1, what: "Time does not advance" }] : [];
	});
}

/** Tracks whose box has no area. */
function flat({ agents, frame }: FrameView): QualityMark[] {
	const none = (i: number) =>
		!((agents.extent[3 * i] ?? 0) > 0 && (agents.extent[3 * i + 1] ?? 0) > 0);
	const rows = Array.from(agents.track_id.keys()).filter(none);
	return rows.map((i) => ({ frame, what: `Track ${agents.track_id[i]} has no size` }));
}

/** Tracks that are somewhere else than a moment before. */
function jumps(before: FrameView, view: FrameView, elapsed: number): QualityMark[] {
	const places = new Map<bigint, number>();
	before.agents.track_id.forEach((track, i) => {
		places.set(track, i);
	});
	const marks: QualityMark[] = [];
	view.agents.track_id.forEach((track, i) => {
		const was = places.get(track);
		if (was === undefined || elapsed <= 0) return;
		const metres = Math.hypot(
			(view.agents.centroid[2 * i] ?? 0) - (before.agents.centroid[2 * was] ?? 0),
			(view.agents.centroid[2 * i + 1] ?? 0) -
				(before.agents.centroid[2 * was + 1] ?? 0),
		);
		if (metres <= FASTEST * elapsed) return;
		const what = `Track ${track} jumps ${metres.toFixed(1)} m`;
		marks.push({ frame: view.frame, what });
	});
	return marks;
}

/** Faces seen in the scene that control no lane of the map. */
function strays(view: FrameView, map: MapView, known: Set<string>): QualityMark[] {
	const controls = new Set(map.lanes.controls);
	const fresh = new Set(
		view.lights.face_id.filter((id) => !known.has(id) && !controls.has(id)),
	);
	for (const id of fresh) known.add(id);
	return [...fresh].map((id) => ({
		frame: view.frame,
		what: `Face ${id} controls no lane of the map`,
	}));
}

/** The first of each track's or face's troubles, at most `MOST_OF_A_KIND` of a kind. */
function firsts(marks: readonly QualityMark[]): QualityMark[] {
	const seen = new Set<string>();
	const fresh = marks.filter(({ what }) => {
		const subject = what.replace(/ jumps .*/, " jumps");
		return !seen.has(subject) && seen.add(subject);
	});
	return fresh.slice(0, MOST_OF_A_KIND);
}

/**
 * What is odd about the frames held, in frame order: gaps in time, frames without agents,
 * boxes without size, tracks that jump, faces without a lane.
 */
export function qualityMarks(
	state: ViewerState,
	frames: ReadonlyMap<number, FrameView>,
): QualityMark[] {
	const { sceneInfo, map } = state;
	if (!sceneInfo || frameCount(state) === 0) return [];
	const { seconds } = sceneInfo;
	const views = [...frames.values()].sort((a, b) => a.frame - b.frame);
	const empty = views.filter(({ agents }) => agents.length === 0);
	const faces = new Set<string>();
	const jumping = views.flatMap((view) => {
		const before = frames.get(view.frame - 1);
		const elapsed = (seconds[view.frame] ?? 0) - (seconds[view.frame - 1] ?? 0);
		return before ? jumps(before, view, elapsed) : [];
	});
	const marks = [
		...gaps(seconds),
		...empty.map(({ frame }) => ({ frame, what: "No agents" })).slice(0, 20),
		...firsts(views.flatMap(flat)),
		...firsts(jumping),
		...(map ? firsts(views.flatMap((view) => strays(view, map, faces))) : []),
	];
	return marks.sort((a, b) => a.frame - b.frame);
}
