import { html, nothing, type TemplateResult } from "lit";
import type { FrameView } from "../../dataset/frame-view.js";
import { agentRows } from "../agents/agent-rows.js";
import { NO_MINIMA } from "../agents/agents-state.js";
import { formatAngle, formatNumber } from "../agents/describe.js";
import { countsOf } from "../agents/summary.js";
import type { ViewerController } from "../session/controller.js";
import { explanationOf } from "../session/explanation.js";
import { problemSubject, type ReadProblem } from "../session/problem.js";
import { currentFrame, waitingWords } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { icon } from "../ui/icons.js";
import { counted } from "../ui/words.js";
import { anchorMissing } from "./anchor.js";
import { lastStep, lengthOf } from "./path.js";

const BY_TRACK = { key: "track", descending: false } as const;

function problemNote(
	problem: ReadProblem,
	controller: ViewerController,
): TemplateResult {
	const { title, advice } = explanationOf(problem);
	return html`<div class="note bad" role="alert">
		${icon("warning")}
		<div>
			<strong>${problemSubject(problem)} cannot be read</strong>
			<p>${title}: ${problem.why}</p>
			<ul>${advice.map((line) => html`<li>${line}</li>`)}</ul>
		</div>
		${
			problem.error.code === "changed"
				? html`<button class="raised" @click=${() => void controller.reopen()}>Open again</button>`
				: html`<button class="raised" @click=${() => controller.retryUnread()}>Try again</button>`
		}
	</div>`;
}

/** Returns whether the ego's pose, and therefore every distance to it, is unknown. */
function egoUnknown({ ego }: FrameView): boolean {
	return ![...ego.centroid, ego.yaw].every(Number.isFinite);
}

/** Returns which filter hides all agents; undefined if none does. */
export function emptyNote(state: ViewerState): string | undefined {
	const shown = currentFrame(state);
	if (!shown || shown.agents.length === 0) return undefined;
	if (countsOf(shown, state).kept > 0) return undefined;
	const count = shown.agents.length;
	const agents = count === 1 ? "the only agent" : `all ${counted(count, "agent")}`;
	const { is_virtual: isVirtual } = shown.ego;
	if ((isVirtual || egoUnknown(shown)) && Number.isFinite(state.distance))
		return `${isVirtual ? "There is no ego vehicle" : "The ego pose is not a number in this frame"}, so the distance filter hides all agents`;
	const { distance, minHistory, minFuture } = state;
	if (countsOf(shown, { ...NO_MINIMA, distance }).kept > 0)
		return `History ≥ ${minHistory} and future ≥ ${counted(minFuture, "frame")} hide ${agents}`;
	const anywhere = { ...NO_MINIMA, distance: Number.POSITIVE_INFINITY };
	const byLabel = countsOf(shown, anywhere).kept === 0;
	return byLabel
		? `Certainty > ${formatNumber(state.threshold)} hides ${agents}`
		: `Distance to ego ≤ ${formatNumber(state.distance, 0)} m hides ${agents}`;
}

/** Renders instructions and results of measuring. */
function measureNote(controller: ViewerController): TemplateResult | typeof nothing {
	const { measured } = controller.state;
	if (!measured) return nothing;
	const last = lastStep(measured);
	const words = last
		? `${formatNumber(last.metres)} m · dx ${formatNumber(last.dx)} · dy ${formatNumber(last.dy)} · heading ${formatAngle(last.heading)}`
		: measured.length === 0
			? "Click the start point"
			: "Click the end point";
	const all =
		measured.length > 2 ? ` · ${formatNumber(lengthOf(measured))} m in total` : "";
	return html`<div class="note">
		<span class=${last ? "mono" : ""}>${words}${all}</span>
		${
			measured.length > 0
				? html`<button class="raised" @click=${() => controller.unmeasure()}>Undo</button>`
				: nothing
		}
		<button class="icon-only" aria-label="Stop measuring" title="Stop measuring (Esc)"
			@click=${() => controller.toggleMeasure()}>${icon("close")}</button>
	</div>`;
}

/**
 * Renders the active search and a button that clears it, since the search field may be
 * hidden.
 */
function queryNote(controller: ViewerController): TemplateResult | typeof nothing {
	const { query, shown } = controller.state;
	if (query.trim() === "" || !shown) return nothing;
	const { kept } = countsOf(shown, controller.state);
	const found = agentRows(controller.state, BY_TRACK).length;
	return html`<div class="note query">
		<span>Find <b>${query}</b>: <span class="mono">${found}</span> of <span class="mono">${kept}</span> in this frame</span>
		<button class="icon-only" aria-label="Clear Find" title="Clear Find"
			@click=${() => controller.setQuery("")}>${icon("close")}</button>
	</div>`;
}

/** Renders notes over the picture: a failure, pending reads, an empty result. */
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
		${queryNote(controller)} ${measureNote(controller)}
		${empty ? html`<div class="note">${empty}</div>` : nothing}
		${anchorMissing(state) ? html`<div class="note">Track ${state.selection} is not in frame ${state.shown?.frame}</div>` : nothing}
	</div>`;
}
