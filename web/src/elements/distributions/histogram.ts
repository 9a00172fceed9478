import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type {
	Brush,
	ColumnCounts,
	GroupSummary,
} from "../../reviewing/remote-distribution.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { type Bar, barsOf, brushOf, edgeWords, isChosen } from "./bars.js";
import type { ColumnInfo } from "./columns.js";
import {
	type PaintedBars,
	paintBars,
	paintBoxes,
	paintingOn,
	slotsOf,
} from "./paint.js";
import { Repaints } from "./repaints.js";

const histogramStyles = css`
:host { display: block; }
.plot { position: relative; cursor: crosshair; touch-action: pan-y; border-radius: 3px; }
canvas { display: block; width: 100%; height: 56px; }
.ends { display: flex; justify-content: space-between; gap: 8px; font-size: 11px; color: var(--_ink3); }
.ends .at { color: var(--_ink2); text-align: center; }
`;

/** What a histogram displays. */
export interface HistogramData {
	readonly info: ColumnInfo;
	readonly counts: ColumnCounts;
	readonly brush: Brush | undefined;
	readonly isFiltered: boolean;
	/** Tokens of the groups' colours. */
	readonly tokens: readonly string[];
	/** Box plots of groups instead of bars. */
	readonly boxes: readonly GroupSummary[] | undefined;
	/** What a row is called: `predictions`. */
	readonly rows: string;
	/** Sets or clears the brush. */
	readonly choose: (brush: Brush | undefined) => void;
}

/**
 * A column's histogram. A click on a bar, or a drag over several, is its brush; keys move
 * over the bars, with Shift from one to another.
 */
export class Histogram extends BevElement {
	static override styles = [baseStyles, histogramStyles];
	static override properties = {
		...BevElement.properties,
		data: { attribute: false },
	};

	declare data: HistogramData | undefined;
	#bars: readonly Bar[] = [];
	/** The bars at which keys are, and from which they choose several. */
	#at: number | undefined;
	#from: number | undefined;
	#dragged: number | undefined;

	constructor() {
		super();
		new Repaints(this, () => this.#paint());
	}

	protected watched({ theme }: ViewerState): readonly unknown[] {
		return [theme];
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		const { data } = this;
		this.#bars = data ? barsOf(data.counts, data.info) : [];
		if (this.#at !== undefined && this.#at >= this.#bars.length) this.#at = undefined;
	}

	protected override render(): TemplateResult | typeof nothing {
		const { data } = this;
		if (!data || this.#bars.length === 0) return nothing;
		const at = this.#at ?? 0;
		const words = this.#wordsOf(at);
		const { edges } = data.counts;
		const [first, last] = [edges[0], edges.at(-1)];
		const { info, boxes } = data;
		const ends =
			info.categories || first === undefined || last === undefined
				? nothing
				: html`<span>${edgeWords(first)}</span>${this.#hint(words)}<span>${edgeWords(last)}</span>`;
		return html`<div class="plot" role="slider" tabindex="0" aria-orientation="horizontal"
				aria-label=${`${info.words}: ${boxes ? "box plots" : "histogram"}`} aria-valuemin="1"
				aria-valuemax=${this.#bars.length} aria-valuenow=${at + 1} aria-valuetext=${words}
				title=${this.#at === undefined ? nothing : words}
				@keydown=${this.#onKey} @focusout=${this.#onBlur} @pointerdown=${this.#onDown} @pointermove=${this.#onMove}
				@pointerup=${this.#onUp} @pointerleave=${this.#onLeave}><canvas aria-hidden="true"></canvas></div>
			<div class="ends mono" aria-hidden="true">${info.categories ? this.#hint(words) : ends}</div>`;
	}

	#hint(words: string): TemplateResult {
		return html`<span class="at">${this.#at === undefined ? "" : words}</span>`;
	}

	#wordsOf(at: number): string {
		const bar = this.#bars[at];
		const { data } = this;
		if (!bar || !data) return "";
		const passing = bar.passing.reduce((sum, one) => sum + one, 0);
		const of = data.isFiltered ? ` of ${bar.all.toLocaleString("en")}` : "";
		const { brush } = data;
		const chosen = brush && isChosen(data.counts, bar, brush) ? ", chosen" : "";
		return `${bar.words}: ${passing.toLocaleString("en")}${of}${chosen}`;
	}

	#paint(): void {
		const painting = paintingOn(this.renderRoot.querySelector("canvas"), this);
		const { data } = this;
		if (!painting || !data) return;
		const { counts, tokens, isFiltered, boxes } = data;
		if (boxes) {
			const { edges } = counts;
			const range = [edges[0] ?? 0, edges.at(-1) ?? 1] as const;
			paintBoxes(painting, { groups: boxes, tokens, range });
			return;
		}
		const painted: PaintedBars = {
			...{ counts, tokens, isFiltered, bars: this.#bars, at: this.#at },
			brush: this.#dragBrush() ?? data.brush,
		};
		paintBars(painting, painted);
	}

	#dragBrush(): Brush | undefined {
		return this.#dragged === undefined ? undefined : this.#between(this.#dragged);
	}

