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
