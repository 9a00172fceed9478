import { html, nothing, type TemplateResult } from "lit";
import { formatNumber, labelOf } from "../agents/describe.js";
import { save } from "../export/save.js";
import type { Selection } from "../scene-view/picking.js";
import { frameCount, type ViewerState } from "../session/state.js";
import type { FrameRange } from "../timeline/clock.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { table } from "../ui/table.js";
import {
	type Box,
	type ChartView,
	chartArea,
	chartReadout,
	type PlottedLine,
	swatch,
} from "./chart.js";
import { type ChartActions, chartPointed, chartPressed } from "./chart-input.js";
import { type Range, UsualRanges, zoomedSpan } from "./chart-scale.js";
import { plotsCsv } from "./plots-csv.js";
import { isChart, MAX_CHARTS, MAX_PLOTTED } from "./plots-state.js";
import { infoOf, SERIES } from "./quantities.js";
import { SeriesLoader } from "./series-loader.js";
import { seriesStyles } from "./series-styles.js";
import { trackStyle } from "./track-colours.js";
import { trackLines } from "./track-lines.js";

/** A rectangle being dragged in a chart. */
interface Marked extends Box {
	readonly chart: string;
}

/** Plots of quantities of several tracks over time, with axes. */
export class SeriesPanel extends BevElement {
	static override styles = [baseStyles, emptyStyles, trackLines, seriesStyles];
	static override properties = {
		...BevElement.properties,
		over: { state: true },
		marked: { state: true },
		listed: { state: true },
		width: { state: true },
	};

	/** The frame at the pointer. */
	declare over: number | undefined;
	/** The rectangle that is dragged. */
	declare marked: Marked | undefined;
	/** Whether the values are listed in a table. */
	declare listed: boolean;
	/** Width of the charts in CSS pixels. */
	declare width: number;
	readonly #loader = new SeriesLoader(() => this.requestUpdate());
	/** Displayed values by chart, where they are limited. */
	readonly #ranges = new Map<string, Range>();
	readonly #usualRanges = new UsualRanges();
	#rangesOf: ViewerState["sceneInfo"];
	#observer: ResizeObserver | undefined;

	constructor() {
		super();
		this.listed = false;
		this.width = 280;
	}

