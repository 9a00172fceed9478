import { css, html, nothing, svg, type TemplateResult } from "lit";
import { counted, formatNumber } from "../ui/words.js";
import { type FuturesSet, SET_COLOURS } from "./futures-state.js";

const WIDTH = 240;
const HEIGHT = 72;

export const curvesStyles = css`
figure.curves { margin: 0; padding: 4px 12px; }
.curves figcaption, .curves .ends { display: flex; justify-content: space-between; color: var(--_ink2); font-size: 12px; }
.curves .ends { color: var(--_ink3); font-size: 11px; }
.curves svg { display: block; border-bottom: 1px solid var(--_line); }
.curves path { fill: none; stroke-width: 1; vector-effect: non-scaling-stroke; }
.curves .all { stroke: var(--_ink3); opacity: 0.35; }
.curves .chosen { stroke: var(--_ink); stroke-width: 2; }
.curves .least { stroke-width: 2; stroke-dasharray: 4 3; }
`;

/** Returns a path over the known values; it has a gap where none is. */
export function curvePath(values: Float64Array, top: number): string {
	const step = WIDTH / Math.max(1, values.length - 1);
	let path = "";
	let isGap = true;
	values.forEach((value, t) => {
		if (Number.isNaN(value)) {
			isGap = true;
			return;
		}
		const y = HEIGHT * (1 - value / top);
		path += `${isGap ? "M" : "L"}${(t * step).toFixed(1)} ${y.toFixed(1)}`;
		isGap = false;
	});
	return path;
}

/** Returns the greatest of the known values. */
function greatest(values: Float64Array): number {
	return values.reduce(
		(one, other) => (Number.isNaN(other) ? one : Math.max(one, other)),
		0,
	);
}

/** Renders the distance from the recording over time: of each future, and the least. */
export function curvesPicture(
	{ here, curves }: FuturesSet,
	{ chosen, index }: { readonly chosen: number | undefined; readonly index: number },
): TemplateResult | typeof nothing {
	if (!here || !curves) return nothing;
	const { rollouts, steps, firstStep, stride, joint } = here;
	const top = greatest(curves.mean) || 1;
	const of = (r: number): Float64Array =>
		curves.mean.subarray(r * steps, (r + 1) * steps);
	const last = (values: Float64Array): string =>
		formatNumber(values.at(-1) ?? Number.NaN);
	const path = (kind: string, values: Float64Array, colour?: string) =>
		svg`<path class=${kind} stroke=${colour ?? nothing} d=${curvePath(values, top)}/>`;
	const words = [
		`Distance from the recording over ${counted(steps, "step")}, mean of the evaluated agents, of ${counted(rollouts, "future")}`,
		`least at the last step: ${last(curves.least)} m`,
		...(chosen === undefined
			? []
			: [`future ${chosen} at the last step: ${last(of(chosen))} m`]),
	].join("; ");
	const colour = SET_COLOURS[index] ?? SET_COLOURS[0];
	const frame = (t: number): number => firstStep + t * stride;
	return html`<figure class="curves"><figcaption><span>Distance, m${
		chosen === undefined ? nothing : html` · future ${chosen}`
	}</span><span class="mono">${formatNumber(top, 1)}</span></figcaption>
		<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" height=${HEIGHT} preserveAspectRatio="none" role="img" aria-label=${words}>
			${Array.from({ length: rollouts }, (_, r) => path("all", of(r)))}
			<g stroke=${colour}>${svg`<path class="least" d=${curvePath(curves.least, top)}/>`}</g>
			${chosen === undefined ? nothing : path("chosen", of(chosen))}</svg>
		<div class="ends mono"><span>frame ${frame(0)}</span><span>${joint ? "dashed: least" : "dashed: least of each agent"}</span><span>frame ${frame(steps - 1)}</span></div></figure>`;
}
