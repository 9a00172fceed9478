import { html, nothing, svg, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { MapView } from "../../map-view.js";
import type { SceneTimeline } from "../../timeline.js";
import {
	faceColours,
	LETTERS,
	LIGHT_WORDS,
	type LightState,
	shownState,
} from "../map/lights.js";
import type { ViewerState } from "../session/state.js";

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

interface Traces {
	readonly map: ViewerState["map"];
	readonly lights: readonly LightTrace[];
}

/**
 * Cache of traces, since playback renders at every frame and only the cursor changes.
 */
const traced = new WeakMap<SceneTimeline["lights"], Traces>();

function tracesOf({ timeline, map }: ViewerState): readonly LightTrace[] {
	if (!timeline) return [];
	const known = traced.get(timeline.lights);
	if (known && known.map === map) return known.lights;
	const lights = lightTraces(timeline, map);
	traced.set(timeline.lights, { map, lights });
	return lights;
}

/** Renders a run's letter if the run is wide enough. */
function letterAt(run: LightRun, span: number): TemplateResult | typeof nothing {
	if (run.end - run.begin < span / 40) return nothing;
	return svg`<text class="run-letter ${run.state}" x="${(100 * run.begin) / span}%" dx="5" y="9">${LETTERS[run.state]}</text>`;
}

function drawn(runs: readonly LightRun[], span: number): TemplateResult[] {
	const percent = (frames: number) => `${(100 * frames) / span}%`;
	return runs.map(
		(
			run,
		) => svg`<rect class="run ${run.state}" x=${percent(run.begin)} y="0.5" height="10"
			width=${percent(Math.min(run.end, span) - run.begin)}/>
			${letterAt(run, span)}`,
	);
}

/** Returns why there are no light rows. */
function noneWords({ timeline, timelineFailed, sceneInfo }: ViewerState): string {
	if (timeline) return "No known light states in this scene";
	if (timelineFailed) return "Light states: read failed";
	return sceneInfo ? "Reading light states" : "";
}

/** Renders one row per traffic light over the whole scene. */
export function lightStrip(
	state: ViewerState,
	count: number,
	pressed: (event: PointerEvent) => void,
): TemplateResult {
	const traces = tracesOf(state);
	// The placeholder has a row's height, so that the picture's size stays the same.
	if (traces.length === 0)
		return html`<div class="lights"><span class="key light">Lights</span>
			<div class="lane row none" @pointerdown=${pressed}>${noneWords(state)}</div></div>`;
	const span = Math.max(1, count - 1);
	const object = state.mapChoice?.object;
	const chosen = object?.kind === "light" ? object.id : undefined;
	return html`<div class="lights" role="group" aria-label="Traffic lights over time">${traces.map(
		({ id, runs }) => {
			const words = `Light ${id}: ${wordsAt(runs, state.frame)} at this frame`;
			return html`<span class="key light mono ${id === chosen ? "chosen" : ""}" title=${id}>${id}</span>
				<div class="lane row ${id === chosen ? "chosen" : ""}" data-light=${id} @pointerdown=${pressed}>
					<svg width="100%" height="11" role="img" aria-label=${words}>
						${guard([runs, span], () => drawn(runs, span))}
					</svg>
				</div>`;
		},
	)}</div>`;
}

function wordsAt(runs: readonly LightRun[], frame: number): string {
	const now = runs.find((run) => run.begin <= frame && frame < run.end);
	return now ? LIGHT_WORDS[now.state] : "not seen";
}

/** Returns a traffic light's state in a frame as text; undefined if unknown. */
export function lightWords(
	state: ViewerState,
	id: string,
	frame: number,
): string | undefined {
	const trace = tracesOf(state).find((light) => light.id === id);
	return trace && `Light ${id}: ${wordsAt(trace.runs, frame)}`;
}
