import { html, nothing, svg, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { MapView } from "../../dataset/map-view.js";
import type { SceneTimeline } from "../../dataset/timeline.js";
import { namesOfLights } from "../map/light-names.js";
import {
	faceColours,
	LETTERS,
	LIGHT_WORDS,
	type LightState,
	shownState,
} from "../map/lights.js";
import type { ViewerState } from "../session/state.js";
import { counted } from "../ui/words.js";

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

/** Returns the states of the scene's lights; see `lightTraces`. */
export function tracesOf({ timeline, map }: ViewerState): readonly LightTrace[] {
	if (!timeline) return [];
	const known = traced.get(timeline.lights);
	if (known && known.map === map) return known.lights;
	const lights = lightTraces(timeline, map);
	traced.set(timeline.lights, { map, lights });
	return lights;
}

/** Height of a row's drawing and of its line in CSS pixels. */
const ROW = 16;
const LINE = 6;

/** Renders a run's letter if the run is wide enough. */
function letterAt(run: LightRun, span: number): TemplateResult | typeof nothing {
	if (run.end - run.begin < span / 40) return nothing;
	return svg`<text class="run-letter" paint-order="stroke" x="${(100 * run.begin) / span}%" dx="5" y="11.2">${LETTERS[run.state]}</text>`;
}

/** Renders a light's runs on a hatched line, which stays visible where it is not seen. */
function drawn(runs: readonly LightRun[], span: number): TemplateResult[] {
	const percent = (frames: number) => `${(100 * frames) / span}%`;
	const y = (ROW - LINE) / 2;
	const line = (run: LightRun) => {
		const x = percent(run.begin);
		const width = percent(Math.min(run.end, span) - run.begin);
		return svg`<rect class="under" x=${x} y=${y} height=${LINE} width=${width}/>
			<rect class="run ${run.state}" x=${x} y=${y} height=${LINE} width=${width}/>${letterAt(run, span)}`;
	};
	return [
		svg`<rect fill="url(#unseen)" width="100%" y=${y} height=${LINE}/>`,
		...runs.map(line),
	];
}

/** Returns why there are no light rows. */
function noneWords(state: ViewerState): string {
	const { timeline, timelineFailed, timelineUnread, sceneInfo } = state;
	const unread = timelineUnread.includes("lights");
	if (timeline && !unread) return "No light states in this scene";
	if (timelineFailed) return "Light states: read failed";
	return sceneInfo ? "Reading light states" : "";
}

/** The pattern of a line where its light is not seen. */
const HATCH = html`<svg class="defs" width="0" height="0" aria-hidden="true">
	<pattern id="unseen" width="5" height="5" patternUnits="userSpaceOnUse">
		<path d="M-1 6 6-1M-1 1 1-1M4 6 6 4" fill="none" stroke="currentColor"/></pattern></svg>`;

/** Rows that are shown while the others are collapsed. */
const FEW = 2;

/** Arguments of the light rows. */
export interface Strip {
	readonly count: number;
	/** Whether all rows are shown. */
	readonly open: boolean;
	toggle(): void;
	pressed(event: PointerEvent): void;
	/** Called with the light under the pointer, and with undefined when it leaves. */
	hovered(id: string | undefined): void;
}

/**
 * Returns the rows in order: the ego's light first, then the selected one, then the others
 * by name.
 */
export function ordered(
	traces: readonly LightTrace[],
	{ egoLight, map, timeline }: Pick<ViewerState, "egoLight" | "map" | "timeline">,
	chosen: string | undefined,
): LightTrace[] {
	const names = namesOfLights({ map, timeline });
	const rank = ({ id }: LightTrace) => (id === egoLight ? 0 : id === chosen ? 1 : 2);
	const name = ({ id }: LightTrace) => names.get(id) ?? id;
	return [...traces].sort(
		(a, b) => rank(a) - rank(b) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0),
	);
}

/**
 * Renders rows of traffic lights over the whole scene, at a height that does not depend on
 * their number: the ego's light first, the others behind a button.
 */
export function lightStrip(state: ViewerState, strip: Strip): TemplateResult {
	const traces = tracesOf(state);
	// The placeholder has the rows' height, so that the picture's size stays the same.
	if (traces.length === 0)
		return html`<div class="lights"><span class="key light">Lights</span>
			<div class="lane row none" @pointerdown=${strip.pressed}>${noneWords(state)}</div></div>`;
	const object = state.mapChoice?.object;
	const chosen = object?.kind === "light" ? object.id : undefined;
	const rows = ordered(traces, state, chosen);
	const more = rows.length - FEW;
	return html`<div class="lights ${strip.open ? "all" : ""}" role="group" aria-label="Traffic lights over time">
		${HATCH}${rows.slice(0, strip.open ? undefined : FEW).map((trace) => lightRow(trace, state, strip, chosen))}
		${
			more > 0
				? html`<button class="more" aria-expanded=${strip.open} @click=${() => strip.toggle()}>
					${strip.open ? "Fewer lights" : counted(more, "more light")}</button>`
				: nothing
		}</div>`;
}

function lightRow(
	{ id, runs }: LightTrace,
	state: ViewerState,
	{ count, pressed, hovered }: Strip,
	chosen: string | undefined,
): TemplateResult {
	const span = Math.max(1, count - 1);
	const isEgo = id === state.egoLight;
	const name = namesOfLights(state).get(id) ?? id;
	const words = `${titleOf(id, state)}: ${wordsAt(runs, state.frame)} at this frame`;
	const whose = `${titleOf(id, state)}${isEgo ? ", the ego's light" : ""}`;
	const look = `${id === chosen ? "chosen" : ""} ${isEgo ? "own" : ""}`;
	return html`<span class="key light ${name === id ? "mono" : ""} ${look}" title=${whose}>${name}</span>
		<div class="lane row ${look}" data-light=${id} @pointerdown=${pressed}
			@pointerenter=${() => hovered(id)} @pointerleave=${() => hovered(undefined)}>
			<svg width="100%" height=${ROW} role="img" aria-label=${isEgo ? `${words}; the ego's light` : words}>
				${guard([runs, span], () => drawn(runs, span))}
			</svg>
		</div>`;
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
	return trace && `${titleOf(id, state)}: ${wordsAt(trace.runs, frame)}`;
}

/** Returns a light's name and id: `North arm, light 4RYD`. */
function titleOf(id: string, state: ViewerState): string {
	const name = namesOfLights(state).get(id);
	return name === undefined || name === id ? `Light ${id}` : `${name}, light ${id}`;
}
