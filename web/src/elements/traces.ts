import type { FrameView } from "../frame-view.js";
import type { MapView } from "../map-view.js";
import { type LightState, lightsOf } from "./lights.js";

type Frames = ReadonlyMap<number, FrameView>;

/** A light that does not change over frames `begin` to `end - 1`. */
export interface LightRun {
	readonly begin: number;
	readonly end: number;
	readonly state: LightState;
}

export interface LightTrace {
	readonly id: string;
	readonly runs: readonly LightRun[];
}

/** Each traffic light over the frames held; gaps where none are. */
export function lightTraces(frames: Frames, map: MapView | undefined): LightTrace[] {
	const traces = new Map<string, LightRun[]>();
	for (const frame of [...frames.keys()].sort((a, b) => a - b)) {
		const view = frames.get(frame);
		if (!view) continue;
		for (const { id, state } of lightsOf(view, map)) {
			const runs = traces.get(id) ?? [];
			traces.set(id, runs);
			const last = runs.at(-1);
			const grows = last?.end === frame && last.state === state;
			if (grows) runs[runs.length - 1] = { ...last, end: frame + 1 };
			else runs.push({ begin: frame, end: frame + 1, state });
		}
	}
	return [...traces]
		.map(([id, runs]) => ({ id, runs }))
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A value of each frame held, in frame order; frames without it are left out. */
export type Trace = readonly (readonly [frame: number, value: number])[];

export function speedTrace(frames: Frames): Trace {
	return [...frames]
		.map(([frame, view]) => [frame, view.ego.speed] as const)
		.filter(([, speed]) => Number.isFinite(speed))
		.sort(([a], [b]) => a - b);
}

/** An SVG path through `trace`, x in frames, y from 1 (0) to 0 (`top`); broken at gaps. */
export function tracePath(trace: Trace, top: number): string {
	const scale = top > 0 ? 1 / top : 0;
	return trace
		.map(([frame, value], k) => {
			const joined = trace[k - 1]?.[0] === frame - 1;
			return `${joined ? "L" : "M"}${frame} ${(1 - value * scale).toFixed(4)}`;
		})
		.join("");
}
