import { css, html, nothing, svg, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import { frameCount, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { lanePressed } from "./lane-pointer.js";
import { QUANTITIES, type Quantity } from "./pointed-frame.js";

/** One value per frame; NaN if unknown. */
export type Series = Float64Array;

/** Returns the least and the greatest known value; undefined if all are unknown. */
export function boundsOfSeries(
	all: readonly Series[],
): readonly [number, number] | undefined {
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const series of all) {
		for (const value of series) {
			if (value < low) low = value;
			if (value > high) high = value;
		}
	}
	return low > high ? undefined : [low, high];
}

/**
 * Returns the axis of a plot: the known values with a margin of at least `least`, which
 * does not reach below 0 if `fromZero`; undefined if all are unknown.
 */
export function rangeOfSeries(
	all: readonly Series[],
	least: number,
	fromZero = false,
): readonly [number, number] | undefined {
	const bounds = boundsOfSeries(all);
	if (!bounds) return undefined;
	const [low, high] = bounds;
	if (fromZero) return [Math.min(0, low), high + Math.max(least, high * 0.08)];
	const room = Math.max(least, (high - low) * 0.08);
	return [low - room, high + room];
}

/**
 * Returns an SVG path: x in frames, y from 1 (`low`) to 0 (`high`); interrupted at
 * unknown values.
 */
export function seriesPath(series: Series, low: number, high: number): string {
	let path = "";
	let joined = false;
	series.forEach((value, k) => {
		const known = !Number.isNaN(value);
		if (known) {
			const y = ((high - value) / (high - low)).toFixed(4);
			path += `${joined ? "L" : "M"}${k} ${y}`;
		}
		joined = known;
	});
	return path;
}

const plotsStyles = css`
:host { display: grid; grid-template-columns: var(--_key-width, 0) minmax(0, 1fr); align-items: center; }
.key { color: var(--_ink3); font-size: 11px; line-height: 1.25; white-space: nowrap; overflow: hidden; }
.key .mono { display: block; font-size: 11px; line-height: 1.25; }
.key .mono span { color: var(--_ink); border-bottom: 2px solid var(--_ink); }
.key .mono .ego { border-color: var(--_ego); }
.lane { position: relative; }
.bound { position: absolute; right: 100%; font: 9px/1 var(--_mono); font-variant-numeric: tabular-nums; color: var(--_ink3); pointer-events: none; background: var(--_panel); }
.high { top: 2px; }
.low { bottom: 2px; }
.lane { padding: 3px 7px; cursor: pointer; touch-action: pan-y; }
svg { display: block; width: 100%; height: 30px; overflow: visible; }
path { fill: none; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
path.ego { stroke: var(--_ego); }
path.chosen { stroke: var(--_ink); }
line { stroke: var(--_line); vector-effect: non-scaling-stroke; }
/* Narrow: names overlap the upper left corner of their plot. */
@container (max-width: 900px) {
	.key { grid-column: 1 / -1; justify-self: start; height: 15px; margin: 0 0 -15px 7px; display: flex; gap: 6px; padding: 0 4px; z-index: 1; pointer-events: none; background: var(--_panel); border-radius: 3px; }
	.lane { grid-column: 1 / -1; }
	.bound { right: 0; padding: 0 7px 0 2px; }
}
`;

interface Plot {
	readonly quantity: Quantity;
	/** The axis. */
	readonly low: number;
	readonly high: number;
	/** The printed range: that of the values, from 0 if the axis begins there. */
	readonly bounds: readonly [low: number, high: number];
	readonly lines: readonly (readonly ["ego" | "chosen", Series, string])[];
}

/** Plots of the ego and the selection over the scene, one row per quantity. */
export class Plots extends BevElement {
	static override styles = [baseStyles, plotsStyles];
	static override properties = {
		...BevElement.properties,
		quantities: { attribute: false },
	};

	declare quantities: readonly Quantity[];
	#made: readonly Plot[] = [];
	#from: readonly unknown[] = [];

	constructor() {
		super();
		this.quantities = ["speed"];
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { frame, sceneInfo, timeline, selection, playing } = state;
		return [frame, sceneInfo, timeline, selection, playing];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult {
		return html`${this.#plots().map((plot) => this.#row(plot))}`;
	}

	/** Returns the plots, cached by their inputs; the cursor is drawn separately. */
	#plots(): readonly Plot[] {
		const { timeline, selection } = this.state;
		const from = [timeline, selection, this.quantities];
		if (from.every((value, i) => value === this.#from[i])) return this.#made;
		this.#from = from;
		// Until the new selection's motion is read, the previous one's is not shown.
		const track = timeline?.of === selection ? timeline?.track : undefined;
		const motions = [timeline?.ego, track].filter((of) => of !== undefined);
		this.#made = this.quantities.map((quantity) => {
			const { of, factor, fromZero } = QUANTITIES[quantity];
			const all = motions.map((motion) => motion[of]);
			const [low, high] = rangeOfSeries(all, 0.5 / factor, fromZero) ?? [0, 1];
			const [least, most] = boundsOfSeries(all) ?? [low, high];
			const bounds = [fromZero ? low : least, most] as const;
			const lines = all.map((series, k): Plot["lines"][number] => [
				k === 0 ? "ego" : "chosen",
				series,
				seriesPath(series, low, high),
			]);
			return { quantity, low, high, bounds, lines };
		});
		return this.#made;
	}

	#row({ quantity, low, high, bounds, lines }: Plot): TemplateResult {
		const { frame } = this.state;
		const { name, unit, digits, factor } = QUANTITIES[quantity];
		const values = lines.map(([who, series]) => {
			const value = factor * (series[frame] ?? Number.NaN);
			return [who, formatNumber(value, digits)] as const;
		});
		const words = values.map(
			([who, value]) => `${who === "ego" ? "ego" : "selected"} ${value}`,
		);
		const span = Math.max(1, frameCount(this.state) - 1);
		const zero = low < 0 && high > 0 ? high / (high - low) : undefined;
		const bound = (value: number) => formatNumber(factor * value, digits);
		return html`<span class="key">${name} ${unit}<span class="mono">${values.map(
			([who, value]) =>
				html`<span class=${who} title=${who === "ego" ? "Ego" : "Selected"}>${who === "ego" ? "ego" : "sel"} ${value}</span> `,
		)}</span></span>
			<div class="lane" @pointerdown=${(event: PointerEvent) => lanePressed(event, this.controller)}>
				<svg viewBox="0 0 ${span} 1" preserveAspectRatio="none" role="img"
					aria-label=${`${name} in ${unit} at this frame: ${words.join(", ")}`}>
					${zero === undefined ? nothing : svg`<line x1="0" x2=${span} y1=${zero} y2=${zero}/>`}
					${lines.map(([who, , path]) => svg`<path class=${who} d=${path}/>`)}
				</svg>
				${
					lines.length > 0
						? html`<span class="bound high">${bound(bounds[1])}</span><span class="bound low">${bound(bounds[0])}</span>`
						: nothing
				}
			</div>`;
	}
}
