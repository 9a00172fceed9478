import { html, nothing, type TemplateResult } from "lit";
import type {
	PredictedLines,
	RankingReport,
	ReviewShape,
	Score,
} from "../../review.js";
import type { SceneReport } from "../../reviewing/protocol.js";
import type { Slice } from "../session/store.js";

/** Measures by which predictions are ranked, descending. */
export const MEASURES = ["ade", "fde", "nll"] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * Lists of the panel: predictions of the scene, its frames, or predictions of all
 * scenes.
 */
export const LISTS = ["agents", "frames", "all"] as const;
export type ReviewList = (typeof LISTS)[number];

/** Progress of ranking over all scenes. */
export interface RankingState {
	readonly running: boolean;
	/** Number of ranked scenes, and of all scenes. */
	readonly done: number;
	readonly all: number;
	/** Report of the scenes ranked so far. */
	readonly report: RankingReport | undefined;
	/** Why ranking ended early. */
	readonly problem: string | undefined;
}

/** Predictions being read. */
export interface ReadingState {
	readonly name: string;
	/** Address in links. */
	readonly address: string | undefined;
	/** Bytes read, and the total if known. */
	readonly bytes: number;
	readonly all: number | undefined;
}

/** Predictions of one frame of the scene. */
export interface FrameLines extends PredictedLines {
	readonly frame: number;
}

/** State of the predictions panel. */
export interface ReviewState {
	/** `none`: no predictions; `failed`: none, and the last ones could not be read. */
	readonly phase: "none" | "ready" | "failed";
	/** New predictions being read; the current ones stay until then. */
	readonly reading: ReadingState | undefined;
	/** File name, or the name given by the page. */
	readonly name: string;
	/** Address in links. */
	readonly address: string | undefined;
	readonly shape: ReviewShape | undefined;
	/** Scores of the open scene; undefined while they are computed. */
	readonly report: SceneReport | undefined;
	/** Lines of the displayed frame, or of the last one before it with predictions. */
	readonly lines: FrameLines | undefined;
	/** The scene is being scored, or the frame's lines are loading. */
	readonly linesDue: boolean;
	/** The scene's means with the previous predictions. */
	readonly before: { readonly name: string; readonly mean: Score } | undefined;
	readonly by: Measure;
	readonly list: ReviewList;
	/** Undefined until ranking is started. */
	readonly ranking: RankingState | undefined;
	/** The last error of reading or scoring. */
	readonly problem: string | undefined;
}

export const NO_REVIEW: ReviewState = {
	phase: "none",
	reading: undefined,
	name: "",
	address: undefined,
	shape: undefined,
	report: undefined,
	lines: undefined,
	linesDue: false,
	before: undefined,
	by: "nll",
	list: "agents",
	ranking: undefined,
	problem: undefined,
};

export interface ReviewSlice {
	/** State of the predictions panel. */
	readonly review: ReviewState;
}

export const REVIEW_SLICE: Slice<ReviewSlice> = {
	empty: { review: NO_REVIEW },
	// Predictions stay open; what was computed with the previous data set goes.
	kept: ({ review }) => ({
		review: {
			...review,
			report: undefined,
			lines: undefined,
			linesDue: false,
			list: review.list === "all" ? "agents" : review.list,
			ranking: undefined,
		},
	}),
};

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
