import { html, nothing, svg, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import type { FrameRange } from "../timeline/clock.js";
import {
	digitsFor,
	linePath,
	type Range,
	rangeWithin,
	roundStep,
	scale,
	ticksIn,
} from "./chart-scale.js";
import type { SeriesInfo } from "./quantities.js";

/** A plotted track. */
export interface PlottedLine {
	/** Index of the line's style. */
	readonly style: number;
	readonly name: string;
	/** Values in the displayed unit; undefined while being read. */
	readonly values: Float64Array | undefined;
}

/** A rectangle marked by dragging, in CSS pixels of the chart. */
export interface Box {
	readonly x0: number;
	readonly x1: number;
	readonly y0: number;
	readonly y1: number;
}

export interface ChartView {
	readonly info: SeriesInfo;
	readonly lines: readonly PlottedLine[];
	/** Time of each frame in seconds. */
	readonly seconds: Float64Array;
	/** Displayed frames. */
	readonly span: FrameRange;
	/** Displayed values; undefined without known ones. */
	readonly range: Range | undefined;
	/** The requested frame, and the frame at the pointer. */
	readonly frame: number;
	readonly over: number | undefined;
	readonly box: Box | undefined;
	/** Whether reading failed: values that are not there will not come. */
	readonly failed: boolean;
	/** Size in CSS pixels. */
	readonly width: number;
}

export const HEIGHT = 128;
const LEFT = 44;
const RIGHT = 10;
const TOP = 6;
const BOTTOM = 18;
/** Minimum distance of ticks in CSS pixels. */
const TICK_PX = { x: 56, y: 26 };

/** Axes of a chart: ranges, and conversions between values and CSS pixels. */
export interface Axes {
	readonly times: Range;
	readonly values: Range;
	readonly x: (seconds: number) => number;
	readonly y: (value: number) => number;
	readonly secondsAt: (x: number) => number;
	readonly valueAt: (y: number) => number;
}

/** Returns the axes. */
export function axesOf({ seconds, span, range, width }: ChartView): Axes {
	const known = rangeWithin([seconds], span, 0) ?? [0, 1];
	const times: Range = [
		seconds[span.begin] ?? known[0],
		seconds[span.end - 1] ?? known[1],
	].every(Number.isFinite)
		? [seconds[span.begin] ?? 0, seconds[span.end - 1] ?? 1]
		: known;
	const values = range ?? [0, 1];
	const [left, right] = [LEFT, Math.max(LEFT + 1, width - RIGHT)];
	const [top, bottom] = [TOP, HEIGHT - BOTTOM];
	return {
		times,
		values,
		x: scale(times, left, right),
		y: scale(values, bottom, top),
		secondsAt: scale([left, right], ...times),
		valueAt: scale([bottom, top], ...values),
	};
}

function yAxis({ values, y }: Axes, width: number): TemplateResult[] {
	const most = Math.max(2, Math.floor((HEIGHT - TOP - BOTTOM) / TICK_PX.y));
	const digits = digitsFor(roundStep(values[1] - values[0], most));
	return ticksIn(values, most).map(
		(
			value,
		) => svg`<line class="grid" x1=${LEFT} x2=${width - RIGHT} y1=${y(value)} y2=${y(value)}/>
			<text class="tick" x=${LEFT - 5} y=${y(value) + 3.5} text-anchor="end">${formatNumber(value, digits)}</text>`,
	);
}

function xAxis({ times, x }: Axes, width: number): TemplateResult[] {
	const most = Math.max(2, Math.floor((width - LEFT - RIGHT) / TICK_PX.x));
	const digits = digitsFor(roundStep(times[1] - times[0], most));
	const bottom = HEIGHT - BOTTOM;
	return ticksIn(times, most).map(
		(
			value,
		) => svg`<line class="axis" x1=${x(value)} x2=${x(value)} y1=${bottom} y2=${bottom + 4}/>
			<text class="tick" x=${Math.min(x(value), width - 16)} y=${HEIGHT - 3} text-anchor="middle">${formatNumber(value, digits)}</text>`,
	);
}

/** Marks the frames whose values lie above or below the axis. */
function outliers(
	{ style, values }: PlottedLine,
	{ x, y, values: [low, high] }: Axes,
	{ seconds, span }: ChartView,
): TemplateResult | typeof nothing {
	let path = "";
	for (let k = span.begin; values && k < span.end; k += 1) {
		const [time = Number.NaN, value = Number.NaN] = [seconds[k], values[k]];
		if (!Number.isFinite(time) || !(value > high || value < low)) continue;
		const [at, way] = value > high ? [y(high), 1] : [y(low), -1];
		path += `M${x(time).toFixed(1)} ${at}l3 ${5 * way}h-6z`;
	}
	return path
		? svg`<path class="outlier line-${style}" d=${path}><title>Beyond the axis</title></path>`
		: nothing;
}

function marker(kind: string, at: number, { x }: Axes, view: ChartView) {
	const time = view.seconds[at] ?? Number.NaN;
	const within = at >= view.span.begin && at < view.span.end;
	if (!within || !Number.isFinite(time)) return nothing;
	return svg`<line class=${kind} x1=${x(time)} x2=${x(time)} y1=${TOP} y2=${HEIGHT - BOTTOM}/>`;
}

function boxOf({ x0, x1, y0, y1 }: Box): TemplateResult {
	return svg`<rect class="box" x=${Math.min(x0, x1)} y=${Math.min(y0, y1)}
		width=${Math.abs(x1 - x0)} height=${Math.abs(y1 - y0)}/>`;
}

/** Returns the values at a frame as text, for screen readers. */
function wordsAt({ info, lines, seconds }: ChartView, frame: number): string {
	const all = lines.map(
		({ name, values }) =>
			`${name} ${formatNumber(values?.[frame] ?? Number.NaN, info.digits)}`,
	);
	const time = formatNumber(seconds[frame] ?? Number.NaN, 1);
	return `${info.name}${info.unit ? ` in ${info.unit}` : ""} at ${time} s: ${all.join(", ")}`;
}

/** Renders the swatch of a line. */
export function swatch(style: number): TemplateResult {
	return html`<svg class="swatch" viewBox="0 0 18 8" aria-hidden="true"><path class="line line-${style}" d="M0 4H18"/></svg>`;
}

/** Renders the values of the lines at the pointer, or at the requested frame. */
export function chartReadout(view: ChartView): TemplateResult {
	const at = view.over ?? view.frame;
	const { digits } = view.info;
	return html`<div class="readout mono" aria-hidden="true">
		<span>${formatNumber(view.seconds[at] ?? Number.NaN, 2)} s</span>${view.lines.map(
			({ style, values }) =>
				html`<span>${swatch(style)}${values ? formatNumber(values[at] ?? Number.NaN, digits) : "…"}</span>`,
		)}</div>`;
}

/** Renders the plot area with its axes. */
export function chartArea(view: ChartView): TemplateResult {
	const axes = axesOf(view);
	const { width, span } = view;
	const known = view.lines.some(
		({ values }) => values && rangeWithin([values], span, 0) !== undefined,
	);
	const unread = view.lines.some(({ values }) => values === undefined);
	const why = unread
		? view.failed
			? "not read"
			: "reading"
		: "no values in this range";
	return html`<svg class="area" tabindex="0" role="img" viewBox="0 0 ${width} ${HEIGHT}"
			aria-roledescription="plot" aria-label=${wordsAt(view, view.over ?? view.frame)}>
		${known ? yAxis(axes, width) : nothing}
		<line class="axis" x1=${LEFT} x2=${width - RIGHT} y1=${HEIGHT - BOTTOM} y2=${HEIGHT - BOTTOM}/>
		${xAxis(axes, width)}
		<svg x=${LEFT} y="0" width=${Math.max(1, width - RIGHT - LEFT)} height=${HEIGHT - BOTTOM + 1} viewBox="${LEFT} 0 ${Math.max(1, width - RIGHT - LEFT)} ${HEIGHT - BOTTOM + 1}">
			${view.lines.map(({ style, values }) =>
				values
					? svg`<path class="line line-${style}" d=${linePath({ seconds: view.seconds, values, x: axes.x, y: axes.y }, span)}/>`
					: nothing,
			)}
		</svg>
		${view.lines.map((line) => outliers(line, axes, view))}
		${marker("now", view.frame, axes, view)}
		${view.over === undefined ? nothing : marker("over", view.over, axes, view)}
		${view.box ? boxOf(view.box) : nothing}
		${known ? nothing : svg`<text class="none" x=${(LEFT + width) / 2} y=${HEIGHT / 2} text-anchor="middle">${why}</text>`}
	</svg>`;
}
