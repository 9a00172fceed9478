import type { Coverage, SceneReport } from "../../reviewing/protocol.js";
import type { RemoteDistribution } from "../../reviewing/remote-distribution.js";
import type { ComparisonReport } from "../../tools/comparison.js";
import type { KeptReport } from "../../tools/reports.js";
import type { RankingReport, ReviewShape } from "../../tools/review.js";
import type { Counting } from "../../tools/scores.js";
import type { PredictionPainters } from "../draw/prediction-painters.js";
import type { Slice } from "../session/store.js";
import { type FrameLines, isSameLines, type ModelLines } from "./model-lines.js";

/** Maximum number of models. */
export const MAX_MODELS = 4;

/** Measures by which predictions are ranked, descending. */
export const MEASURES = ["ade", "fde", "nll"] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * Lists of the panel: the active model's predictions of the scene, its frames, or its
 * predictions of all scenes; and what both models of the pair predict, by B minus A.
 * Lists of tracks contain the worst prediction of each.
 */
export const LISTS = [
	"agents",
	"tracks",
	"frames",
	"all",
	"all-tracks",
	"worse",
	"worse-tracks",
	"worse-frames",
	"worse-all",
	"worse-all-tracks",
	"worse-all-frames",
] as const;
export type ReviewList = (typeof LISTS)[number];

/** Returns whether the list needs the ranking of all scenes. */
export function coversAll(list: ReviewList): boolean {
	return list.startsWith("all") || list.startsWith("worse-all");
}

/** Returns whether the list contains each track once. */
export function hasTracksOnce(list: ReviewList): boolean {
	return list.endsWith("tracks");
}

/** Returns whether the list compares the models of the pair. */
export function compares(list: ReviewList): boolean {
	return list.startsWith("worse");
}

/** Predictions as rows of a table in the worker. */
export interface RankedRows {
	readonly table: RemoteDistribution;
	/** Ids of the models, in the table's order. */
	readonly ids: readonly number[];
}

/** Progress of ranking over all scenes. */
export interface RankingState {
	readonly running: boolean;
	/** Number of scenes read or left out, and of all scenes. */
	readonly done: number;
	readonly all: number;
	/** Scenes that the ranking lacks because their data is damaged or absent. */
	readonly leftOut: readonly { readonly scene: number; readonly why: string }[];
	/** Reports of the scenes ranked so far, by model. */
	readonly reports: ReadonlyMap<number, RankingReport & Coverage>;
	/** Comparison of the pair in these scenes. */
	readonly comparison: ComparisonReport | undefined;
	/** The predictions of these scenes as rows, if they are needed. */
	readonly rows?: RankedRows | undefined;
	/** Why ranking ended early. */
	readonly problem: string | undefined;
}

/** Bytes read of a file, and their total if known; or scenarios of forecasts. */
export interface ReadingState {
	readonly bytes: number;
	readonly all: number | undefined;
	/** Scenarios read, and their number. */
	readonly scenarios?: readonly [done: number, all: number] | undefined;
}

/** One model's set of predictions. */
export interface ModelState {
	/** Names the model in calls; never used again. */
	readonly id: number;
	/** File name, or the name given by the page. */
	readonly name: string;
	/** Address in links. */
	readonly address: string | undefined;
	/** Index of its colour, 0 to 3. */
	readonly slot: number;
	/** Whether the picture shows it. */
	readonly visible: boolean;
	/** `reading`: for the first time; `failed`: could not be read. */
	readonly phase: "reading" | "ready" | "failed";
	/** Set while a file is read, which may replace the current predictions. */
	readonly reading: ReadingState | undefined;
	readonly shape: ReviewShape | undefined;
	/** Scores of the open scene; undefined while they are computed. */
	readonly report: SceneReport | undefined;
	/** Lines of the displayed frame, or of the last one before it with predictions. */
	readonly lines: FrameLines | undefined;
	/** Lines of the next frame with predictions, if loaded. */
	readonly ahead?: FrameLines | undefined;
	/** The scene is being scored, or the frame's lines are loading. */
	readonly linesDue: boolean;
	/** The last error of reading or scoring. */
	readonly problem: string | undefined;
}

/** The ids of the models A and B, which are compared. */
export interface ModelPair {
	readonly a: number;
	readonly b: number;
}

/** The part of the state that is derived from the models. */
interface Derived {
	/** `none`: no predictions; `ready`: at least one set; `failed`: none could be read. */
	readonly phase: "none" | "ready" | "failed";
	/** Lines of all visible models. */
	readonly drawn: readonly ModelLines[];
	/** Whether a visible model's lines are loading. */
	readonly linesDue: boolean;
	/** Name, shape, scene's scores and lines of the active model. */
	readonly name: string;
	readonly shape: ReviewShape | undefined;
	readonly report: SceneReport | undefined;
	readonly lines: FrameLines | undefined;
}

/**
 * The models in a link. Their numbers begin at 1: those with an address first, then the
 * local ones.
 */
export interface ModelsLink {
	/** Addresses of prediction files, separated by `|`. */
	readonly predictions?: string | undefined;
	/** Names of these models, separated by `|`, if they are not the files' names. */
	readonly modelNames?: string | undefined;
	/**
	 * Names of the local models, which have no address, separated by `|`; see
	 * `joinedNames`.
	 */
	readonly localModels?: string | undefined;
	/** Numbers of the hidden models. */
	readonly hiddenModels?: readonly number[] | undefined;
	/** Numbers of the compared models A and B; default the first two. */
	readonly comparedModels?: readonly [a: number, b: number] | undefined;
	/** The list of the panel. */
	readonly listed?: ReviewList | undefined;
	/** Whether each visible model has a picture of its own. */
	readonly splitPictures?: boolean | undefined;
}

