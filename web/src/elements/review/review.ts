import { css, html, nothing, type TemplateResult } from "lit";
import type { SceneReport } from "../../reviewing/protocol.js";
import type { Score } from "../../tools/review.js";
import { formatNumber } from "../agents/describe.js";
import { rolloutSection, rolloutStyles } from "../rollout/rollout-section.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { defineLazy } from "../ui/define-lazy.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { type IconName, icon } from "../ui/icons.js";
import { tableStyles } from "../ui/table.js";
import { counted, groupedCount } from "../ui/words.js";
import { addAddress, addFiles } from "./add-files.js";
import { keptList, listedComparison } from "./compared-rows.js";
import { countedLine, countingStyles, pairsLine } from "./counting.js";
import { focusLine } from "./focus-line.js";
import { listChoice, measureChoice } from "./list-choice.js";
import { formatDifference, withUnit } from "./measures.js";
import { modelList, modelStyles, pairChoice } from "./model-list.js";
import { type ModelResults, modelTable, modelTableStyles } from "./model-table.js";
import { breakdownTables, folded } from "./review-breakdown.js";
import { reviewGallery } from "./review-gallery.js";
import { activeRanking, jumpByRank, keptRanking, keptReport } from "./review-rows.js";
import {
	compares,
	coversAll,
	MAX_MODELS,
	MEASURES,
	type RankingState,
} from "./review-state.js";
import {
	agentTable,
	comparedTable,
	frameTable,
	ROWS_AT_ONCE,
	sceneTable,
} from "./review-tables.js";

