import { css, html, nothing, svg, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import { trackStyle } from "../plots/track-colours.js";
import { trackLines } from "../plots/track-lines.js";
import type { Selection } from "../scene-view/picking.js";
import { frameCount, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { type Axis, axisOf, beyond, type Series, seriesPath } from "./axis.js";
import { lanePressed } from "./lane-pointer.js";
import { isUsual, NO_EGO, QUANTITIES } from "./pointed-frame.js";
import { onRowDrag, onRowKey, ROW_KEYS } from "./row-order.js";
import type { RowValues } from "./row-values.js";
import type { RowLine, RowView } from "./row-view.js";
import { keyOf, type Row, rowOf, setRows } from "./rows.js";

const plotsStyles = css`
:host { display: grid; grid-template-columns: var(--_key-width, 0) minmax(0, 1fr) var(--_bound-width, 0); align-items: center; }
.row { display: contents; }
.key { display: flex; align-items: center; gap: 6px; height: 24px; min-width: 0; padding-right: 8px; font-size: 12px; white-space: nowrap; }
.name { flex: 0 1 auto; min-width: 0; min-height: 20px; padding: 0 4px; margin-left: -4px; justify-content: start; overflow: hidden; color: var(--_ink2); cursor: grab; touch-action: none; }
.name span { overflow: hidden; text-overflow: ellipsis; }
.values { display: flex; flex: none; gap: 6px; margin-left: auto; }
.value { display: inline-flex; align-items: center; gap: 3px; color: var(--_ink); }
.value svg { width: 7px; height: 7px; overflow: visible; }
.value path { stroke-width: 7; stroke-dasharray: none; }
.remove { display: none; flex: none; width: 20px; min-height: 20px; padding: 0; margin-left: auto; color: var(--_ink2); }
.remove .icon { width: 12px; height: 12px; }
.row:hover .remove, .row:focus-within .remove { display: inline-flex; }
.row:hover .values, .row:focus-within .values { margin-left: 0; order: 2; }
.row.dragged > * { background: var(--_raise); }
.lane { position: relative; height: 24px; padding: 3px 7px; cursor: pointer; touch-action: pan-y; }
.lane svg.plot { display: block; width: 100%; height: 18px; overflow: visible; }
.plot path { vector-effect: non-scaling-stroke; }
.plot path.line { stroke-width: 1.5; }
.plot line { stroke: var(--_line); vector-effect: non-scaling-stroke; }
.ends { position: absolute; inset: 0 7px; width: calc(100% - 14px); height: 24px; overflow: visible; color: var(--_ink2); pointer-events: none; }
.line-8 { stroke: var(--_model-1); }
.line-9 { stroke: var(--_model-2); }
.line-10 { stroke: var(--_model-3); }
.line-11 { stroke: var(--_model-4); }
.marks { color: var(--_warn-ink); }
.words { color: var(--_ink3); font-size: 11px; line-height: 18px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bounds { height: 24px; font: 10px/12px var(--_mono); font-variant-numeric: tabular-nums; color: var(--_ink3); white-space: nowrap; overflow: hidden; }
.bounds span { display: block; }
@media (pointer: coarse) {
	.key, .name { height: 44px; }
	.remove { display: inline-flex; width: 44px; min-height: 44px; }
}
@media (prefers-reduced-motion: no-preference) {
	.row > * { animation: appear 120ms; }
	@keyframes appear { from { opacity: 0; } }
}
/* Narrow: names overlap the upper left corner of their row. */
@container (max-width: 900px) {
	.key { grid-column: 1 / -1; justify-self: start; max-width: calc(100% - 14px); height: 16px; margin: 0 0 -16px 7px; padding: 0 4px; z-index: 1; background: var(--_panel); border-radius: 3px; font-size: 11px; }
	.name { min-height: 16px; line-height: 16px; }
	.values { margin-left: 0; }
	.lane { grid-column: 1 / -1; height: 36px; padding-top: 16px; }
	.ends { top: 12px; }
	.bounds { display: none; }
}
@media (pointer: coarse) {
	@container (max-width: 900px) {
		.key { height: 44px; margin-bottom: 0; }
		.name { min-height: 44px; }
		.lane { height: 24px; padding-top: 3px; }
		.ends { top: 0; }
	}
}
`;

interface Made {
	readonly of: readonly unknown[];
	readonly axis: Axis | undefined;
	readonly paths: readonly string[];
	readonly ends: readonly (readonly [frame: number, isAbove: boolean])[];
}

/** Rows of the timeline: quantities, errors and facts over the scene. */
export class Plots extends BevElement {
	static override styles = [baseStyles, trackLines, plotsStyles];
	static override properties = {
		...BevElement.properties,
		dragged: { state: true },
		over: { attribute: false },
	};

	/** The frame at the pointer, whose values are shown instead of the displayed frame's. */
	declare over: number | undefined;
	/** Key of the row that is being dragged. */
	declare dragged: string | undefined;
	/** Values that the timeline lacks; undefined until a row needs them. */
	#values: RowValues | undefined;
	#loading = false;
	readonly #made = new Map<string, Made>();

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#values?.dispose();
		this.#values = undefined;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { timeline, frame, sceneInfo, selection, rows, plotted, dataset } = state;
		const seen = [timeline, frame, sceneInfo, selection, rows, plotted, dataset];
		return [...seen, state.review, state.map, state.threshold];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override stateChanged(): void {
		this.#values?.update(this.state);
		super.stateChanged();
	}

	protected override render(): TemplateResult {
		const rows = this.state.rows.flatMap((key) => rowOf(key) ?? []);
		if (!this.#values && rows.some((row) => !isUsual(row))) void this.#load();
		for (const key of this.#made.keys())
			if (!this.state.rows.includes(key)) this.#made.delete(key);
		return html`${rows.map((row) => this.#row(row))}`;
	}

	/** Loads the code for other values than the timeline's. */
	async #load(): Promise<void> {
		if (this.#loading) return;
		this.#loading = true;
		try {
			const { RowValues } = await import("./row-values.js");
			if (!this.isConnected) return;
			this.#values = new RowValues(() => this.requestUpdate());
			this.#values.update(this.state);
			this.requestUpdate();
		} catch (error) {
			this.controller?.notify(`Timeline: loading rows failed: ${String(error)}`);
		} finally {
			this.#loading = false;
		}
	}

	#view(row: Row): RowView {
		if (isUsual(row)) return usualView(row.name, row.who, this.state);
		return this.#values?.view(row, this.state) ?? { ...NOTHING, name: keyOf(row) };
	}

	/** Returns axis and paths, cached by the values. */
	#drawn(key: string, { lines, least, fromZero }: RowView): Made {
		const of = lines.map(({ values }) => values);
		const made = this.#made.get(key);
		if (made?.of.length === of.length && made.of.every((one, i) => one === of[i]))
			return made;
		const known = of.filter((values) => values !== undefined);
		const axis = axisOf(known, { least, fromZero });
		const now: Made = {
			of,
			axis,
			paths: of.map((values) =>
				values && axis ? seriesPath(values, axis.low, axis.high) : "",
			),
			ends: axis ? known.flatMap((values) => beyond(values, axis)) : [],
		};
		this.#made.set(key, now);
		return now;
	}

	#row(row: Row): TemplateResult {
		const key = keyOf(row);
		const view = this.#view(row);
		const made = this.#drawn(key, view);
		const frame = this.over ?? this.state.frame;
		const span = Math.max(1, frameCount(this.state) - 1);
		const { name, unit, digits, lines } = view;
		const at = (values: Series | undefined) =>
			values ? formatNumber(values[frame] ?? Number.NaN, digits) : "…";
		const title = unit ? `${name} ${unit}` : name;
		const now = lines.map(({ whose, values }) => {
			const value = values?.[this.state.frame] ?? Number.NaN;
			return `${whose} ${formatNumber(value, digits)}`;
		});
		const label = `${name}${unit ? ` in ${unit}` : ""} at this frame: ${now.join(", ")}`;
		const { axis } = made;
		const bound = (k: 0 | 1) => (axis ? formatNumber(axis.bounds[k], digits) : "");
		return html`<div class="row ${key === this.dragged ? "dragged" : ""}" data-row=${key} role="group" aria-label=${title}>
			<div class="key">
				<button class="name" title="${title}: drag, or Alt and arrow keys, to move; Delete to remove"
					aria-keyshortcuts=${ROW_KEYS} aria-description="Row ${this.state.rows.indexOf(key) + 1} of ${this.state.rows.length}"
					@pointerdown=${(event: PointerEvent) => this.#drag(event, key)}
					@keydown=${(event: KeyboardEvent) => this.#key(event, key)}><span>${title}</span></button>
				<span class="values mono">${lines.map(
					({ style, whose, values }) =>
						html`<span class="value" title=${whose}>${dot(style)}${at(values)}</span>`,
				)}</span>
				<button class="remove" aria-label="Remove ${title}" title="Remove (Delete)" @click=${() => this.#remove(key)}>${icon("close")}</button>
			</div>
			<div class="lane" @pointerdown=${(event: PointerEvent) => lanePressed(event, this.controller)}>
				${view.problem || isUnread(view) ? html`<span class="words">${view.problem || "Reading"}</span>` : plot(view, made, span, label)}
			</div>
			<div class="bounds" title=${axis ? `From ${bound(0)} to ${bound(1)} ${unit}` : nothing}>${
				axis && lines.length > 0
					? html`<span>${bound(1)}</span><span>${bound(0)}</span>`
					: nothing
			}</div>
		</div>`;
	}

	#remove(key: string): void {
		const { rows } = this.state;
		const at = rows.indexOf(key);
		setRows(
			this.controller,
			rows.filter((one) => one !== key),
		);
		this.#focusRow(rows[at + 1] ?? rows[at - 1]);
	}

	#key(event: KeyboardEvent, key: string): void {
		onRowKey(event, {
			...{ key, controller: this.controller },
			remove: () => this.#remove(key),
			focus: () => this.#focusRow(key),
		});
	}

	#focusRow(key: string | undefined): void {
		void this.updateComplete.then(() => {
			const of = key === undefined ? null : this.#element(key);
			of?.querySelector<HTMLElement>(".name")?.focus();
		});
	}

	#element(key: string): HTMLElement | undefined {
		const all = this.renderRoot.querySelectorAll<HTMLElement>("[data-row]");
		return [...all].find((one) => one.dataset.row === key);
	}

	#drag(event: PointerEvent, key: string): void {
		onRowDrag(event, {
			key,
			controller: this.controller,
			rows: () => [
				...this.renderRoot.querySelectorAll<HTMLElement>("[data-row] .lane"),
			],
			dragged: (now) => {
				this.dragged = now;
			},
		});
	}
}

