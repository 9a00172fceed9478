import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../controller.js";
import type { Problem } from "../pure/problem.js";
import type { ViewerState } from "../state.js";
import { countsOf } from "../summary.js";
import { icon } from "./icons.js";

function problemNote(problem: Problem, controller: ViewerController): TemplateResult {
	return html`<div class="note bad" role="alert">
		${icon("warning")}
		<div>
			<strong>${problem.title}</strong>
			<p>${problem.why}</p>
			<ul>${problem.advice.map((line) => html`<li>${line}</li>`)}</ul>
		</div>
		<button class="raised" @click=${() => controller.seek(controller.state.frame)}>Try again</button>
	</div>`;
}

/** Which threshold leaves the picture without agents, if one does. */
export function emptyNote(state: ViewerState): string | undefined {
	if (!state.shown || state.shown.agents.length === 0) return undefined;
	if (countsOf(state.shown, state.distance).kept > 0) return undefined;
	const all = state.shown.agents.length;
	const byLabel = countsOf(state.shown, Number.POSITIVE_INFINITY).kept === 0;
	return byLabel
		? `Label probability ≥ ${state.threshold.toFixed(2)} hides all ${all} agents`
		: `Distance to ego ≤ ${state.distance.toFixed(0)} m hides all ${all} agents`;
}

/** What has to be said over the picture: a failure, a wait, an empty result. */
export function sceneNotes(
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (controller?.state.phase !== "ready") return nothing;
	const { state } = controller;
	const waiting =
		state.shown?.frame !== state.frame || state.shown?.scene !== state.scene;
	const empty = emptyNote(state);
	return html`<div class="notes">
		${state.frameProblem ? problemNote(state.frameProblem, controller) : nothing}
		${
			waiting && !state.frameProblem && state.sceneCount > 0
				? html`<div class="note mono">Loading frame ${state.frame}</div>`
				: nothing
		}
		${empty ? html`<div class="note">${empty}</div>` : nothing}
	</div>`;
}
