import type { PredictedLines, RankingReport, ReviewShape, Score } from "../review.js";
import type { SceneReport } from "../reviewing/protocol.js";

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

/** Predictions that are being read. */
export interface ReadingState {
	readonly name: string;
	/** Where they are fetched from, as a link names it. */
	readonly address: string | undefined;
	/** Bytes read, and how many there are where that is known. */
	readonly bytes: number;
	readonly all: number | undefined;
}

/** What is predicted in one frame of the scene. */
export interface FrameLines extends PredictedLines {
	readonly frame: number;
}

/** What is predicted, beside the scene and the frame on show. */
export interface ReviewState {
	/** `none`: there are no predictions; `failed`: and the last ones could not be read. */
	readonly phase: "none" | "ready" | "failed";
	/** Others that are being read, while those here stay. */
	readonly reading: ReadingState | undefined;
	/** Of the file, or what the page calls them. */
	readonly name: string;
	/** Where they were fetched from, as a link names it. */
	readonly address: string | undefined;
	readonly shape: ReviewShape | undefined;
	/** Of the scene that is open; undefined while it is read. */
	readonly report: SceneReport | undefined;
	/** Of the frame on show, or of the last one before it with predictions. */
	readonly lines: FrameLines | undefined;
	/** The scene is being scored, or the frame's lines are on their way. */
	readonly linesDue: boolean;
	/** The scene's means with the predictions that these here replaced. */
	readonly before: { readonly name: string; readonly mean: Score } | undefined;
	readonly by: Measure;
	readonly list: ReviewList;
	/** Undefined until it is asked for. */
	readonly ranking: RankingState | undefined;
	/** Why reading or scoring failed last, in words. */
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
