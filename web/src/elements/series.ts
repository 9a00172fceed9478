import type { FrameView } from "../frame-view.js";
import type { Selection } from "./pure/link.js";
import type { Quantity } from "./quantities.js";
import { agentIndex } from "./summary.js";

/** A value a frame; NaN where it is not known. */
export type Series = Float64Array;

interface Pose {
	readonly speed: number;
	readonly yaw: number;
}

function poseOf(frame: FrameView, of: Selection): Pose | undefined {
	if (of === "ego") return frame.ego;
	const i = agentIndex(frame, of);
	if (i === undefined) return undefined;
	const { speed, yaw } = frame.agents;
	return { speed: speed[i] ?? Number.NaN, yaw: yaw[i] ?? Number.NaN };
}

/** `values` without their turns: each as near as it can be to the one before it. */
function unwrapped(values: Series): Series {
	let before = Number.NaN;
	return values.map((value) => {
		const turns = Math.round((value - before) / (2 * Math.PI));
		const near = Number.isNaN(turns) ? value : value - turns * 2 * Math.PI;
		if (!Number.isNaN(near)) before = near;
		return near;
	});
}

/** Change a second, from the frames before and after: half of the noise of one step. */
function changes(values: Series, seconds: Float64Array): Series {
	return values.map((_, i) => {
		const a = Number.isNaN(values[i - 1] ?? Number.NaN) ? i : i - 1;
		const b = Number.isNaN(values[i + 1] ?? Number.NaN) ? i : i + 1;
		const elapsed = (seconds[b] ?? 0) - (seconds[a] ?? 0);
		const change = (values[b] ?? Number.NaN) - (values[a] ?? Number.NaN);
		return elapsed > 0 ? change / elapsed : Number.NaN;
	});
}

const DEGREES = 180 / Math.PI;

/** `quantity` of the ego or a track over the scene, as far as its frames are held. */
export function seriesOf(
	frames: ReadonlyMap<number, FrameView>,
	of: Selection,
	quantity: Quantity,
	seconds: Float64Array,
): Series {
	const poses = Array.from(seconds, (_, k) => {
		const frame = frames.get(k);
		return frame && poseOf(frame, of);
	});
	const speeds = Float64Array.from(poses, (pose) => pose?.speed ?? Number.NaN);
	if (quantity === "speed") return speeds;
	if (quantity === "acceleration") return changes(speeds, seconds);
	const yaws = unwrapped(Float64Array.from(poses, (pose) => pose?.yaw ?? Number.NaN));
	if (quantity === "rate") return changes(yaws, seconds).map((v) => v * DEGREES);
	return yaws.map((v) => v * DEGREES);
}

/** The least and greatest of what is known, a little apart; undefined when nothing is. */
export function rangeOfSeries(
	all: readonly Series[],
): readonly [number, number] | undefined {
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const series of all) {
		for (const value of series) {
			if (value < low) low = value;
			if (value > high) high = value;
		}
	}
	if (low > high) return undefined;
	const room = Math.max(0.5, (high - low) * 0.08);
	return [low - room, high + room];
}

/** An SVG path: x in frames, y from 1 (`low`) to 0 (`high`); broken where nothing is known. */
export function seriesPath(series: Series, low: number, high: number): string {
	let path = "";
	let joined = false;
	series.forEach((value, k) => {
		const known = !Number.isNaN(value);
		if (known) {
			const y = ((high - value) / (high - low)).toFixed(4);
			path += `${joined ? "L" : "M"}${k} ${y}`;
		}
		joined = known;
	});
	return path;
}
