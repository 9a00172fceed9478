import { html, nothing, svg, type TemplateResult } from "lit";
import type { FrameView } from "../../frame-view.js";
import { LETTERS, LIGHT_WORDS } from "../lights.js";
import type { ViewerState } from "../state.js";
import { type LightRun, type LightTrace, lightTraces } from "../traces.js";

type Frames = ReadonlyMap<number, FrameView>;

interface Traces {
	readonly map: ViewerState["map"];
	readonly lights: readonly LightTrace[];
}

/** By what is loaded: playback asks at every frame, and nothing changed but the cursor. */
const traced = new WeakMap<ViewerState["buffered"], Traces>();

function tracesOf({ buffered, map }: ViewerState, frames: Frames): Traces {
	const known = traced.get(buffered);
	if (known && known.map === map) return known;
	const traces = { map, lights: lightTraces(frames, map) };
	traced.set(buffered, traces);
	return traces;
}

/** A run wide enough for its letter, in frames per pixel of a common width. */
function letterAt(run: LightRun, span: number): TemplateResult | typeof nothing {
	if (run.end - run.begin < span / 40) return nothing;
	return svg`<text class="run-letter ${run.state}" x="${(100 * run.begin) / span}%" dx="5" y="9">${LETTERS[run.state]}</text>`;
}

/** One row a traffic light over the scene, as far as it is loaded. */
export function lightStrip(
	state: ViewerState,
	frames: Frames,
	count: number,
	pressed: (event: PointerEvent) => void,
): TemplateResult {
	const traces = tracesOf(state, frames).lights.filter(({ runs }) =>
		runs.some((run) => run.state !== "unknown"),
	);
	// Rows keep their room, so that the picture does not change size when lights appear.
	if (traces.length === 0)
		return html`<div class="lights"><span class="key light">Lights</span>
			<div class="lane row none" @pointerdown=${pressed}>No light states in the loaded frames</div></div>`;
	const span = Math.max(1, count - 1);
	const percent = (frames: number) => `${(100 * frames) / span}%`;
	return html`<div class="lights" role="group" aria-label="Traffic lights over time">${traces.map(
		({ id, runs }) => {
			const words = `Light ${id}: ${wordsAt(runs, state.frame)} at this frame`;
			return html`<span class="key light mono" title=${id}>${id}</span>
				<div class="lane row" data-light=${id} @pointerdown=${pressed}>
					<svg width="100%" height="11" role="img" aria-label=${words}>
						${runs.map(
							(
								run,
							) => svg`<rect class="run ${run.state}" x=${percent(run.begin)} y="0.5" height="10"
							width=${percent(Math.min(run.end, span) - run.begin)}/>
							${letterAt(run, span)}`,
						)}
					</svg>
				</div>`;
		},
	)}</div>`;
}

function wordsAt(runs: readonly LightRun[], frame: number): string {
	const now = runs.find((run) => run.begin <= frame && frame < run.end);
	return now ? LIGHT_WORDS[now.state] : "not seen";
}

/** What a traffic light shows in a frame, in words; undefined if it is not known. */
export function lightWords(
	state: ViewerState,
	frames: Frames,
	id: string,
	frame: number,
): string | undefined {
	const trace = tracesOf(state, frames).lights.find((light) => light.id === id);
	return trace && `Light ${id}: ${wordsAt(trace.runs, frame)}`;
}
