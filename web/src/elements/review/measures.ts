import { html, nothing, type TemplateResult } from "lit";
import type { Measure } from "./review-state.js";

/** Name and explanation of each measure. */
export const MEASURE_NAMES: Readonly<
	Record<Measure, readonly [name: string, title: string]>
> = {
	ade: ["ADE", "Average displacement error of the best mode, metres"],
	fde: ["FDE", "Final displacement error of the best mode, metres"],
	nll: ["NLL", "Negative log-likelihood of all modes"],
};

/** Renders the name of a measure and its unit: `ADE m`. */
export function withUnit(measure: Measure): TemplateResult {
	const [name] = MEASURE_NAMES[measure];
	return html`${name}${measure === "nll" ? nothing : html` <span class="unit">m</span>`}`;
}
