import type { MapView } from "../../map-view.js";
import type { SceneTimeline } from "../../timeline.js";
import { faceColours, type LightState, shownState } from "../map/lights.js";

/** A light with constant state over frames `begin` to `end - 1`. */
export interface LightRun {
	readonly begin: number;
	readonly end: number;
	readonly state: LightState;
}

export interface LightTrace {
	readonly id: string;
	readonly runs: readonly LightRun[];
}

/**
 * Appends `run`, or extends the previous run if it is adjacent and has the same state.
 */
function append(runs: LightRun[], run: LightRun): void {
	const last = runs.at(-1);
	if (last?.end === run.begin && last.state === run.state)
		runs[runs.length - 1] = { ...last, end: run.end };
	else runs.push(run);
}

/**
 * Returns each traffic light's states over the scene, sorted by id, with the map's
 * colours. Omits lights whose state is never known. The set of lights depends only on
 * the scene.
 */
export function lightTraces(
	{ lights, faces }: SceneTimeline,
	map: MapView | undefined,
): LightTrace[] {
	const colours = map && faceColours(map);
	const byFace = faces.map(({ id }) => colours?.get(id));
	const { length, light, begin, end, state, active_offset, active_face } = lights.runs;
	const traces = lights.id.map((id) => ({ id, runs: [] as LightRun[] }));
	for (let i = 0; i < length; i += 1) {
		const active = active_face.subarray(active_offset[i], active_offset[i + 1]);
		append(traces[light[i] ?? 0]?.runs ?? [], {
			begin: begin[i] ?? 0,
			end: end[i] ?? 0,
			state: shownState(
				state[i] ?? 2,
				Array.from(active, (face) => byFace[face]),
			),
		});
	}
	return traces
		.filter(({ runs }) => runs.some((run) => run.state !== "unknown"))
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}
