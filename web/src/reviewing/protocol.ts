import type { ComparisonReport } from "../comparison.js";
import type { CoreArray } from "../core.js";
import type {
	CoreLines,
	CoreRecordedScene,
	CoreSimulatedScene,
	Counting,
} from "../core-tools.js";
import type {
	PredictedLines,
	RankingReport,
	ReviewReport,
	ReviewShape,
	SceneTracks,
} from "../review.js";
import type { Predictions } from "../tools.js";
import type { WireError } from "../worker/protocol.js";
import type { Drawing } from "./drawing.js";

/** Maximum rows per measure in a report: those listed and stepped through. */
export const MAX_ROWS = 1000;

/** What a report tells about truth that is missing. */
export type Coverage = Pick<ReviewReport, "begun">;

/** Scores of one scene: its worst rows, and all frames. */
export interface SceneReport
	extends Coverage,
		Pick<
			ReviewReport,
			"frames" | "worst" | "mean" | "breakdown" | "compared" | "missed" | "unknown"
		> {
	/**
	 * Number of predictions in the scene. `worst.rows` and `worst.tracks` contain at most
	 * `MAX_ROWS` of them.
	 */
	readonly count: number;
}

/** The worst predictions of several scenes: of each model, and of a pair of models. */
export interface RankedReport {
	/** In the order of the ranking's reviews. */
	readonly models: readonly (RankingReport & Coverage)[];
	readonly comparison: ComparisonReport | undefined;
}

/** Two models by id: A and B. */
export type ReviewPair = readonly [a: number, b: number];

/** What a ranking covers. */
export interface RankOptions {
	/** Ids of reviews. */
	readonly reviews: readonly number[];
	/** Two of them, to be compared. */
	readonly pair: ReviewPair | undefined;
	/** Maximum number of predictions listed by each measure. */
	readonly most: number;
	/** Undefined for rankings whose scores are not used. */
	readonly counting: Counting | undefined;
}

/** A rollout: the bytes of a file with its name, or scenes. */
export type RolloutInput =
	| { readonly bytes: Uint8Array; readonly name: string }
	| readonly CoreSimulatedScene[];

/** What a rollout contains. */
export interface RolloutShape {
	/** The numbers of its scenes, ascending. */
	readonly scenes: Float64Array;
	/** Name given in the file; "" if none. */
	readonly title: string;
}

/** The recorded scene that a rollout is compared with. */
export interface RolloutTruth {
	readonly scene: number;
	readonly rows: CoreRecordedScene;
	/** Both sides of the lanes; undefined without a map. */
	readonly lanes: { readonly left: CoreLines; readonly right: CoreLines } | undefined;
}

/** Calls by kind. Ids of reviews and rankings are chosen by the page. */
interface Calls {
	begin: [{ review: number; name: string }, undefined];
	piece: [{ review: number; bytes: Uint8Array }, undefined];
	finish: [{ review: number }, ReviewShape];
	arrays: [{ review: number; predictions: Predictions }, ReviewShape];
	look: [{ tracks: SceneTracks }, undefined];
	scene: [{ review: number; counting: Counting }, SceneReport];
	compare: [{ pair: ReviewPair; scene: number; most: number }, ComparisonReport];
	lines: [{ review: number; frame: number }, PredictedLines];
	release: [{ review: number }, undefined];
	rank: [RankOptions & { ranking: number }, undefined];
	wants: [{ ranking: number; timestamps: BigInt64Array }, boolean];
	add: [{ ranking: number; scene: number; tracks: SceneTracks }, undefined];
	ranked: [{ ranking: number }, RankedReport];
	rankedLines: [{ ranking: number; frame: number }, readonly PredictedLines[]];
	releaseRanking: [{ ranking: number }, undefined];
	/** Replaces the rollout. */
	rollout: [{ from: RolloutInput }, RolloutShape];
	compareRollout: [RolloutTruth, readonly CoreArray[]];
	draw: [{ drawing: Drawing }, ImageBitmap];
}

export type CallKind = keyof Calls;
export type ReviewCall<K extends CallKind = CallKind> = {
	[Kind in K]: { readonly kind: Kind } & Readonly<Calls[Kind][0]>;
}[K];
export type ReviewAnswer<K extends CallKind = CallKind> = Calls[K][1];

export type ToReviewWorker =
	| { readonly type: "init"; readonly module: WebAssembly.Module }
	| { readonly type: "call"; readonly id: number; readonly call: ReviewCall };

export type FromReviewWorker =
	| { readonly type: "ready" }
	| { readonly type: "answer"; readonly id: number; readonly value: ReviewAnswer }
	| { readonly type: "failure"; readonly id: number; readonly error: WireError };
