import { css, html, nothing, svg, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { aerialWords, chooseAerial } from "../aerial/aerial-row.js";
import { CERTAINTY } from "../agents/certainty.js";
import { type Counts, countsOf } from "../agents/summary.js";
import { mapShapes } from "../draw/map-shapes.js";
import { lightsOf } from "../map/lights.js";
import { chooseMap } from "../map/map-row.js";
import { isStale } from "../session/showing.js";
import { EMPTY_STATE, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chip, chipStyles } from "../ui/chips.js";
import { group, groupStyles } from "../ui/group.js";
import { counted, formatNumber } from "../ui/words.js";
import type { Layer } from "./layer-set.js";
import { pathLengths, pathSeconds, trackLengthFilters } from "./length-rows.js";

/** Rows from top to bottom. The first nine are switched by keys 1 to 9. */
const ROWS: readonly (readonly [Layer, string])[] = [
	["ego", "Ego"],
	["vehicle", "Vehicles"],
	["cyclist", "Cyclists"],
	["pedestrian", "Pedestrians"],
	["other", "Other"],
	["lanes", "Lanes"],
	["crosswalks", "Crosswalks"],
	["lights", "Traffic lights"],
	["past", "Trails"],
	["future", "Futures"],
	["aerial", "Aerial image"],
	["predicted", "Predictions"],
	["dropped", "Filtered-out agents"],
	["points", "Points"],
];

/** Every layer with its name. */
export const LAYER_NAMES = ROWS;

/** Layers switched by keys 1 to 9. */
export const LAYER_KEYS: readonly Layer[] = ROWS.slice(0, 9).map(([layer]) => layer);

const NAMES = new Map(ROWS);

/** Rows of the groups, from top to bottom. */
const GROUP_ROWS = {
	traffic: ["ego", "vehicle", "cyclist", "pedestrian", "other", "dropped"],
	map: ["lanes", "crosswalks", "lights", "aerial", "points"],
	paths: ["past", "future", "predicted"],
} as const satisfies Readonly<Record<string, readonly Layer[]>>;

/** Upper end of the slider, which means no limit. */
const DISTANCE_MAX = 200;

const layersStyles = css`
.row {
	width: 100%;
	min-height: 24px;
	justify-content: flex-start;
	gap: 8px;
	padding: 0 4px;
	text-align: left;
}
.row[aria-checked="true"] { background: none; color: inherit; }
.row[aria-checked="true"]:hover { background: var(--_raise); }
.row[aria-checked="false"] { color: var(--_ink3); }
.row[aria-checked="false"] .chip { color: var(--_ink3); opacity: 0.6; }
.box { flex: none; width: 14px; height: 14px; }
.box rect { fill: none; stroke: var(--_edge); }
.box path { stroke: var(--_on-accent); stroke-width: 2; fill: none; }
.row[aria-checked="true"]:enabled .box rect { fill: var(--_accent); stroke: var(--_accent); }
.row:disabled .box { visibility: hidden; }
.row:disabled .name { font-style: italic; }
.reset { margin-top: 8px; }
.row:disabled { opacity: 1; color: var(--_ink3); }
.row .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .count { margin-left: auto; color: var(--_ink3); flex: none; }
@media (forced-colors: active) {
	.row[aria-checked] { forced-color-adjust: auto; }
	.row[aria-checked="false"] .name { text-decoration: line-through; }
}
.choose {
	position: relative;
	display: block;
	margin: 4px;
	padding: 4px 8px;
	border-radius: 6px;
	background: var(--_raise);
	text-align: center;
	cursor: pointer;
}
.choose:hover { background: var(--_line); }
.address { display: flex; gap: 4px; margin: 4px; }
.address input { flex: 1; min-width: 0; }
.choose:focus-within { outline: 2px solid var(--_accent); outline-offset: 1px; }
@media (pointer: coarse) {
	.choose { padding: 13px 8px; }
	.row { min-height: 44px; }
}
.slider { display: grid; grid-template-columns: 1fr auto; padding: 0 4px; }
.slider input { grid-column: 1 / -1; }
details { margin: 0 4px; }
summary { color: var(--_ink2); min-height: 24px; display: flex; align-items: center; gap: 6px; cursor: pointer; }
summary::before { content: ""; width: 0; height: 0; border: 4px solid transparent; border-left-color: currentColor; margin-right: -4px; }
details[open] > summary::before { border-left-color: transparent; border-top-color: currentColor; margin: 4px 0 0; }
details .choose, details .address, details .slider { margin-left: 0; margin-right: 0; padding-left: 0; padding-right: 0; }
details .choose { padding-left: 8px; padding-right: 8px; }
.kept { padding: 4px 4px 0; color: var(--_ink2); }
.kept b { font-weight: 600; color: var(--_ink); }
.kept.none b { color: var(--_warn-ink); }
`;

/** Switches of layers with their legend, and the filters of agents. */
export class Layers extends BevElement {
	static override styles = [baseStyles, groupStyles, chipStyles, layersStyles];

	protected watched(state: ViewerState): readonly unknown[] {
		const { layers, threshold, distance, shown, map, mapState, phase, playing } = state;
		const { aerial, aerialState, review, past, future, sceneInfo, mapPlace } = state;
		const { minHistory, minFuture, trackLengths, trackLengthsDue, mapAddress } = state;
		const seen = [layers, threshold, distance, shown, map, mapState, phase, playing];
		const minima = [minHistory, minFuture, trackLengths, trackLengthsDue];
		const more = [
			past,
			future,
			sceneInfo,
			mapPlace,
			mapAddress,
			...minima,
			state.folded,
		];
		const predicted = [review.phase, review.lines];
		const points = [state.sensed?.hasPoints, state.sensed?.pointWords];
		const rest = [...predicted, ...points, isStale(state)];
		return [...seen, ...more, aerial, aerialState, ...rest];
	}

	protected override get pace(): number {
		return 250;
	}

	protected override render(): TemplateResult {
		const { shown, review, trackLengthsDue, sensed } = this.state;
		const absent = new Set<Layer>();
		if (review.phase === "none") absent.add("predicted");
		if (!sensed?.hasPoints) absent.add("points");
		const counts = shown && !trackLengthsDue ? countsOf(shown, this.state) : undefined;
		const rows = (of: keyof typeof GROUP_ROWS) =>
			GROUP_ROWS[of]
				.filter((layer) => !absent.has(layer))
				.map((layer) => this.#row(layer, counts));
		const { controller } = this;
		return html`
			${group(controller, {
				...{ id: "traffic", name: "Traffic", of: "agents shown" },
				words: counts ? `${counts.kept} of ${counts.total}` : "",
				content: html`${rows("traffic")}`,
			})}
			${group(controller, {
				...{ id: "map", name: "Map", words: this.#mapWords },
				content: html`${rows("map")} ${chooseMap(controller)} ${chooseAerial(controller)}`,
			})}
			${group(controller, {
				...{ id: "paths", name: "Paths", words: "" },
				content: html`${rows("paths")} ${pathLengths(controller)}`,
			})}
			<slot></slot>
			${group(controller, {
				...{ id: "filters", name: "Filters", words: activeFilters(this.state) },
				content: this.#filters(counts),
			})}`;
	}

	/** Returns how many lanes the map has, or why there is none. */
	get #mapWords(): string {
		const { map, mapState } = this.state;
		if (map) return counted(map.lanes.length, "lane");
		return mapState === "absent" || mapState === "failed" ? "no map" : "";
	}

	#filters(counts: Counts | undefined): TemplateResult {
		const { trackLengthsDue } = this.state;
		return html`${this.#threshold()} ${this.#distance()} ${trackLengthFilters(this.controller)}
			<div class=${this.#staleClass}>${counts ? keptLine(counts) : nothing}</div>
			${trackLengthsDue ? html`<p class="kept" role="status">Reading track lengths …</p>` : nothing}
			${this.#reset()}`;
	}

	/**
	 * Sets the filled share of each slider, since Chromium has no pseudo-element for it.
	 */
	protected override updated(): void {
		for (const input of this.renderRoot.querySelectorAll<HTMLInputElement>(".filled")) {
			const [min, max] = [Number(input.min), Number(input.max)];
			const share = (Number(input.value) - min) / (max - min);
			input.style.setProperty("--_fill", `${100 * share}%`);
		}
	}

	#row(layer: Layer, counts: Counts | undefined): TemplateResult {
		const { layers, mapState } = this.state;
		const name = NAMES.get(layer);
		const ofMap = layer === "lanes" || layer === "crosswalks" || layer === "lights";
		const noMap = ofMap && (mapState === "absent" || mapState === "failed");
		const noEgo = layer === "ego" && this.state.shown?.ego.is_virtual === true;
		const missing = noMap || noEgo;
		const why = noEgo ? "No vehicle recorded these data" : "No map found";
		return html`<button class="row" role="switch" ?disabled=${missing}
			aria-checked=${layers.has(layer)} title=${missing ? why : nothing}
			@click=${() => this.controller?.toggleLayer(layer)}>
			${box(layers.has(layer) && !missing)}${chip(layer)}<span class="name">${name}${this.#length(layer)}</span>
			<span class="count mono ${ofMap ? "" : this.#staleClass}">${noEgo ? "none" : noMap ? "no map" : this.#count(layer, counts)}</span>
		</button>`;
	}

	/** Returns the length of trails or futures: ` 2.5 s`. */
	#length(layer: Layer): string {
		if (layer !== "past" && layer !== "future") return "";
		return ` ${pathSeconds(this.state, this.state[layer])}`;
	}

	get #staleClass(): string {
		return this.state.shown && isStale(this.state) ? "stale" : "";
	}

	#count(layer: Layer, counts: Counts | undefined): string {
		const { map, shown } = this.state;
		if (layer === "aerial") return aerialWords(this.state);
		if (layer === "lanes") return map ? String(map.lanes.length) : "";
		if (layer === "predicted") return predictedCount(this.state);
		if (layer === "points") return this.state.sensed?.pointWords ?? "";
		if (layer === "crosswalks")
			return map ? String(mapShapes(map).crosswalks.length) : "";
		if (layer === "lights") return shown ? String(lightsOf(shown, map).length) : "";
		if (!counts) return "";
		if (layer === "dropped") return String(counts.total - counts.kept);
		return layer in counts ? String(counts[layer as keyof Counts]) : "";
	}

	/** Renders a button that resets all filters to their defaults. */
	#reset(): TemplateResult | typeof nothing {
		if (changedFilters(this.state).length === 0) return nothing;
		return html`<button class="raised reset" @click=${() => this.controller?.adjust(USUAL_FILTERS)}>Reset filters</button>`;
	}

	#threshold(): TemplateResult {
		const { threshold } = this.state;
		return html`<div class="slider">
			<label for="threshold" title=${CERTAINTY}>Certainty &gt;</label>
			<output for="threshold" class="mono">${threshold.toFixed(2)}</output>
			<input id="threshold" class="filled" type="range" min="0" max="1" step="0.01" .value=${live(String(threshold))}
				aria-valuetext=${threshold.toFixed(2)}
				@input=${(event: Event) => this.controller?.setThreshold(numberOf(event))}>
		</div>`;
	}

	#distance(): TemplateResult {
		const { distance } = this.state;
		const words = Number.isFinite(distance) ? `${formatNumber(distance, 0)} m` : "any";
		return html`<div class="slider">
			<label for="distance">Distance to ego ≤</label>
			<output for="distance" class="mono">${words}</output>
			<input id="distance" class="filled" type="range" min="5" max=${DISTANCE_MAX} step="5"
				.value=${live(String(Math.min(distance, DISTANCE_MAX)))} aria-valuetext=${words}
				@input=${(event: Event) => {
					const value = numberOf(event);
					const limit = value >= DISTANCE_MAX ? Number.POSITIVE_INFINITY : value;
					this.controller?.setDistance(limit);
				}}>
		</div>`;
	}
}