const NOTHING: RowView = {
	...{ name: "", unit: "", digits: 0, lines: [], marks: [], least: 1 },
	...{ fromZero: false, problem: "" },
};

function isUnread({ lines }: RowView): boolean {
	return lines.length > 0 && lines.every(({ values }) => values === undefined);
}

/** Renders the colour of a line; a dash would read as a minus sign. */
function dot(style: number): TemplateResult {
	return html`<svg viewBox="0 0 7 7" aria-hidden="true"><path class="line line-${style}" d="M3.5 3.5h0"/></svg>`;
}

const shown = new WeakMap<Series, Map<number, Series>>();

/** Returns the values in the displayed unit, the same object for the same values. */
function inUnit(series: Series | undefined, factor: number): Series | undefined {
	if (!series || factor === 1) return series;
	const made = shown.get(series) ?? new Map<number, Series>();
	shown.set(series, made);
	const now = made.get(factor) ?? series.map((value) => factor * value);
	made.set(factor, now);
	return now;
}

/** Returns a row of values that the timeline has. */
function usualView(
	name: keyof typeof QUANTITIES,
	who: Selection | undefined,
	state: ViewerState,
): RowView {
	const { timeline, selection } = state;
	const { of, factor, fromZero = false, digits, ...words } = QUANTITIES[name];
	const line = (of: Selection, whose: string, values: Series | undefined): RowLine => ({
		...{ style: trackStyle(of, state), whose, values: inUnit(values, factor) },
	});
	// While another track's series is being computed, the previous one's is not shown.
	const track = timeline?.of === selection ? timeline?.track : undefined;
	const chosen = who === undefined && selection !== undefined && selection !== "ego";
	const hasEgo = timeline && !timeline.ego_is_virtual;
	const lines = [
		...(hasEgo ? [line("ego", "ego", timeline.ego[of])] : []),
		...(track && chosen ? [line(selection, "selected", track[of])] : []),
	];
	const none = chosen ? "Reading" : NO_EGO;
	const problem = timeline && lines.length === 0 ? none : "";
	return { ...NOTHING, ...words, digits, lines, fromZero, least: 0.5, problem };
}

