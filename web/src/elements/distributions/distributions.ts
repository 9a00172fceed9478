import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { goTo } from "../review/review-rows.js";
import { colourOf } from "../review/review-state.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { table, tableStyles } from "../ui/table.js";
import { groupedCount } from "../ui/words.js";
import { brushWords } from "./bars.js";
import { type ColumnInfo, valueWords } from "./columns.js";
import { DistributionsController, type Result } from "./distributions-controller.js";
import { distributionsGallery } from "./distributions-gallery.js";
import { saveCsv, savePng } from "./distributions-save.js";
import { distributionsStyles } from "./distributions-styles.js";
import type { HistogramData } from "./histogram.js";
import { meansTable } from "./means.js";
import { placeOf, trackWords } from "./row-places.js";
import type { ScatterData } from "./scatter-plot.js";
import { futureWords, goToScore, scoredNames } from "./score-rows.js";
import { areScores, TABLES, type TableName } from "./settings.js";
import { hasMean } from "./surety.js";

/** What the rows of a table are called. */
export const ROW_WORDS: Readonly<Record<TableName, string>> = {
	predictions: "prediction",
	scenes: "scene",
	tracks: "agent",
	submissions: "scenario",
	futures: "future",
};

const TABLE_NAMES: Readonly<Record<TableName, string>> = {
	predictions: "Predictions",
	scenes: "Scenes",
	tracks: "Agents",
	submissions: "Scenarios",
	futures: "Futures",
};

/** Colours of the groups of a column, as tokens. */
const CLASS_TOKENS = ["vehicle", "cyclist", "pedestrian", "other", "ego", "ink2"];
const OTHER_TOKENS = ["vehicle", "ego", "cyclist", "pedestrian", "model-4", "model-2"];

/**
 * Charts rendered at first, and added in each animation frame: all of them, with the list,
 * would delay an animation frame.
 */
const CHARTS_AT_ONCE = 5;

/** Histograms of predictions' errors and of facts; a brush on one filters all others. */
export class Distributions extends BevElement {
	static override styles = [baseStyles, emptyStyles, tableStyles, distributionsStyles];
	#work: DistributionsController | undefined;
	/** Rendered charts, and the rows that they are of. */
	#charts = CHARTS_AT_ONCE;
	#isGrowing = false;
	#of: TableName | undefined;
	#end: (() => void) | undefined;

	protected watched(state: ViewerState): readonly unknown[] {
		const { review, scene, frame, selection, dataset } = state;
		const { models, pair, ranking, phase } = review;
		const scored = state.futures?.scored;
		return [models, pair, ranking, phase, scene, frame, selection, dataset, scored];
	}

	protected override get pace(): number {
		return 200;
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#end?.();
		this.#end = undefined;
		this.#work = undefined;
	}

	protected override render(): TemplateResult {
		const { controller } = this;
		if (controller && !this.#work && this.isConnected) {
			this.#work = DistributionsController.of(controller);
			this.#end = this.#work.subscribe(() => this.requestUpdate());
		}
		const work = this.#work;
		if (!work) return html``;
		const { result } = work;
		return html`<header role="presentation"><h2 class="section">Distributions</h2></header>
			${this.#choices(work)} ${this.#progress(work)}
			${work.problem ? html`<p class="wrong" role="alert">${work.problem}</p>` : nothing}
			<div class="scroll">${result ? this.#shown(work, result) : this.#empty(work)}</div>`;
	}

