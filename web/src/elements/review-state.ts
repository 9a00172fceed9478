import type {
	PredictedLines,
	RankingReport,
	ReviewReport,
	ReviewShape,
} from "../review.js";

/** By what predictions are ranked: the greatest first. */
export const MEASURES = ["ade", "fde", "nll"] as const;
export type Measure = (typeof MEASURES)[number];

/** What the panel lists: predictions of the scene, its frames, or predictions of all scenes. */
export const LISTS = ["agents", "frames", "all"] as const;
export type ReviewList = (typeof LISTS)[number];

/** How far predictions are ranked over all scenes. */
export interface RankingState {
	readonly running: boolean;
	/** Scenes that are ranked, and how many there are. */
	readonly done: number;
	readonly all: number;
	/** Of those that are ranked. */
	readonly report: RankingReport | undefined;
	/** Why it ended before its end, in words. */
	readonly problem: string | undefined;
}

/** What is predicted, beside the scene and the frame on show. */
export interface ReviewState {
	/** `none`: there are no predictions; `failed`: they could not be read. */
	readonly phase: "none" | "reading" | "ready" | "failed";
	/** Of the file, or what the page calls them. */
	readonly name: string;
	/** Where they were fetched from, as a link names it. */
	readonly address: string | undefined;
	readonly shape: ReviewShape | undefined;
	/** Of the scene that is open; undefined while it is read. */
	readonly report: ReviewReport | undefined;
	/** Of the frame on show. */
	readonly lines: PredictedLines | undefined;
	readonly by: Measure;
	readonly list: ReviewList;
	/** Undefined until it is asked for. */
	readonly ranking: RankingState | undefined;
	/** Why it failed, in words. */
	readonly problem: string | undefined;
}

export const NO_REVIEW: ReviewState = {
	phase: "none",
	name: "",
	address: undefined,
	shape: undefined,
	report: undefined,
	lines: undefined,
	by: "nll",
	list: "agents",
	ranking: undefined,
	problem: undefined,
};