function plot(
	{ lines, marks }: RowView,
	{ axis, paths, ends }: Made,
	span: number,
	label: string,
): TemplateResult {
	const { low = 0, high = 1 } = axis ?? {};
	const zero = low < 0 && high > 0 ? high / (high - low) : undefined;
	const x = (frame: number) => `${(100 * frame) / span}%`;
	const noted = marks.map(({ frame, text }) => `frame ${frame}, ${text}`).join("; ");
	return html`<svg class="plot" viewBox="0 0 ${span} 1" preserveAspectRatio="none" role="img" aria-label=${noted || label}>
			${zero === undefined ? nothing : svg`<line x1="0" x2=${span} y1=${zero} y2=${zero}/>`}
			${lines.map(({ style }, k) => svg`<path class="line line-${style}" d=${paths[k] ?? ""}/>`)}
		</svg>
		<svg class="ends" aria-hidden="true">${ends.map(
			([frame, isAbove]) =>
				svg`<svg x=${x(frame)} overflow="visible"><path class="outlier" d=${isAbove ? "M-3 6h6L0 1z" : "M-3 18h6L0 23z"}><title>Beyond the axis</title></path></svg>`,
		)}${marks.map(
			({ frame }) =>
				svg`<svg class="marks" x=${x(frame)} overflow="visible"><path fill="currentColor" d="M0 6l5 6-5 6-5-6z"/></svg>`,
		)}</svg>`;
}
