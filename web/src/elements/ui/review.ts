import { css, html, nothing, type TemplateResult } from "lit";
import type { ReviewedFrame, ReviewedRow, ReviewReport } from "../../review.js";
import { formatNumber } from "../describe.js";
import { goTo, isCurrent, jumpByRank, ranked } from "../review-rows.js";
import { MEASURES, type Measure } from "../review-state.js";
import type { ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { type IconName, icon } from "./icons.js";

/** Rows in the page at a time: the worst are what is looked for. */
const MOST_ROWS = 200;

const NAMES: Readonly<Record<Measure, readonly [name: string, title: string]>> = {
	ade: ["ADE", "Average displacement error of the best mode, metres"],
	fde: ["FDE", "Final displacement error of the best mode, metres"],
	nll: ["NLL", "Negative log-likelihood of all modes"],
};

const reviewStyles = css`
:host { display: flex; flex-direction: column; min-height: 0; border-top: 1px solid var(--_line); }
header { display: flex; align-items: center; gap: 8px; padding: 8px 8px 4px 16px; }
header h2 { flex: none; }
header .name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--_ink3); }
p { padding: 0 16px 8px; color: var(--_ink2); }
p.wrong { color: var(--_warn-ink); overflow-wrap: anywhere; }
.sum { display: flex; flex-wrap: wrap; gap: 4px 12px; padding: 0 16px 4px; color: var(--_ink3); }
.sum b { font-weight: 400; color: var(--_ink); }
.acts { display: flex; gap: 4px; padding: 0 16px 4px; }
.acts button { border: 1px solid var(--_line); }
.acts .fill { flex: 1; }
.scroll { overflow: auto; flex: 1; min-height: 96px; padding: 0 8px 8px; }
table { width: 100%; border-collapse: collapse; }
th { position: sticky; top: 0; background: var(--_panel); padding: 0 3px; font-size: 11px; font-weight: 400; color: var(--_ink3); text-align: right; z-index: 1; }
th:first-child, td:first-child { text-align: left; }
th button { width: 100%; justify-content: flex-end; padding: 0; font-size: 11px; color: var(--_ink3); gap: 2px; }
th .icon { width: 12px; height: 12px; }
td { padding: 0 3px; text-align: right; white-space: nowrap; }
td:first-child { padding: 0; }
td button { width: 100%; justify-content: flex-start; padding: 0 4px; }
tbody tr { cursor: pointer; }
tbody tr:hover { background: var(--_raise); }
tbody tr.chosen { box-shadow: inset 2px 0 var(--_accent); background: var(--_raise); }
td button:hover, td button:active, td button[aria-pressed="true"] { background: none; color: inherit; }
label.file { cursor: pointer; text-decoration: underline; text-underline-offset: 2px; color: var(--_ink2); }
label.file:focus-within { outline: 2px solid var(--_accent); outline-offset: 2px; border-radius: 3px; }
@media (pointer: coarse) { label.file { display: inline-block; line-height: 44px; } }
label.file input { position: absolute; width: 1px; height: 1px; opacity: 0; }
`;

/** Predictions beside what happened: how good each is, the worst first. */
export class Review extends BevElement {
	static override styles = [baseStyles, reviewStyles];
	static override properties = { ...BevElement.properties, frames: { state: true } };

	/** Frames instead of single predictions. */
	declare frames: boolean;

	constructor() {
		super();
		this.frames = false;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { review, frame, selection, phase } = state;
		const { report, by, name, problem } = review;
		return [review.phase, report, by, name, problem, frame, selection, phase];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult {
		const { phase, name, report, problem } = this.state.review;
		return html`<header>
				<h2 class="section">Predictions</h2>
				<span class="name" title=${name}>${name}</span>
				${
					phase === "none"
						? nothing
						: html`<button class="icon-only" aria-label="Remove the predictions" title="Remove the predictions"
							@click=${() => this.controller?.reviews.clear()}>${icon("close")}</button>`
				}
			</header>
			${phase === "none" ? html`<p>Drop a CSV as L5Kit writes it, or ${this.#chooser("choose one")}.</p>` : nothing}
			${phase === "reading" ? html`<p role="status">Reading …</p>` : nothing}
			${phase === "failed" ? html`<p class="wrong" role="alert">${problem}. ${this.#chooser("Choose another")}.</p>` : nothing}
			${phase === "ready" ? this.#scene(report) : nothing}`;
	}

	#chooser(words: string): TemplateResult {
		return html`<label class="file">${words}<input type="file" accept=".csv,text/csv"
			@change=${(event: Event) => {
				const [file] = (event.currentTarget as HTMLInputElement).files ?? [];
				if (file) void this.controller?.reviews.give(file, file.name);
			}}></label>`;
	}

	#scene(report: ReviewReport | undefined): TemplateResult {
		const { shape } = this.state.review;
		if (!report) return html`<p role="status">Reading the scene …</p>`;
		const { rows, mean, unknown } = report;
		if (rows.length === 0) {
			return html`<p>Of ${shape?.size} predictions none is of a time and track of this scene.</p>`;
		}
		const strange =
			unknown > 0
				? html`<p>${unknown} more are of tracks not in their frame.</p>`
				: nothing;
		const here = report.frames.some(({ frame }) => frame === this.state.frame);
		return html`<div class="sum mono" title="Means over this scene">
				${MEASURES.map((by) => html`<span>${NAMES[by][0]} <b>${formatNumber(mean[by])}</b></span>`)}
				<span>${rows.length} of ${shape?.size}</span>
			</div>
			${strange}
			${here ? nothing : html`<p>Nothing is predicted in this frame.</p>`}
			<div class="acts">
				<button title="The worst prediction (J)" @click=${() => this.#worst()}>Worst</button>
				${this.#step(-1, "Worse", "K", "previous")} ${this.#step(1, "Less bad", "J", "next")}
				<span class="fill"></span>
				<button aria-pressed=${this.frames} @click=${() => {
					this.frames = !this.frames;
				}}>By frame</button>
			</div>
			<div class="scroll">${this.frames ? this.#byFrame(report) : this.#byAgent(report)}</div>`;
	}

	#step(step: -1 | 1, name: string, key: string, shape: IconName): TemplateResult {
		return html`<button class="icon-only" aria-label=${name} title="${name} (${key})"
			@click=${() => this.controller && jumpByRank(this.controller, step)}>${icon(shape)}</button>`;
	}

	#worst(): void {
		this.controller?.select(undefined);
		if (this.controller) jumpByRank(this.controller, 1);
	}

	#heads(first: readonly string[], last: string): TemplateResult {
		const { by } = this.state.review;
		const measure = (
			one: Measure,
		) => html`<th aria-sort=${one === by ? "descending" : "none"}>
			<button title=${NAMES[one][1]} @click=${() => this.controller?.rankBy(one)}>
				${NAMES[one][0]}${one === by ? icon("down") : nothing}</button></th>`;
		return html`<thead><tr>${first.map((name) => html`<th>${name}</th>`)}
			${MEASURES.map(measure)}<th>${last}</th></tr></thead>`;
	}

	#byAgent({ rows }: ReviewReport): TemplateResult {
		const { state } = this;
		const shown = ranked(rows, state.review.by).slice(0, MOST_ROWS);
		const steps = state.review.shape?.steps ?? 0;
		const row = (one: ReviewedRow) => {
			const chosen = isCurrent(one, state);
			const name = one.track === -1n ? "ego" : String(one.track);
			return html`<tr class=${chosen ? "chosen" : ""} @click=${() => {
				if (this.controller) goTo(this.controller, one);
			}}>
				<td><button class="mono" aria-pressed=${chosen} aria-label=${`Track ${name}, frame ${one.frame}`}>${name}</button></td>
				<td class="mono">${one.frame}</td>
				${MEASURES.map((by) => html`<td class="mono">${formatNumber(one[by])}</td>`)}
				<td class="mono" title="Steps that the scene knows">${one.seen}/${steps}</td>
			</tr>`;
		};
		return html`<table aria-label="Predictions by agent">
			${this.#heads(["Track", "Frame"], "Seen")}<tbody>${shown.map(row)}</tbody></table>
			${rows.length > MOST_ROWS ? html`<p>The ${MOST_ROWS} worst of ${rows.length}.</p>` : nothing}`;
	}

	#byFrame({ frames }: ReviewReport): TemplateResult {
		const { state } = this;
		const row = (one: ReviewedFrame) => {
			const chosen = one.frame === state.frame;
			return html`<tr class=${chosen ? "chosen" : ""} @click=${() => {
				this.controller?.pause();
				this.controller?.seek(one.frame);
			}}>
				<td><button class="mono" aria-pressed=${chosen} aria-label=${`Frame ${one.frame}`}>${one.frame}</button></td>
				${MEASURES.map((by) => html`<td class="mono">${formatNumber(one[by])}</td>`)}
				<td class="mono">${one.count}</td>
			</tr>`;
		};
		return html`<table aria-label="Predictions by frame">
			${this.#heads(["Frame"], "Agents")}
			<tbody>${ranked(frames, state.review.by).slice(0, MOST_ROWS).map(row)}</tbody></table>`;
	}
}