/** Local files that the opened link names, until all of them are open. */
export interface AwaitedFiles {
	/** The link's part about the models. */
	readonly link: ModelsLink;
	/** Names of the files that are not open yet. */
	readonly missing: readonly string[];
}

/** What a list shows of the predictions that pass the brushes of the distributions. */
export interface KeptList {
	readonly list: ReviewList;
	readonly by: Measure;
	readonly active: number;
	readonly pair: ModelPair | undefined;
	/** Undefined for lists of all scenes. */
	readonly scene: number | undefined;
	/** Of the active model; undefined if the list compares models. */
	readonly report: KeptReport | undefined;
	/** Of the pair, if the list compares it. */
	readonly comparison: ComparisonReport | undefined;
}

/** Predictions that pass the brushes of the distributions. */
export interface KeptPredictions {
	/** The same object as long as the same ones pass. */
	readonly rows: RankedRows;
	readonly listed: KeptList;
}

/** State of the predictions panel. */
export interface ReviewState extends Derived {
	/** What `drawn` is next during playback; empty unless all lines are loaded. */
	readonly coming: readonly ModelLines[];
	/** Paints predictions; undefined until the code is loaded. */
	readonly painters: PredictionPainters | undefined;
	/** Returns the link's part of a state; undefined until the code is loaded. */
	readonly link: ((review: ReviewState) => ModelsLink) | undefined;
	/** In the order of their addition. */
	readonly models: readonly ModelState[];
	/** Undefined unless files are missing. */
	readonly awaited: AwaitedFiles | undefined;
	/** Id of the model that is listed and plotted. */
	readonly active: number | undefined;
	/** The models to compare; chosen automatically once there are two. */
	readonly pair: ModelPair | undefined;
	/** Comparison of the pair in the open scene; undefined while it is computed. */
	readonly comparison: ComparisonReport | undefined;
	/** Whether each visible model has a picture of its own. */
	readonly split: boolean;
	readonly by: Measure;
	/** How steps without ground truth count. */
	readonly counting: Counting;
	readonly list: ReviewList;
	/** Undefined until ranking is started. */
	readonly ranking: RankingState | undefined;
	/** The last error that concerns no single model. */
	readonly problem: string | undefined;
	/** Undefined unless the distributions have a brush. */
	readonly kept: KeptPredictions | undefined;
}

const NOTHING_DRAWN: readonly ModelLines[] = [];

export const NO_REVIEW: ReviewState = {
	models: [],
	awaited: undefined,
	active: undefined,
	pair: undefined,
	comparison: undefined,
	split: false,
	phase: "none",
	painters: undefined,
	link: undefined,
	drawn: NOTHING_DRAWN,
	coming: NOTHING_DRAWN,
	linesDue: false,
	name: "",
	shape: undefined,
	report: undefined,
	lines: undefined,
	by: "ade",
	counting: "recorded",
	list: "agents",
	ranking: undefined,
	problem: undefined,
	kept: undefined,
};

/** Returns the lines of the visible models. */
export function drawnOf(models: readonly ModelState[]): readonly ModelLines[] {
	const drawn = models.flatMap(({ id: model, slot, visible, lines }) =>
		visible && lines ? [{ model, slot, lines }] : [],
	);
	return drawn.length > 0 ? drawn : NOTHING_DRAWN;
}

/** Returns the pair after the models changed: the first two, unless both still exist. */
function pairOf({ models, pair }: ReviewState): ModelPair | undefined {
	const ready = models.filter(({ phase }) => phase !== "failed");
	const has = (id: number): boolean => ready.some((one) => one.id === id);
	if (pair && has(pair.a) && has(pair.b)) return pair;
	const [a, b] = ready;
	return a && b && { a: a.id, b: b.id };
}

/** Returns `state` with everything that depends on its models. */
export function derived(state: ReviewState): ReviewState {
	const { models } = state;
	const ready = models.filter(({ phase }) => phase === "ready");
	const active = ready.find(({ id }) => id === state.active) ?? ready[0];
	const drawn = drawnOf(models);
	const pair = pairOf(state);
	const waiting = models.length > 0 ? "failed" : "none";
	const isReading = models.some(({ phase }) => phase === "reading");
	return {
		...state,
		pair,
		list: !pair && compares(state.list) ? "agents" : state.list,
		active: active?.id,
		phase: ready.length > 0 ? "ready" : isReading ? "none" : waiting,
		drawn: isSameLines(drawn, state.drawn) ? state.drawn : drawn,
		linesDue: models.some(({ visible, linesDue }) => visible && linesDue),
		name: active?.name ?? "",
		shape: active?.shape,
		report: active?.report,
		lines: active?.lines,
	};
}

/** Returns the model's colour as a custom property. */
export function colourOf(slot: number): string {
	return `--_model-${slot + 1}`;
}

export interface ReviewSlice {
	/** State of the predictions panel. */
	readonly review: ReviewState;
}

export const REVIEW_SLICE: Slice<ReviewSlice> = {
	empty: { review: NO_REVIEW },
	// Predictions stay open; what was computed with the previous data set goes.
	kept: ({ review }) => ({
		review: derived({
			...review,
			models: review.models.map((model) => ({
				...model,
				report: undefined,
				lines: undefined,
				ahead: undefined,
				linesDue: false,
			})),
			awaited: undefined,
			coming: NOTHING_DRAWN,
			comparison: undefined,
			list: coversAll(review.list) ? "agents" : review.list,
			ranking: undefined,
			kept: undefined,
		}),
	}),
};
