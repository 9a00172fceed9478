import { html, nothing, svg, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import type { ViewerState } from "../session/state.js";
import { lineAt } from "./compared-rows.js";
import { MEASURE_NAMES, withUnit } from "./measures.js";
import { compares, type ReviewState } from "./review-state.js";

const HEIGHT = 24;

const NO_SERIES: ErrorSeries = { of: "", points: [], differs: false };

/** A value of each predicted frame, and whose it is. */
export interface ErrorSeries {
	/** Names the values: `B \u2212 A`, or the model. */
	readonly of: string;
	/** Frame and value; without unknown values. */
	readonly points: readonly (readonly [frame: number, value: number])[];
	/** Set for differences. */
	readonly differs: boolean;
}

/**
 * Returns the ranking measure over the scene's frames: of the active model or, while
 * models are compared, B minus A; undefined until it is computed.
 */
export function errorSeries(review: ReviewState): ErrorSeries | undefined {
	const { report, by, list, comparison, models, name } = review;
	const known = ([, value]: readonly [number, number]): boolean =>
		Number.isFinite(value);
	if (!compares(list)) {
		const points = report?.frames.map((one) => [one.frame, one[by]] as const);
		const of = models.length > 1 ? name : "predictions";
		return points && { of, points: points.filter(known), differs: false };
	}
	const frames = comparison?.frames;
	if (!frames) return undefined;
	const points = Array.from(frames.frames, (_, i) => {
		const { frame, a, b } = lineAt(frames, i, by);
		return [frame, b - a] as const;
	});
	return { of: "B \u2212 A", points: points.filter(known), differs: true };
}

/** Renders the ranking measure over the scene's frames; a press seeks. */
export function errorLane(
	{ review, frame }: ViewerState,
	count: number,
	pressed: (event: PointerEvent) => void,
): TemplateResult | typeof nothing {
	const { by } = review;
	const { of, points, differs } = errorSeries(review) ?? NO_SERIES;
	if (points.length === 0 || count < 2) return nothing;
	const low = points.reduce((least, [, value]) => Math.min(least, value), 0);
	const high = points.reduce((most, [, value]) => Math.max(most, value), 0);
	const y = (value: number) => HEIGHT * (1 - (value - low) / (high - low || 1));
	const here = points.find(([at]) => at === frame)?.[1];
	const { short } = MEASURE_NAMES[by];
	const words = `${short} of ${of}, from ${formatNumber(low)} to ${formatNumber(high)}`;
	const agents = review.kept ? "all agents, not only those kept," : "the agents";
	const named = differs ? html`${of} ` : nothing;
	const whose = review.kept ? " of all" : nothing;
	return html`<span class="key">${named}${withUnit(by)}${whose}
			<span class="mono">${here === undefined ? `≤ ${formatNumber(high)}` : formatNumber(here)}</span></span>
		<div class="lane errors" title=${`${words}; mean over ${agents} of a frame`} @pointerdown=${pressed}>
			<svg viewBox="0 0 ${count - 1} ${HEIGHT}" width="100%" height=${HEIGHT} preserveAspectRatio="none"
				role="img" aria-label=${words}>
				${points.map(([at, value]) => {
					const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
					return svg`<rect x=${at - 0.4} width="0.8" y=${top} height=${Math.max(1, bottom - top)}/>`;
				})}
			</svg></div>`;
}