	#empty(work: DistributionsController): TemplateResult {
		const { table: name } = work.settings;
		if (areScores(name) && !this.state.futures?.scored.length)
			return empty({
				icon: "distribution",
				what: "No submissions",
				next: "Drop submissions to a challenge, or a file of scores.",
				acts: nothing,
			});
		if (name !== "predictions" || this.state.review.phase === "ready")
			return html`<p role="status">Reading …</p>`;
		const facts = (["scenes", "tracks"] as const).map(
			(one) =>
				html`<button class="outlined" @click=${() => work.set({ table: one })}>Facts of ${TABLE_NAMES[one].toLowerCase()}</button>`,
		);
		const next =
			"Histograms of errors; a brush on one filters the others, the lists and the picture. Add files in the tab Predictions, or look at facts.";
		return empty({ icon: "distribution", what: "No predictions", next, acts: facts });
	}

	#choices(work: DistributionsController): TemplateResult {
		const { settings, result } = work;
		const columns = result?.columns ?? [];
		const named = columns.filter((one) => one.shown && one.categories);
		const value = (event: Event) => (event.currentTarget as HTMLSelectElement).value;
		const setTable = (event: Event): void => {
			const name = TABLES.find((one) => one === value(event));
			if (name) work.set({ table: name });
		};
		return html`<div class="acts">
			<select aria-label="Rows" @change=${setTable}>${TABLES.filter(
				(one) =>
					!areScores(one) ||
					one === settings.table ||
					this.state.futures?.scored.length,
			).map(
				(name) =>
					html`<option value=${name} .selected=${name === settings.table}>${TABLE_NAMES[name]}</option>`,
			)}</select>
			<select aria-label="Divide by" @change=${(event: Event) => work.set({ by: value(event) || undefined })}>
				<option value="" .selected=${!settings.by}>not divided</option>${named.map(
					(one) =>
						html`<option value=${one.name} .selected=${one.name === settings.by}>by ${one.words}</option>`,
				)}</select>
			<button aria-pressed=${settings.boxes} @click=${() => work.set({ boxes: !settings.boxes })}
				title="Box plots: 5 %, 25 %, median, 75 %, 95 %; the dot is the mean">Box plots</button>
		</div>`;
	}

	#progress(work: DistributionsController): TemplateResult {
		const { result, settings } = work;
		const { progress } = result ?? {};
		const word = ROW_WORDS[settings.table];
		const { rows = 0, kept = 0 } = result?.counts ?? {};
		const unread = progress?.unread ?? 0;
		const scenes = progress
			? ` in ${(progress.done - unread).toLocaleString("en")} of ${groupedCount(progress.of, "scene")}`
			: "";
		const left =
			unread > 0 ? `; ${groupedCount(unread, "scene")} left out, unreadable` : "";
		const count = result?.isFiltered
			? `${kept.toLocaleString("en")} of ${groupedCount(rows, word)} kept`
			: groupedCount(rows, word);
		const sources = this.#named();
		const text =
			settings.table === "scenes"
				? `${count}${left}`
				: `${count}${scenes}${left}${sources}`;
		const chips = [...settings.brushes].map(([name, brush]) => {
			const info = result?.columns.find((one) => one.name === name);
			if (!info) return nothing;
			const words = `${info.words}: ${brushWords(brush, info)}`;
			return html`<button class="chip" aria-label=${`Remove the brush ${words}`}
				@click=${() => work.brush(name, undefined)}>${words}${icon("close")}</button>`;
		});
		const leftOut = progress?.leftOut ?? [];
		return html`<p class="count mono" role="status">${result ? text : ""}</p>
			${leftOut.map((one) => html`<p class="hint">${one}.</p>`)}
			${settings.brushes.size > 0 ? html`<div class="acts">${chips}<button class="outlined" @click=${() => work.clear()}>Clear</button></div>` : nothing}`;
	}

	/** Returns which submissions the rows are of, and how far ahead they are measured. */
	#named(): string {
		const { scored = [] } = this.state.futures ?? {};
		if (!areScores(this.#work?.settings.table ?? "predictions")) return "";
		return `; ${scoredNames(scored).join(", ")}`;
	}

	#shown(work: DistributionsController, result: Result): TemplateResult {
		const { settings } = work;
		const shown = result.columns.filter((one) => one.shown);
		const known = shown.filter(
			(one) => result.counts.columns[result.columns.indexOf(one)]?.edges.length,
		);
		const unknown = shown.filter((one) => !known.includes(one));
		return html`${this.#legend(result)}${meansTable(work, result, this.state)}
			<div class="charts">${repeat(
				known.slice(0, this.#rendered(settings.table, known.length)),
				({ name }) => `${settings.table} ${name}`,
				(info) => this.#chart(work, result, info),
			)}</div>
			${this.#charts < known.length ? nothing : this.#rest(work, result, unknown)}`;
	}

	/** Returns how many of the charts are rendered now; others follow. */
	#rendered(of: TableName, count: number): number {
		if (of !== this.#of) this.#charts = CHARTS_AT_ONCE;
		this.#of = of;
		if (this.#charts >= count || this.#isGrowing) return this.#charts;
		this.#isGrowing = true;
		requestAnimationFrame(() => {
			this.#isGrowing = false;
			this.#charts += CHARTS_AT_ONCE;
			this.requestUpdate();
		});
		return this.#charts;
	}

	/** Renders what follows the charts. */
	#rest(
		work: DistributionsController,
		result: Result,
		unknown: readonly ColumnInfo[],
	): TemplateResult {
		const { settings } = work;
		return html`${unknown.length > 0 ? html`<p class="hint">Without any value: ${unknown.map(({ words }) => words).join(", ")}.</p>` : nothing}
			<p class="hint">A click on a bar, or a drag over several, keeps its rows and filters all else. Bars are of the kept rows${settings.brushes.size > 0 ? "; the shade behind is of all, in its own scale" : ""}.</p>
			${this.#scatter(work, result)} ${this.#list(work, result)}`;
	}

	#chart(work: DistributionsController, result: Result, info: ColumnInfo) {
		const { settings } = work;
		const index = result.columns.indexOf(info);
		const counts = result.counts.columns[index];
		if (!counts) return nothing;
		const all = result.counts.rows;
		const missing = counts.all.at(-1) ?? 0;
		const brushed = settings.brushes.has(info.name) ? 1 : 0;
		const boxes =
			settings.boxes && !info.categories ? result.summaries.get(index) : undefined;
		const group = boxes ? result.group : result.by;
		const data: HistogramData = {
			...{ info, counts, boxes, brush: settings.brushes.get(info.name) },
			isFiltered: settings.brushes.size > brushed,
			tokens: this.tokensOf(result, group),
			rows: ROW_WORDS[settings.table],
			choose: (brush) => work.brush(info.name, brush),
		};
		const unit = info.unit === "" ? "" : `, ${info.unit}`;
		const without = missing > 0 ? ` · ${missing.toLocaleString("en")} without` : "";
		const of = `${(all - missing).toLocaleString("en")}${without}`;
		return html`<section aria-label=${info.words}>
			<h3 title=${info.title ?? nothing}><button class="name" aria-pressed=${result.on === index}
				title="Means and list by this" ?disabled=${!hasMean(info)}
				@click=${() => work.set({ on: info.name })}>${info.words}${unit}</button>
				<span class="mono of" title="Rows with a value, and without">${of}</span></h3>
			<bev-histogram .controller=${this.controller} .data=${data}></bev-histogram>
		</section>`;
	}

	/** Returns the colours of a column's groups. */
	tokensOf({ columns, table: rows }: Result, group: number | undefined) {
		if (group === undefined) return [];
		const { name, categories = [] } = columns[group] ?? {};
		if (name === "class") return CLASS_TOKENS;
		if (name !== "model") {
			return categories.map((_, i) => OTHER_TOKENS[i % OTHER_TOKENS.length] ?? "ink2");
		}
		const { ranking, models } = this.state.review;
		const ids = ranking?.rows?.table === rows ? ranking.rows.ids : [];
		return ids.map((id) => {
			const slot = models.find((one) => one.id === id)?.slot ?? 0;
			return colourOf(slot).slice("--_".length);
		});
	}

	#legend(result: Result): TemplateResult | typeof nothing {
		const { by } = result;
		if (by === undefined) return nothing;
		const tokens = this.tokensOf(result, by);
		const { categories = [] } = result.columns[by] ?? {};
		const present = categories
			.map((words, i) => ({ words, token: tokens[i] ?? "ink3", i }))
			.filter(({ i }) => (result.counts.columns[by]?.all[i] ?? 0) > 0);
		return html`<ul class="legend" aria-label="Colours">${present.map(
			({ words, token }) =>
				html`<li><svg width="10" height="10" aria-hidden="true"><rect class="swatch ${token}" width="10" height="10" rx="2"/></svg>${words}</li>`,
		)}</ul>`;
	}

	#scatter(work: DistributionsController, result: Result): TemplateResult {
		const { settings } = work;
		const numbers = result.columns.filter((one) => one.shown && !one.categories);
		const [x, y] = settings.scatter ?? [];
		const pick = (axis: 0 | 1) => (event: Event) => {
			const { value } = event.currentTarget as HTMLSelectElement;
			const pair = [x ?? numbers[0]?.name ?? "", y ?? numbers[1]?.name ?? ""];
			pair[axis] = value;
			work.set({ scatter: value === "" ? undefined : [pair[0] ?? "", pair[1] ?? ""] });
		};
		const choice = (axis: 0 | 1, chosen: string | undefined) =>
			html`<select aria-label=${axis === 0 ? "Across" : "Up"} @change=${pick(axis)}>
				<option value="" .selected=${!chosen}>${axis === 0 ? "Scatter plot …" : "…"}</option>${numbers.map(
					(one) =>
						html`<option value=${one.name} .selected=${one.name === chosen}>${one.words}</option>`,
				)}</select>`;
		const data = this.#scatterData(result);
		return html`<div class="acts flat">${choice(0, x)}${x ? choice(1, y) : nothing}</div>
			${data ? html`<bev-scatter-plot .controller=${this.controller} .data=${data}></bev-scatter-plot>` : nothing}`;
	}

	#scatterData(result: Result): ScatterData | undefined {
		const { points, columns, counts } = result;
		const [x, y] = [columns[points?.x ?? -1], columns[points?.y ?? -1]];
		if (!points || !x || !y) return undefined;
		const range = (i: number): readonly [number, number] => {
			const edges = counts.columns[i]?.edges;
			return [edges?.[0] ?? 0, edges?.at(-1) ?? 1];
		};
		const tokens = this.tokensOf(result, result.by);
		const count = points.rows.length;
		const { by } = result;
		const token = (i: number): string => {
			const group = by === undefined ? 0 : (points.values[by * count + i] ?? 0);
			return tokens[group] ?? "predicted";
		};
		const ranges = [range(points.x), range(points.y)] as const;
		const go = (i: number): void => this.#goTo(points, i, points.x, result);
		return { rows: points, columns: [x, y], ranges, token, go };
	}

	/** Goes to a row: to the frame of its fact, if that has one; to a future. */
	#goTo(rows: Result["rows"], i: number, on: number, { columns }: Result): void {
		const { controller } = this;
		if (!controller) return;
		const place = placeOf(rows, i, on, columns);
		const { table: name = "predictions" } = this.#work?.settings ?? {};
		if (areScores(name)) goToScore(controller, { rows, columns, i, on });
		else goTo(controller, { ...place, ade: NaN, fde: NaN, nll: NaN, seen: 0 });
	}

	#list(work: DistributionsController, result: Result): TemplateResult {
		const { rows, on, columns, counts } = result;
		const info = columns[on];
		const { kept } = counts;
		if (!info) return html``;
		const [low = 0, high = 0] = [
			counts.columns[on]?.edges[0],
			counts.columns[on]?.edges.at(-1),
		];
		const { table: name } = work.settings;
		const isScene = name === "scenes" || areScores(name);
		const items = Array.from(rows.rows, (_, i) => i);
		const value = (i: number): number => rows.values[on * rows.rows.length + i] ?? NaN;
		const place = (i: number) => placeOf(rows, i, on, columns);
		const { scene, frame } = this.state;
		const list = table({
			label: `Largest by ${info.words}`,
			columns: [
				{ name: "Scene", cell: (i: number) => rows.scenes[i] },
				{ name: "Frame", cell: (i: number) => place(i).frame },
				...(isScene
					? []
					: [{ name: "Track", cell: (i: number) => trackWords(place(i).track) }]),
				...(name === "futures"
					? [{ name: "Future", cell: (i: number) => futureWords({ rows, columns, i }) }]
					: []),
				{
					name: info.words,
					kind: "number",
					cell: (i: number) => valueWords(info, value(i), high - low),
				},
			],
			rows: items,
			press: (i) => this.#goTo(rows, i, on, result),
			state: (i) => {
				const at = place(i);
				const future =
					name === "futures" ? `, ${futureWords({ rows, columns, i })}` : "";
				const who = isScene ? future : `, track ${trackWords(at.track)}`;
				return {
					label: `Scene ${at.scene}, frame ${at.frame}${who}`,
					chosen: at.scene === scene && at.frame === frame,
				};
			},
		});
		const shown = rows.rows.length;
		const controller = this.controller;
		return html`<div class="acts flat">
				<button class="outlined" ?disabled=${shown === 0} @click=${() => controller && distributionsGallery(controller, work, result)}>Gallery</button>
				<button class="outlined" @click=${() => void saveCsv(work, result)}>CSV</button>
				<button class="outlined" @click=${() => savePng(this, work, result)}>PNG</button>
			</div>
			<p class="hint">${shown < kept ? `The ${shown} largest of ${groupedCount(kept, ROW_WORDS[work.settings.table])} kept, by ${info.words}.` : `By ${info.words}, the largest first.`}</p>
			${list}`;
	}
}
