import { html, nothing, svg, type TemplateResult } from "lit";
import type { FrameView } from "../../frame-view.js";
import { formatNumber } from "../describe.js";
import { LETTERS, LIGHT_WORDS } from "../lights.js";
import type { ViewerState } from "../state.js";
import {
	type LightRun,
	type LightTrace,
	lightTraces,
	speedTrace,
	type Trace,
	tracePath,
} from "../traces.js";

type Frames = ReadonlyMap<number, FrameView>;

interface Traces {
	readonly map: ViewerState["map"];
	readonly speed: Trace;
	readonly lights: readonly LightTrace[];
}

/** By what is loaded: playback asks at every frame, and nothing changed but the cursor. */
const traced = new WeakMap<ViewerState["buffered"], Traces>();

function tracesOf({ buffered, map }: ViewerState, frames: Frames): Traces {
	const known = traced.get(buffered);
	if (known && known.map === map) return known;
	const traces = { map, speed: speedTrace(frames), lights: lightTraces(frames, map) };
	traced.set(buffered, traces);
	return traces;
}

function cursor(state: ViewerState, height: number): TemplateResult {
	return html`${svg`<line class="cursor" x1=${state.frame} x2=${state.frame} y1="0" y2=${height}/>`}`;
}

/** The ego's speed over the scene, as far as it is loaded. The row is there before its
 * line is, so that the picture above keeps its height. */
export function speedPlot(
	state: ViewerState,
	frames: Frames,
	count: number,
): TemplateResult {
	const { speed: trace } = tracesOf(state, frames);
	const top = Math.max(1, ...trace.map(([, speed]) => speed)) * 1.1;
	const now = state.shown?.ego.speed ?? Number.NaN;
	const words = `Ego speed, ${formatNumber(now, 1)} metres per second at this frame`;
	return html`<span class="key">Speed <span class="mono">${formatNumber(now, 1)} m/s</span></span>
		<div class="lane plot">
			<svg viewBox="0 0 ${Math.max(1, count - 1)} 1" preserveAspectRatio="none" role="img" aria-label=${words}>
				${trace.length < 2 ? nothing : svg`<path class="speed" d=${tracePath(trace, top)}/>`}
				${cursor(state, 1)}
			</svg>
		</div>`;
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
): TemplateResult | typeof nothing {
	const traces = tracesOf(state, frames).lights.filter(({ runs }) =>
		runs.some((run) => run.state !== "unknown"),
	);
	if (traces.length === 0) return nothing;
	const span = Math.max(1, count - 1);
	const percent = (frames: number) => `${(100 * frames) / span}%`;
	return html`<span class="key">Lights</span>
		<div class="lane lights">${traces.map(({ id, runs }) => {
			const now = runs.find((run) => run.begin <= state.frame && state.frame < run.end);
			const words = `Light ${id}: ${now ? LIGHT_WORDS[now.state] : "not seen"} at this frame`;
			return html`<svg class="row" width="100%" height="11" role="img" aria-label=${words}>
				<title>${id}</title>
				${runs.map(
					(
						run,
					) => svg`<rect class="run ${run.state}" x=${percent(run.begin)} y="0.5" height="10"
						width=${percent(Math.min(run.end, span) - run.begin)}/>
						${letterAt(run, span)}`,
				)}
				${svg`<line class="cursor" x1=${percent(state.frame)} x2=${percent(state.frame)} y1="0" y2="11"/>`}
			</svg>`;
		})}</div>`;
}
