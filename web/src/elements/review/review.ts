import { css, html, nothing, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import type { Score } from "../../review.js";
import type { SceneReport } from "../../reviewing/protocol.js";
import { formatNumber } from "../agents/describe.js";
import { formatBytes } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { type IconName, icon } from "../ui/icons.js";
import { breakdownTables } from "./review-breakdown.js";
import { jumpByRank } from "./review-rows.js";
import {
	LISTS,
	MEASURES,
	type RankingState,
	type ReadingState,
	type ReviewList,
	withUnit,
} from "./review-state.js";
import { agentTable, frameTable, sceneTable } from "./review-tables.js";

const LIST_NAMES: Readonly<Record<ReviewList, string>> = {
	agents: "By agent",
	frames: "By frame",
	all: "All scenes",
};

const reviewStyles = css`
:host { display: flex; flex-direction: column; min-height: 0; }
header { display: flex; align-items: center; gap: 8px; padding: 8px 8px 4px 16px; }
header h2 { flex: none; }
header .name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--_ink3); }
p { padding: 0 16px 8px; color: var(--_ink2); }
p.beside { padding-bottom: 4px; }
p.wrong { color: var(--_warn-ink); overflow-wrap: anywhere; }
.sum { display: flex; flex-wrap: wrap; gap: 4px 12px; padding: 0 16px 4px; color: var(--_ink3); }
.sum b { font-weight: 400; color: var(--_ink); }
.acts { display: flex; gap: 4px; padding: 0 16px 4px; }
.acts button { border: 1px solid var(--_line); }
.acts .fill { flex: 1; }
.far { display: flex; align-items: center; gap: 8px; padding: 0 16px 4px; color: var(--_ink2); }
.far progress { flex: 1; min-width: 0; }
.far > :last-child { margin-left: auto; border: 1px solid var(--_line); }
progress { height: 4px; accent-color: var(--_accent); }
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
.breakdown { padding-bottom: 8px; }
.breakdown summary { min-height: 28px; padding: 4px; color: var(--_ink2); cursor: pointer; }
.breakdown table { margin-bottom: 8px; }
.breakdown tbody tr { cursor: default; }
.breakdown tbody th { font-size: inherit; color: var(--_ink2); position: static; padding: 0 4px; }
.breakdown td, .breakdown tbody th { line-height: 24px; }
figure { margin: 0; padding: 0 4px; }
figcaption { display: flex; justify-content: space-between; color: var(--_ink2); font-size: 12px; padding-bottom: 4px; }
figure path { fill: none; stroke: var(--_predicted); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
figure svg { display: block; border-bottom: 1px solid var(--_line); }
.ends { display: flex; justify-content: space-between; font-size: 11px; color: var(--_ink3); }
label.file { cursor: pointer; text-decoration: underline; text-underline-offset: 2px; color: var(--_ink2); }
label.file:focus-within { outline: 2px solid var(--_accent); outline-offset: 2px; border-radius: 3px; }
@media (pointer: coarse) { label.file { display: inline-block; line-height: 44px; } }
label.file input { position: absolute; width: 1px; height: 1px; opacity: 0; }
`;

/** Scores of predictions against the recorded future, worst first. */
export class Review extends BevElement {
	static override styles = [baseStyles, reviewStyles];
	/** Whether the scores by class and mode are expanded. */
	#unfolded = false;

	protected watched(state: ViewerState): readonly unknown[] {
		const { review, scene, frame, selection, phase } = state;
		const { reading, report, lines, by, name, problem, list, ranking } = review;
		const shown = [review.phase, reading, report, lines];
		const { before } = review;
		const seen = [...shown, before, by, name, problem, list, ranking];
		return [...seen, scene, frame, selection, phase];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult {
		const { phase, name, report, problem, reading } = this.state.review;
		return html`<header role="presentation">
				<h2 class="section">Predictions</h2>
				<span class="name" title=${name}>${name}</span>
				${
					phase === "none"
						? nothing
						: html`<button class="icon-only" aria-label="Remove the predictions" title="Remove the predictions"
							@click=${() => this.controller?.reviews.clear()}>${icon("close")}</button>`
				}
			</header>
			${phase === "none" && !reading ? html`<p>Drop a predictions CSV in L5Kit's format, or ${this.#chooser("choose one")}.</p>` : nothing}
			${reading ? this.#reading(reading) : nothing}
			${problem && !reading ? html`<p class="wrong" role="alert">${problem}. ${this.#chooser("Choose another")}.</p>` : nothing}
			${phase === "ready" ? this.#ready(report) : nothing}`;
	}

	#reading({ name, bytes, all }: ReadingState): TemplateResult {
		const far =
			all === undefined
				? formatBytes(bytes)
				: `${formatBytes(bytes)} of ${formatBytes(all)}`;
		return html`<p class="beside" role="status">Reading ${name}</p>
			<div class="far">
				<progress max=${ifDefined(all)} value=${ifDefined(all === undefined ? undefined : bytes)}
					aria-label="Predictions read"></progress>
				<span class="mono">${far}</span>
				<button @click=${() => this.controller?.reviews.cancelReading()}>Cancel</button>
			</div>`;
	}

	#chooser(words: string): TemplateResult {
		return html`<label class="file">${words}<input type="file" accept=".csv,text/csv"
			@change=${(event: Event) => {
				const [file] = (event.currentTarget as HTMLInputElement).files ?? [];
				if (file) void this.controller?.reviews.give(file, file.name);
			}}></label>`;
	}

	#ready(report: SceneReport | undefined): TemplateResult {
		const { list, ranking } = this.state.review;
		const all = list === "all";
		return html`${all ? this.#allScenes(ranking) : this.#scene(report)}
			<div class="acts">
				<button title="The worst prediction" @click=${() => this.#worst()}>Worst</button>
				${this.#step(-1, "Previous in the ranking", "K", "previous")} ${this.#step(1, "Next in the ranking", "J", "next")}
				<span class="fill"></span>
				<select aria-label="Listed predictions" @change=${this.#onList}>${LISTS.map(
					(name) =>
						html`<option value=${name} ?selected=${name === list}>${LIST_NAMES[name]}</option>`,
				)}</select>
			</div>
			<div class="scroll">${this.#breakdown(report)} ${this.#table(report)}</div>`;
	}

	#breakdown(report: SceneReport | undefined): TemplateResult | typeof nothing {
		const { list, ranking } = this.state.review;
		const all = list === "all";
		const { breakdown } = (all ? ranking?.report : report) ?? {};
		if (!breakdown) return nothing;
		const over = all ? `${ranking?.done} of ${ranking?.all} scenes` : "this scene";
		const toggled = (open: boolean) => {
			this.#unfolded = open;
		};
		return breakdownTables(breakdown, { over, open: this.#unfolded, toggled });
	}

	#table(report: SceneReport | undefined): TemplateResult | typeof nothing {
		const { controller } = this;
		const { list, ranking } = this.state.review;
		if (!controller) return nothing;
		if (list === "all")
			return ranking?.report ? sceneTable(ranking.report, controller) : nothing;
		if (!report || report.count === 0) return nothing;
		return list === "frames"
			? frameTable(report, controller)
			: agentTable(report, controller);
	}

	#sum(mean: Score, count: string, over: string): TemplateResult {
		return html`<div class="sum mono" title="Means over ${over}">
			${MEASURES.map((by) => html`<span>${withUnit(by)} <b>${formatNumber(mean[by])}</b></span>`)}
			<span>${count}</span>
		</div>`;
	}

	#scene(report: SceneReport | undefined): TemplateResult {
		const { shape } = this.state.review;
		if (!report) return html`<p role="status">Reading scene …</p>`;
		const { count, mean, unknown, compared, missed } = report;
		const { before } = this.state.review;
		if (count === 0) {
			return html`<p>None of the ${shape?.size} predictions matches a time and track of this scene.</p>`;
		}
		const share = compared > 0 ? `${((100 * missed) / compared).toFixed(0)} %` : "–";
		return html`${this.#sum(mean, `${count} of ${shape?.size} predictions`, "this scene")}
			<div class="sum mono"><span title="Best mode's final displacement is above 2 m">Miss <b>${share}</b> of ${compared}</span></div>
			${before ? html`<p class="beside" title=${before.name}>Previous file, ${before.name}:</p>${this.#sum(before.mean, "", "this scene")}` : nothing}
			${unknown > 0 ? html`<p>${unknown} more: track not in the predicted frame.</p>` : nothing}
			<p class="beside">${this.#onShow()}</p>`;
	}

	/**
	 * Returns which predictions the picture shows; never empty, so that the layout stays
	 * stable.
	 */
	#onShow(): string {
		const { shown, review } = this.state;
		const { lines } = review;
		if (!lines) return "No predictions for this frame";
		const agents = lines.truthTracks.length;
		const which = lines.frame === shown?.frame ? "this frame" : `frame ${lines.frame}`;
		return `Predictions of ${which}: ${agents} ${agents === 1 ? "agent" : "agents"}`;
	}

	#allScenes(ranking: RankingState | undefined): TemplateResult | typeof nothing {
		if (!ranking) return nothing;
		const { running, done, all, report, problem } = ranking;
		const { reviews } = this.controller ?? {};
		const far = `${done} of ${all} scenes`;
		const sum =
			report &&
			this.#sum(
				report.mean,
				`${report.found} of ${this.state.review.shape?.size} predictions`,
				far,
			);
		const progress = html`<div class="far">
			<progress max=${Math.max(1, all)} .value=${done} aria-label="Scenes ranked"></progress>
			<span class="mono">${far}</span>
			<button @click=${() => reviews?.stopRanking()}>Cancel</button>
		</div>`;
		const stopped = html`<div class="far"><span>Stopped after <span class="mono">${far}</span></span>
			<button @click=${() => void reviews?.rankAll()}>Rank again</button></div>`;
		return html`${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
			${running ? progress : done < all ? stopped : nothing} ${sum ?? nothing}`;
	}

	readonly #onList = (event: Event): void => {
		const { value } = event.currentTarget as HTMLSelectElement;
		const list = LISTS.find((name) => name === value) ?? "agents";
		this.controller?.listPredictions(list);
		if (list === "all" && !this.state.review.ranking)
			void this.controller?.reviews.rankAll();
	};

	#step(step: -1 | 1, name: string, key: string, shape: IconName): TemplateResult {
		return html`<button class="icon-only" aria-label=${name} title="${name} (${key})"
			@click=${() => this.controller && jumpByRank(this.controller, step)}>${icon(shape)}</button>`;
	}

	#worst(): void {
		this.controller?.select(undefined);
		if (this.controller) jumpByRank(this.controller, 1);
	}
}