	/** Returns the brush of the bars from one to that of the keys or pointer. */
	#between(from: number): Brush | undefined {
		const { data } = this;
		if (!data || this.#at === undefined) return undefined;
		const [first, last] = [Math.min(from, this.#at), Math.max(from, this.#at)];
		return brushOf(data.counts, data.info, this.#bars.slice(first, last + 1));
	}

	/** Chooses the bars; the brush that consists of them alone is cleared. */
	#choose(from: number): void {
		const { data } = this;
		const brush = this.#between(from);
		const bar = this.#bars[from];
		if (!data || !brush || !bar) return;
		const { categories } = data.info;
		const alone = from === this.#at && data.brush !== undefined;
		if (alone && categories) {
			data.choose(toggled(data.brush, bar));
			return;
		}
		const same = alone && JSON.stringify(brush) === JSON.stringify(plain(data.brush));
		data.choose(same ? undefined : brush);
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const last = this.#bars.length - 1;
		const at = this.#at ?? 0;
		const moves: Readonly<Record<string, number>> = {
			...{ ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1 },
			...{ PageUp: at + 5, PageDown: at - 5, Home: 0, End: last },
		};
		const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
		const acts = ["Enter", " ", "Delete", "Backspace"].includes(event.key);
		if (to === undefined && !acts) return;
		event.preventDefault();
		event.stopPropagation();
		if (to !== undefined) {
			this.#from = event.shiftKey ? (this.#from ?? at) : undefined;
			this.#at = Math.max(0, Math.min(last, to));
			if (this.#from !== undefined) this.data?.choose(this.#between(this.#from));
			this.requestUpdate();
			return;
		}
		this.#at = at;
		if (event.key === "Delete" || event.key === "Backspace")
			this.data?.choose(undefined);
		else this.#choose(at);
	};

	readonly #onBlur = (): void => {
		this.#at = undefined;
		this.#from = undefined;
		this.requestUpdate();
	};

	#under(event: PointerEvent): number | undefined {
		const box = this.renderRoot.querySelector("canvas")?.getBoundingClientRect();
		if (!box || this.#bars.length === 0) return undefined;
		const x = event.clientX - box.left;
		const found = slotsOf(this.#bars, box.width).findIndex(([, right]) => x <= right);
		return found < 0 ? this.#bars.length - 1 : found;
	}

	readonly #onDown = (event: PointerEvent): void => {
		if (event.button !== 0) return;
		this.#at = this.#under(event);
		this.#dragged = this.#at;
		(event.currentTarget as Element).setPointerCapture(event.pointerId);
		this.requestUpdate();
	};

	readonly #onMove = (event: PointerEvent): void => {
		const at = this.#under(event);
		if (at === this.#at) return;
		this.#at = at;
		this.requestUpdate();
	};

	readonly #onUp = (): void => {
		const from = this.#dragged;
		this.#dragged = undefined;
		if (from !== undefined) this.#choose(from);
		this.requestUpdate();
	};

	readonly #onLeave = (): void => {
		if (this.#dragged !== undefined) return;
		this.#onBlur();
	};
}

/** Returns the brush without open ends that are named. */
function plain(brush: Brush | undefined): Brush | undefined {
	if (!brush) return undefined;
	const { low, high, chosen, missing = false } = brush;
	return chosen ? { chosen, missing } : { low, high, missing };
}

/** Returns the brush with a category, or without it. */
function toggled(brush: Brush | undefined, bar: Bar): Brush | undefined {
	const { chosen = [], missing = false } = brush ?? {};
	if (bar.kind === "missing") {
		return missing && chosen.length === 0 ? undefined : { chosen, missing: !missing };
	}
	const others = chosen.filter((one) => one !== bar.bin);
	const now = others.length < chosen.length ? others : [...chosen, bar.bin];
	now.sort((a, b) => a - b);
	return now.length > 0 || missing ? { chosen: now, missing } : undefined;
}
