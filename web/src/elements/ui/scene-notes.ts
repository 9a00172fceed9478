import { html, nothing, type TemplateResult } from "lit";
import type { FrameView } from "../../frame-view.js";
import type { ViewerController } from "../controller.js";
import {
	currentFrame,
	problemSubject,
	type ReadProblem,
	waitingWords,
} from "../showing.js";
import type { ViewerState } from "../state.js";
import { countsOf } from "../summary.js";
import { icon } from "./icons.js";

function problemNote(
	problem: ReadProblem,
	controller: ViewerController,
): TemplateResult {
	return html`<div class="note bad" role="alert">
		${icon("warning")}
		<div>
			<strong>${problemSubject(problem)} cannot be read</strong>
			<p>${problem.title}: ${problem.why}</p>
			<ul>${problem.advice.map((line) => html`<li>${line}</li>`)}</ul>
		</div>
		<button class="raised" @click=${() => controller.retryUnread()}>Try again</button>
	</div>`;
}

/** Whether the ego's pose is not known: distances to it are not either. */
function egoUnknown({ ego }: FrameView): boolean {
	return ![...ego.centroid, ego.yaw].every(Number.isFinite);
}

/** Which threshold leaves the picture without agents, if one does. */
export function emptyNote(state: ViewerState): string | undefined {
	const shown = currentFrame(state);
	if (!shown || shown.agents.length === 0) return undefined;
	if (countsOf(shown, state.distance).kept > 0) return undefined;
	const all = shown.agents.length;
	if (egoUnknown(shown) && Number.isFinite(state.distance))
		return "The ego pose of this frame is not a number, so no agent is within a distance of it";
	const byLabel = countsOf(shown, Number.POSITIVE_INFINITY).kept === 0;
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
	const waiting = waitingWords(state);
	const empty = emptyNote(state);
	return html`<div class="notes">
		${state.frameProblem ? problemNote(state.frameProblem, controller) : nothing}
		${
			waiting && !state.frameProblem
				? html`<div class="note mono">${waiting}</div>`
				: nothing
		}
		${empty ? html`<div class="note">${empty}</div>` : nothing}
	</div>`;
}