	override connectedCallback(): void {
		super.connectedCallback();
		this.#observer = new ResizeObserver(([entry]) => {
			this.width = Math.max(160, Math.round(entry?.contentRect.width ?? 280));
		});
		this.#observer.observe(this);
		this.#loader.update(this.state);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#observer?.disconnect();
		this.#loader.dispose();
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { sceneInfo, timeline, timelineFailed, map, threshold, dataset } = state;
		const { charts, plotted, plotSpan, selection, frame, shown } = state;
		const data = [sceneInfo, timeline, timelineFailed, map, threshold, dataset];
		return [...data, charts, plotted, plotSpan, selection, frame, shown];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override stateChanged(): void {
		if (this.isConnected) this.#loader.update(this.state);
		if (this.state.sceneInfo !== this.#rangesOf) {
			this.#ranges.clear();
			this.over = undefined;
		}
		this.#rangesOf = this.state.sceneInfo;
		super.stateChanged();
	}

	/** The plotted tracks: the chosen ones, then the selection. */
	get #tracks(): readonly Selection[] {
		const { plotted, selection } = this.state;
		const isExtra = selection !== undefined && !plotted.includes(selection);
		return isExtra ? [...plotted, selection] : plotted;
	}

	get #span(): FrameRange {
		const count = frameCount(this.state);
		const { begin, end } = this.state.plotSpan ?? { begin: 0, end: count };
		const first = Math.min(begin, Math.max(0, count - 2));
		return { begin: first, end: Math.max(first, Math.min(end, count)) };
	}

	#nameOf(who: Selection): string {
		if (who === "ego") return "Ego";
		return labelOf(this.state, who).split(" · ")[0] || String(who);
	}

	#lines(chart: string): PlottedLine[] {
		const { factor } = this.#info(chart);
		return this.#tracks.map((who) => {
			const values = this.#loader.values(chart, who);
			const scaled = factor === 1 ? values : values?.map((value) => factor * value);
			return {
				style: trackStyle(who, this.state),
				name: this.#nameOf(who),
				values: scaled,
			};
		});
	}

	#info(chart: string) {
		return infoOf(chart, this.state.dataset?.labels);
	}

	/** Returns the usual range of a chart in the displayed unit. */
	#usual(chart: string): Range | undefined {
		const { factor, digits } = this.#info(chart);
		const all = this.#tracks
			.map((who) => this.#loader.values(chart, who))
			.filter((values) => values !== undefined);
		const least = (4 * 10 ** -digits) / factor;
		const range = this.#usualRanges.of(chart, all, this.#span, least);
		return range && [factor * range[0], factor * range[1]];
	}

	#view(chart: string): ChartView {
		const { sceneInfo, frame } = this.state;
		const { marked, over, width } = this;
		return {
			info: this.#info(chart),
			lines: this.#lines(chart),
			seconds: sceneInfo?.seconds ?? new Float64Array(),
			span: this.#span,
			range: this.#ranges.get(chart) ?? this.#usual(chart),
			frame,
			over,
			box: marked?.chart === chart ? marked : undefined,
			failed: this.#loader.problem !== undefined,
			width,
		};
	}

	protected override render(): TemplateResult {
		const { charts, sceneInfo } = this.state;
		const views = charts.map((chart) => [chart, this.#view(chart)] as const);
		const { problem } = this.#loader;
		return html`
			${this.#bar()}
			${this.#trackList()}
			${problem ? this.#problem(`Plots: ${problem}`) : nothing}
			${charts.length === 0 ? empty({ icon: "plot", what: "No quantity is plotted", next: "Add one above: speed, gap to the agent ahead, time to collision, or any field, of several tracks." }) : nothing}
			${sceneInfo ? views.map(([chart, view]) => this.#chart(chart, view)) : html`<p class="hint">No scene is displayed</p>`}
			${this.listed && sceneInfo ? this.#table(views) : nothing}`;
	}

	#problem(why: string): TemplateResult {
		return html`<div class="problem" role="alert"><span>${why}</span>
			<button class="outlined" @click=${() => this.#loader.retry()}>Retry</button></div>`;
	}

	/** Whether all plotted values are read; a file of others would lack them. */
	get #complete(): boolean {
		return this.state.charts.every((chart) =>
			this.#tracks.every((who) => this.#loader.values(chart, who) !== undefined),
		);
	}

	#bar(): TemplateResult {
		const { charts, plotSpan } = this.state;
		const isZoomed = plotSpan !== undefined || this.#ranges.size > 0;
		const full = charts.length >= MAX_CHARTS;
		return html`<div class="bar">
			<select class="add" aria-label="Add a quantity" ?disabled=${full} @change=${this.#onAdd}>
				<option value="">${full ? `At most ${MAX_CHARTS} quantities` : "Add a quantity…"}</option>
				${this.#groups().map(
					([group, names]) =>
						html`<optgroup label=${group}>${names.map((name) => html`<option value=${name}>${this.#title(name)}</option>`)}</optgroup>`,
				)}
			</select>
			<button class="icon-only" aria-label="Zoom in on time" title="Zoom in (+)" @click=${() => this.#zoomBy(0.5)}>${icon("plus")}</button>
			<button class="icon-only" aria-label="Zoom out of time" title="Zoom out (−)" @click=${() => this.#zoomBy(2)}>${icon("minus")}</button>
			<button class="reset" ?disabled=${!isZoomed} title="Show all frames and values (0)" @click=${this.#resetZoom}>Reset</button>
			<button class="table" aria-pressed=${this.listed} title="List the values" @click=${() => {
				this.listed = !this.listed;
			}}>Table</button>
			<button class="csv outlined" ?disabled=${charts.length === 0 || !this.#complete} title=${this.#complete ? "Save the plotted values as CSV" : "Not all plotted values are read"} @click=${this.#saveCsv}>CSV</button>
		</div>`;
	}

	/** Returns the quantities that are not plotted, by group. */
	#groups(): [string, string[]][] {
		const { charts } = this.state;
		const fields = this.#loader.fields.flatMap(({ table, field, width }) =>
			Array.from({ length: width }, (_, k) => `${table}.${field}.${k}`),
		);
		const groups = new Map<string, string[]>();
		for (const name of [...Object.keys(SERIES), ...fields]) {
			if (charts.includes(name) || !isChart(name)) continue;
			const { group } = this.#info(name);
			groups.set(group, [...(groups.get(group) ?? []), name]);
		}
		return [...groups];
	}

	#title(chart: string): string {
		const { name, unit } = this.#info(chart);
		return unit ? `${name} (${unit})` : name;
	}

	#trackList(): TemplateResult {
		const { plotted, selection } = this.state;
		const full = plotted.length >= MAX_PLOTTED;
		const isKept = selection === undefined || plotted.includes(selection);
		const hint =
			selection === undefined
				? "Select an agent to plot it too."
				: isKept || full
					? ""
					: "Keep plots it also when something else is selected.";
		return html`<ul class="tracks" aria-label="Plotted tracks">${this.#tracks.map(
			(who) => {
				const name = this.#nameOf(who);
				const kept = plotted.includes(who);
				return html`<li>${swatch(trackStyle(who, this.state))}<span>${name}</span>${
					kept
						? html`<button class="icon-only" aria-label=${`Remove ${name}`} title="Remove" @click=${() => this.#keep(plotted.filter((other) => other !== who))}>${icon("close")}</button>`
						: html`<button class="keep" ?disabled=${full} aria-label=${`Keep ${name}`}
						@click=${() => this.#keep([...plotted, who])}>Keep</button>`
				}</li>`;
			},
		)}${plotted.includes("ego") ? nothing : html`<li><button @click=${() => this.#keep(["ego", ...plotted])} ?disabled=${full}>Add ego</button></li>`}</ul>
		${hint ? html`<p class="hint">${hint}</p>` : nothing}`;
	}

	#chart(chart: string, view: ChartView): TemplateResult {
		const { name, unit } = view.info;
		const problem = this.#loader.problemOf(chart);
		const actions = this.#actions(chart);
		return html`<section class="chart" data-chart=${chart} aria-label=${name}
			@pointermove=${(event: PointerEvent) => this.#onArea(event, chart, "move")}
			@pointerdown=${(event: PointerEvent) => this.#onArea(event, chart, "down")}
			@pointerleave=${() => actions.over(undefined)}
			@dblclick=${this.#resetZoom} @keydown=${this.#onKey}>
			<header><h2>${name}${unit ? html` <span class="unit">${unit}</span>` : nothing}</h2>
				<button class="icon-only" aria-label=${`Remove ${name}`} title="Remove" @click=${() => this.#remove(chart)}>${icon("close")}</button></header>
			${problem ? this.#problem(problem) : [chartReadout(view), chartArea(view)]}
		</section>`;
	}

	/** Handles pointers over the plot area; its parts are the events' targets. */
	#onArea(event: PointerEvent, chart: string, what: "move" | "down"): void {
		const area = event
			.composedPath()
			.find((node) => node instanceof Element && node.classList.contains("area"));
		if (!(area instanceof Element)) return;
		const view = this.#view(chart);
		if (view.seconds.length < 2) return;
		if (what === "move") chartPointed(event, area, view, this.#actions(chart));
		else chartPressed(event, area, view, this.#actions(chart));
	}

	#actions(chart: string): ChartActions {
		return {
			over: (frame) => {
				this.over = frame;
			},
			mark: (box) => {
				this.marked = box && { ...box, chart };
			},
			zoom: (span, range) => {
				if (range) this.#ranges.set(chart, range);
				this.controller?.setPlotSpan(span);
				this.requestUpdate();
			},
			seek: (frame) => this.controller?.seek(frame),
		};
	}

	#table(views: readonly (readonly [string, ChartView])[]): TemplateResult {
		const { sceneInfo, frame } = this.state;
		const { begin, end } = this.#span;
		const lines = views.flatMap(([, { info, lines }]) =>
			lines.map(({ name, values }) => ({
				name: `${name} ${info.name}${info.unit ? ` [${info.unit}]` : ""}`,
				cells: "",
				cell: (k: number) => formatNumber(values?.[k] ?? Number.NaN, info.digits),
			})),
		);
		const seconds = (k: number) => formatNumber(sceneInfo?.seconds[k] ?? Number.NaN, 2);
		return html`<div class="values" tabindex="0" role="region" aria-label="Plotted values">${table(
			{
				columns: [
					{ name: "frame", heads: true, cell: (k: number) => k },
					{ name: "s", cells: "", cell: seconds },
					...lines,
				],
				rows: Array.from({ length: end - begin }, (_, k) => begin + k),
				state: (k) => ({ current: k === frame }),
			},
		)}</div>`;
	}

	readonly #onAdd = (event: Event): void => {
		const select = event.currentTarget as HTMLSelectElement;
		if (select.value) this.controller?.setCharts([...this.state.charts, select.value]);
		select.value = "";
	};

	#remove(chart: string): void {
		this.#ranges.delete(chart);
		this.controller?.setCharts(this.state.charts.filter((other) => other !== chart));
	}

	#keep(tracks: readonly Selection[]): void {
		this.controller?.setPlotted(tracks);
	}

	/** Zooms the time axis around the pointer, or around the requested frame. */
	#zoomBy(factor: number): void {
		const count = frameCount(this.state);
		if (count < 2) return;
		const { frame } = this.state;
		const span = this.#span;
		const inside = frame >= span.begin && frame < span.end;
		const at = this.over ?? (inside ? frame : Math.round((span.begin + span.end) / 2));
		const to = zoomedSpan(span, at, factor, count);
		this.controller?.setPlotSpan(to.end - to.begin >= count ? undefined : to);
	}

	readonly #resetZoom = (): void => {
		this.#ranges.clear();
		this.controller?.setPlotSpan(undefined);
		this.requestUpdate();
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		const act = {
			"+": () => this.#zoomBy(0.5),
			"=": () => this.#zoomBy(0.5),
			"-": () => this.#zoomBy(2),
			"0": () => this.#resetZoom(),
		}[event.key];
		if (!act) return;
		event.preventDefault();
		event.stopPropagation();
		act();
	};

	readonly #saveCsv = (): void => {
		const { charts, scene, sceneInfo } = this.state;
		const columns = charts.flatMap((chart) => {
			const title = this.#title(chart);
			return this.#tracks.map((who, i) => ({
				title: `${title} ${who === "ego" ? "ego" : `track ${who}`}`,
				values: this.#lines(chart)[i]?.values ?? [],
			}));
		});
		const text = plotsCsv(sceneInfo?.seconds ?? [], columns, this.#span);
		save(new Blob([text], { type: "text/csv" }), `scene-${scene}-plots.csv`);
	};
}
