import { html, nothing, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import type { Measure, ReviewList } from "./review-state.js";

/** Short name, words and explanation of each measure. */
interface MeasureName {
	readonly short: string;
	readonly words: string;
	readonly title: string;
}

export const MEASURE_NAMES: Readonly<Record<Measure, MeasureName>> = {
	ade: {
		short: "ADE",
		words: "ADE, mean error",
		title:
			"Average displacement error: mean distance in metres between the recorded path and the mode that is nearest to it (minADE)",
	},
	fde: {
		short: "FDE",
		words: "FDE, final error",
		title:
			"Final displacement error: distance in metres at the last step, of the mode that ends nearest to the recorded path (minFDE)",
	},
	nll: {
		short: "NLL",
		words: "NLL, likelihood",
		title:
			"Negative log-likelihood of the recorded path, given all modes and their confidences; L5Kit's measure of the Lyft challenge",
	},
};

/** Renders the short name of a measure and its unit: `ADE m`. */
export function withUnit(measure: Measure): TemplateResult {
	const { short } = MEASURE_NAMES[measure];
	return html`${short}${measure === "nll" ? nothing : html` <span class="unit">m</span>`}`;
}

/** Formats a difference, with its sign: `+0.67`. */
export function formatDifference(value: number, digits = 2): string {
	return `${value > 0 ? "+" : ""}${formatNumber(value, digits)}`;
}

/** Names of the lists. */
export const LIST_NAMES: Readonly<Record<ReviewList, string>> = {
	agents: "By agent",
	tracks: "Each agent once",
	frames: "By frame",
	all: "All scenes",
	"all-tracks": "All scenes, each agent once",
	worse: "B \u2212 A by agent",
	"worse-tracks": "B \u2212 A, each agent once",
	"worse-frames": "B \u2212 A by frame",
	"worse-all": "B \u2212 A, all scenes",
	"worse-all-tracks": "B \u2212 A, all scenes, each agent once",
	"worse-all-frames": "B \u2212 A, all frames",
};