const { threshold, distance, minHistory, minFuture } = EMPTY_STATE;
const USUAL_FILTERS = { threshold, distance, minHistory, minFuture } as const;

/** Returns the filters that differ from their defaults. */
function changedFilters(state: ViewerState): string[] {
	const keys = Object.keys(USUAL_FILTERS) as (keyof typeof USUAL_FILTERS)[];
	return keys.filter((key) => state[key] !== USUAL_FILTERS[key]);
}

function activeFilters(state: ViewerState): string {
	const { length } = changedFilters(state);
	return length > 0 ? `${length} changed` : "";
}

/** Renders a checkbox; the chip is only a legend. */
function box(on: boolean): TemplateResult {
	return html`<svg class="box" viewBox="0 0 14 14" aria-hidden="true">
		<rect x="0.5" y="0.5" width="13" height="13" rx="3"/>${on ? svg`<path d="m3.5 7.2 2.4 2.4 4.6-5"/>` : nothing}
	</svg>`;
}

function numberOf(event: Event): number {
	return Number((event.currentTarget as HTMLInputElement).value);
}

/**
 * Returns the number of agents with predictions, and their frame if it is not the
 * displayed one.
 */
function predictedCount({ review: { lines }, shown }: ViewerState): string {
	const count = lines?.truthTracks.length ?? 0;
	if (!lines || lines.frame === shown?.frame) return String(count);
	return `${count} of frame ${lines.frame}`;
}

function keptLine({ kept, total }: Counts): TemplateResult {
	return html`<p class="kept ${kept === 0 && total > 0 ? "none" : ""}">
		<b class="mono">${kept}</b> of <span class="mono">${total}</span> agents in this frame
	</p>`;
}