const reviewStyles = css`
:host { display: flex; flex-direction: column; min-height: 0; }
header { display: flex; align-items: center; gap: 8px; padding: 8px 8px 4px 16px; }
header h2 { flex: none; }
header .add { margin-left: auto; padding-right: 8px; }
.add { color: var(--_ink3); }
button.plain { min-height: 0; padding: 0; text-decoration: underline; text-underline-offset: 2px; color: var(--_ink2); background: none; }
@media (pointer: coarse) { button.plain { min-height: 44px; } }
.acts input { flex: 1; min-width: 0; }
p { padding: 0 16px 8px; color: var(--_ink2); }
p.beside { padding-bottom: 4px; }
p.focus { padding: 0 8px 4px; }
p.wrong { color: var(--_warn-ink); overflow-wrap: anywhere; }
.sum { display: flex; flex-wrap: wrap; gap: 4px 12px; padding: 0 16px 4px; color: var(--_ink3); }
.sum b { font-weight: 400; color: var(--_ink); }
.acts { display: flex; flex-wrap: wrap; gap: 4px; padding: 0 16px 4px; }
.acts button { border: 1px solid var(--_line); }
.acts select { flex: 1; min-width: 0; padding: 0 4px; }
.far { display: flex; align-items: center; gap: 8px; padding: 0 16px 4px; color: var(--_ink2); }
.far progress { flex: 1; min-width: 0; }
.far > :last-child { margin-left: auto; border: 1px solid var(--_line); }
progress { height: 4px; accent-color: var(--_accent); }
.scroll { overflow: auto; flex: 1; min-height: 96px; padding: 0 8px 8px; }
th { padding: 0 3px; font-size: 11px; font-weight: 400; color: var(--_ink3); text-align: right; }
th:first-child, td:first-child { text-align: left; }
th button { justify-content: flex-end; }
td { padding: 0 3px; text-align: right; }
td:first-child { padding: 0; }
.breakdown { padding-bottom: 8px; }
.breakdown summary { min-height: 28px; padding: 4px; color: var(--_ink2); cursor: pointer; }
.breakdown table { margin-bottom: 8px; }
.breakdown tbody tr { cursor: default; }
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

function rankedText({ done, all, leftOut }: RankingState): string {
	return `${done - leftOut.length} of ${counted(all, "scene")}`;
}

/** Scenes that are named one by one. */
const MAX_NAMED = 10;

/** Says which scenes a ranking lacks, and why. */
function leftOutText({ leftOut }: RankingState): TemplateResult | typeof nothing {
	const [first] = leftOut;
	if (!first) return nothing;
	const named = leftOut.slice(0, MAX_NAMED).map(({ scene }) => scene);
	const more = leftOut.length > MAX_NAMED ? " ..." : "";
	const several = leftOut.length > 1;
	const which = `Left out: ${several ? "scenes" : "scene"} ${named.join(", ")}${more}`;
	const why = several ? `scene ${first.scene}: ${first.why}` : first.why;
	return html`<p class="wrong" role="alert">${which} (${why})</p>`;
}

/** Scores of models' predictions against the recorded future, worst first. */
export class Review extends BevElement {
	static override styles = [
		baseStyles,
		emptyStyles,
		tableStyles,
		reviewStyles,
		modelStyles,
		modelTableStyles,
		rolloutStyles,
		countingStyles,
	];
	static override properties = { ...BevElement.properties, asksUrl: { state: true } };

	/** Whether the field for a URL is shown. */
	declare asksUrl: boolean;
	/** Whether the scores by class and mode are expanded. */
	#unfolded = false;
	/** Rendered rows of the list. */
	#rows = ROWS_AT_ONCE;

	constructor() {
		super();
		this.asksUrl = false;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { review, scene, frame, selection, phase } = state;
		const { models, active, pair, comparison, split, by, list, counting, kept } =
			review;
		const shown = [models, active, pair, comparison, split, by, list, counting];
		const rest = [kept, review.ranking, review.problem, scene, frame, selection, phase];
		return [...shown, ...rest, state.rollout, state.focus, !state.futures, !state.live];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult {
		const { controller } = this;
		const { phase, models, report, problem } = this.state.review;
		const hasFiles = models.length > 0 || this.state.futures !== undefined;
		return html`${controller && this.state.live ? this.#live(controller) : nothing}
			${controller && this.state.rollout ? rolloutSection(controller) : nothing}
			${controller && this.state.futures ? this.#futures(controller) : nothing}
			<header role="presentation">
				<h2 class="section">Predictions</h2>
				${hasFiles && models.length < MAX_MODELS ? this.#chooser("Add a file") : nothing}
			</header>
			${this.#urlForm()}
			${hasFiles ? nothing : this.#none()}
			${controller && models.length > 0 ? modelList(controller) : nothing}
			${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
			${controller && phase === "ready" ? pairChoice(controller) : nothing}
			${phase === "ready" ? this.#ready(report) : nothing}`;
	}

	/** Renders the submissions. */
	#futures(controller: ViewerController): TemplateResult {
		defineLazy(
			"bev-futures",
			async () => (await import("../futures/futures-panel.js")).FuturesPanel,
		).catch((error: unknown) =>
			controller.notify(`Futures: loading failed: ${String(error)}`),
		);
		return html`<bev-futures .controller=${controller}></bev-futures>`;
	}

	/** Renders the open model. */
	#live(controller: ViewerController): TemplateResult {
		defineLazy(
			"bev-live",
			async () => (await import("../models/live-panel.js")).LivePanel,
		).catch((error: unknown) =>
			controller.notify(`Model: loading failed: ${String(error)}`),
		);
		return html`<bev-live .controller=${controller}></bev-live>`;
	}

	#none(): TemplateResult {
		const next = `Compare models with what was recorded, and with each other. Drop up to ${MAX_MODELS} files of predictions, one per model: L5Kit's CSV, or Argoverse 2's Parquet.`;
		const acts = this.#chooser("Choose a file");
		return empty({ icon: "difference", what: "No predictions", next, acts });
	}

	/** Renders how to add a model: a file, or an address, which links then have. */
	#chooser(words: string): TemplateResult {
		const take = (event: Event): void => {
			const input = event.currentTarget as HTMLInputElement;
			const files = [...(input.files ?? [])];
			if (this.controller) void addFiles(this.controller, files);
			input.value = "";
		};
		return html`<span class="add"><label class="file">${words}<input type="file" multiple accept=".csv,.parquet,.npz,.binproto,text/csv" @change=${take}></label>
			<span>or</span> <button class="plain" aria-expanded=${this.asksUrl} @click=${() => {
				this.asksUrl = !this.asksUrl;
			}}>a URL</button></span>`;
	}

	#urlForm(): TemplateResult | typeof nothing {
		if (!this.asksUrl) return nothing;
		const add = (event: Event): void => {
			event.preventDefault();
			const input = (event.currentTarget as HTMLFormElement).querySelector("input");
			const address = input?.value.trim() ?? "";
			if (address === "") return;
			const { controller } = this;
			if (controller) void addAddress(controller, address);
			this.asksUrl = false;
		};
		return html`<form class="acts" @submit=${add}><input type="text" inputmode="url" spellcheck="false" autocomplete="off"
			aria-label="URL of a file" placeholder="https://\u2026/predictions.csv"><button>Add</button></form>`;
	}

	#ready(report: SceneReport | undefined): TemplateResult {
		const { controller } = this;
		const { list } = this.state.review;
		const all = coversAll(list);
		const compared = compares(list);
		return html`${this.#kept()}${compared ? this.#compared() : nothing}
			${all ? this.#allScenes() : nothing}
			${all || compared ? nothing : this.#scene(report)}
			<div class="acts">
				${controller ? listChoice(controller) : nothing}
				${list === "frames" ? nothing : html`<button title="Pictures of the listed predictions" @click=${this.#openGallery}>Gallery</button>`}
			</div>
			<div class="acts">
				<button title="The worst prediction" @click=${() => this.#worst()}>Worst</button>
				${this.#step(-1, "Previous in the ranking", "K", "previous")} ${this.#step(1, "Next in the ranking", "J", "next")}
				${controller ? measureChoice(controller) : nothing}
			</div>
			<div class="scroll" @scroll=${this.#onScroll}>${focusLine(this.state)} ${compared ? html`<bev-scatter .controller=${this.controller}></bev-scatter>` : nothing}
				${this.#breakdown(report)} ${this.#table(report)}</div>`;
	}

	/** Says what of the list distributions keep. */
	#kept(): TemplateResult | typeof nothing {
		if (!this.state.review.kept) return nothing;
		const { report, comparison } = keptList(this.state) ?? {};
		const pairs = comparison?.rows.frames.length ?? 0;
		const text = report
			? `Distributions keep ${report.found.toLocaleString("en")} of ${groupedCount(report.all, "prediction")}.`
			: comparison
				? `Distributions keep ${groupedCount(pairs, "pair")}: those with a kept prediction.`
				: "Filtering …";
		return html`<p class="beside" role="status">${text}</p>`;
	}

	/** Renders the means of the pairs, and what could not be compared. */
	#compared(): TemplateResult {
		const { state } = this;
		const { by, list, ranking } = state.review;
		const report = listedComparison(state);
		if (!report) {
			if (this.state.review.kept) return html``;
			if (!coversAll(list)) return html`<p role="status">Comparing …</p>`;
			return ranking ? html`` : this.#rankButton();
		}
		const { meanA, meanB, onlyA, onlyB } = report;
		const [a, b] = [meanA[by], meanB[by]];
		const alone =
			onlyA + onlyB > 0
				? html`<p class="beside">Not compared: ${onlyA} only in A, ${onlyB} only in B.</p>`
				: nothing;
		return html`<div class="sum mono" title="Means over predictions of both models for the same agent and time">
				<span>${withUnit(by)}</span><span>A <b>${formatNumber(a)}</b></span><span>B <b>${formatNumber(b)}</b></span>
				<span>B − A <b>${formatDifference(b - a)}</b></span></div>
			${pairsLine(report, this.controller)}${alone}`;
	}

	#rankButton(): TemplateResult {
		return html`<div class="far"><span>All scenes are not ranked yet</span>
			<button @click=${() => void this.controller?.reviews.rankAll()}>Rank all scenes</button></div>`;
	}

	/** Returns each ready model's results of the scene, or of all scenes. */
	#results(): readonly ModelResults[] {
		const { models, list, ranking } = this.state.review;
		return models.flatMap((model) => {
			const all = ranking?.reports.get(model.id);
			const report = coversAll(list) ? all : model.report;
			if (!report || report.breakdown.compared === 0) return [];
			return [{ model, mean: report.mean, breakdown: report.breakdown }];
		});
	}

	#breakdown(report: SceneReport | undefined): TemplateResult | typeof nothing {
		const { review } = this.state;
		const { list, ranking, pair } = review;
		const all = coversAll(list);
		const where = all && ranking ? rankedText(ranking) : "this scene";
		const over = review.kept ? `${where}, all predictions` : where;
		const toggled = (open: boolean) => {
			this.#unfolded = open;
		};
		const note = review.kept ? ", all predictions" : "";
		const shown = { over, note, open: this.#unfolded, toggled };
		const results = this.#results();
		if (results.length > 1)
			return folded("Metrics by model", shown, modelTable(results, pair, over));
		const { breakdown } = (all ? activeRanking(review) : report) ?? {};
		return breakdown ? breakdownTables(breakdown, shown) : nothing;
	}

	#table(report: SceneReport | undefined): TemplateResult | typeof nothing {
		const { controller } = this;
		const { review } = this.state;
		const { list } = review;
		if (!controller) return nothing;
		const listing = { controller, most: this.#rows };
		if (compares(list)) return comparedTable(listing);
		if (coversAll(list)) {
			const ranked = keptRanking(this.state);
			return ranked ? sceneTable(ranked, listing) : nothing;
		}
		const kept = report && keptReport(report, this.state);
		if (!kept || kept.count === 0) return nothing;
		return list === "frames" ? frameTable(kept, listing) : agentTable(kept, listing);
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
		const kept = keptReport(report, this.state);
		if (!kept) return html``;
		const { count, mean, unknown } = kept;
		if (report.count === 0) {
			return html`<p>None of ${counted(shape?.size ?? 0, "prediction")} matches a time and track of this scene.</p>`;
		}
		return html`${this.#sum(mean, `${count} of ${counted(shape?.size ?? 0, "prediction")}`, "this scene")}
			${countedLine(kept, this.controller)}
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
		return `Predictions of ${which}: ${counted(agents, "agent")}`;
	}

	#allScenes(): TemplateResult | typeof nothing {
		const { review } = this.state;
		const { ranking, list } = review;
		if (!ranking) return compares(list) ? nothing : this.#rankButton();
		const { running, done, all, problem } = ranking;
		const report = compares(list) ? undefined : keptRanking(this.state);
		const { reviews } = this.controller ?? {};
		const far = rankedText(ranking);
		const predicted = `${report?.found} of ${counted(review.shape?.size ?? 0, "prediction")}`;
		const sum =
			report &&
			html`${this.#sum(report.mean, predicted, far)} ${countedLine(report, this.controller)}`;
		const progress = html`<div class="far">
			<progress max=${Math.max(1, all)} .value=${done} aria-label="Scenes ranked"></progress>
			<span class="mono">${far}</span>
			<button @click=${() => reviews?.stopRanking()}>Cancel</button>
		</div>`;
		const stopped = html`<div class="far"><span>Stopped after <span class="mono">${far}</span></span>
			<button @click=${() => void reviews?.rankAll()}>Rank again</button></div>`;
		return html`${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
			${leftOutText(ranking)} ${running ? progress : done < all ? stopped : nothing} ${sum ?? nothing}`;
	}

	/** Adds rows when the list's end comes into view. */
	readonly #onScroll = ({ currentTarget }: Event): void => {
		const { scrollTop, clientHeight, scrollHeight } = currentTarget as HTMLElement;
		const rendered = this.renderRoot.querySelectorAll(".scroll > table > tbody > tr");
		if (scrollTop + 2 * clientHeight < scrollHeight || rendered.length < this.#rows)
			return;
		this.#rows += ROWS_AT_ONCE;
		this.requestUpdate();
	};

	readonly #openGallery = (): void => {
		const gallery = reviewGallery(this.state);
		if (gallery.items.length > 0) this.controller?.store.patch({ gallery });
		else this.controller?.announce("No listed prediction has ground truth");
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
