import type { LoadOptions } from "./api.js";
import { Core } from "./core/core.js";
import { compile } from "./loading/compile.js";
import { provided } from "./loading/embedded.js";
import { moduleFile } from "./loading/files.js";
import { toolsModule } from "./loading/tools-module.js";
import { type ArrayTools, arrayToolsOf } from "./tools/array-tools.js";
import { PredictionComparison } from "./tools/comparison.js";
import {
	PredictionReader,
	PredictionReview,
	ReviewScene,
	type SceneTracks,
} from "./tools/review.js";
import { instantiate } from "./worker/core-module.js";

export {
	type ComparedFrames,
	type ComparedRows,
	type ComparisonReport,
	PredictionComparison,
} from "./tools/comparison.js";
export {
	type Counting,
	type PredictedLines,
	PredictionRanking,
	PredictionReader,
	PredictionReview,
	type RankedRow,
	type RankingReport,
	type ReviewedFrame,
	type ReviewedRow,
	type ReviewReport,
	ReviewScene,
	type ReviewShape,
	type SceneTracks,
	type Score,
} from "./tools/review.js";

/** N records of agents, each at one time. */
interface Records {
	/** (N) nanoseconds. */
	readonly timestamps: BigInt64Array;
	/** (N) track ids; -1 is the ego vehicle. */
	readonly track_ids: BigInt64Array;
	/**
	 * Positions at F future steps: (N, F, 2) for ground truth, (N, M, F, 2) for M modes.
	 * Metres along the world axes, relative to the agent's position at the timestamp.
	 */
	readonly coords: Float64Array;
}

/** Recorded future positions of N agents. */
export interface GroundTruth extends Records {
	/** (N, F): 1 for each step whose position is known, else 0. */
	readonly availabilities: Float64Array;
}

/** Predicted future positions of N agents, in M alternatives (modes). */
export interface Predictions extends Records {
	/** (N, M): probability of each mode; the modes of a record sum to 1. */
	readonly confidences: Float64Array;
}

/** Number of modes in L5Kit's prediction files. */
const MAX_MODES = 3;

/**
 * L5Kit's geometry, filters and evaluation for typed arrays. Calls run synchronously on
 * the calling thread, return new arrays, and throw BevErrors only. Lists of rows are
 * positions in the given array, as numbers.
 *
 * ```ts
 * const tools = await loadTools();
 * const inWorld = tools.transformPoints(points, worldFromAgent, 2);
 * ```
 */
export interface Tools extends ArrayTools {
	/**
	 * Parses L5Kit's CSV of ground truth (`read_gt_csv`).
	 *
	 * @throws BevError `invalid_argument`, with the line, for invalid text
	 */
	readGroundTruth(csv: string): GroundTruth;
	/**
	 * Returns ground truth as L5Kit's CSV, byte for byte (`write_gt_csv`).
	 *
	 * @param steps F, which no records would not determine
	 * @throws BevError `invalid_argument` if the arrays' lengths do not match
	 */
	writeGroundTruth(truth: GroundTruth, steps: number): string;
	/**
	 * Parses L5Kit's CSV of predictions (`read_pred_csv`).
	 *
	 * @param modes number of modes in the file; default 3, as in L5Kit
	 * @throws BevError `invalid_argument`, with the line, for invalid text
	 */
	readPredictions(csv: string, modes?: number): Predictions;
	/**
	 * Returns predictions as L5Kit's CSV, byte for byte (`write_pred_csv`).
	 *
	 * @param steps F, which no records would not determine
	 * @param modes number of modes in the file, default 3; missing ones are written as 0
	 * @throws BevError `invalid_argument` if the arrays' lengths do not match, if there are
	 * more modes than `modes`, or if a record's confidences do not sum to 1
	 */
	writePredictions(predictions: Predictions, steps: number, modes?: number): string;
	/**
	 * Returns predictions to compare with scenes. For files, prefer `predictionReader`,
	 * which does not need the whole text.
	 *
	 * @param from text of L5Kit's CSV, with any number of modes, or arrays
	 * @param name names the text in error messages
	 * @throws BevError `invalid_argument` for invalid text, arrays or confidences
	 */
	review(from: string | Predictions, name?: string): PredictionReview;
	/**
	 * Returns a reader for a file of predictions.
	 *
	 * @param name names the file in error messages
	 */
	predictionReader(name?: string): PredictionReader;
	/**
	 * Prepares a scene for the predictions of several models.
	 *
	 * @throws BevError as `PredictionReview.lookAt`
	 */
	reviewScene(tracks: SceneTracks): ReviewScene;
	/** Returns an empty comparison of two models. */
	comparison(): PredictionComparison;
	/**
	 * Compares ground truth and predictions, both as L5Kit's CSV (`compute_metrics_csv`).
	 * Returns L5Kit's metrics by name, each the mean over all records: one value, or one
	 * per mode for `prob_true_mode` and one per step for `time_displace`.
	 *
	 * @param modes number of modes in the predictions; default 3
	 * @throws BevError `invalid_argument` if the texts do not contain the same agents at
	 * the same times
	 */
	computeMetrics(
		truths: string,
		predictions: string,
		modes?: number,
	): Readonly<Record<string, Float64Array>>;
}

/**
 * Compiles the tools module, to share it between threads: `loadTools` accepts the
 * result.
 *
 * @param wasm the module's URL or bytes; default: the file of the package
 */
export async function compileTools(
	wasm?: LoadOptions["wasm"],
): Promise<WebAssembly.Module> {
	const given = wasm ?? moduleFile("toolsWasm") ?? (await provided("tools"));
	return (await compile(given ?? toolsModule())).module;
}

/**
 * Loads the tools module, which is independent of data sets and of their module.
 *
 * @param wasm the module's URL, its bytes, or a compiled module; default: the file of the
 * package
 * @throws BevError `network` if the module cannot be fetched, `unsupported` if the browser
 * is too old or the page's policy forbids WebAssembly
 */
export async function loadTools(wasm?: LoadOptions["wasm"]): Promise<Tools> {
	const module = await compileTools(wasm);
	const core = new Core(await instantiate(module));
	return {
		...arrayToolsOf(core),
		readGroundTruth: (csv) => {
			const { weights, ...records } = core.run("read_truths", { csv });
			return { ...records, availabilities: weights };
		},
		writeGroundTruth: ({ availabilities, ...records }, steps) =>
			core.run("write_truths", { ...records, weights: availabilities, steps }),
		readPredictions: (csv, modes = MAX_MODES) => {
			const { weights, ...records } = core.run("read_predictions", { csv, modes });
			return { ...records, confidences: weights };
		},
		writePredictions: ({ confidences, ...records }, steps, modes = MAX_MODES) => {
			const table = { ...records, weights: confidences };
			return core.run("write_predictions", { ...table, steps, modes });
		},
		review: (from, name = "predictions") => {
			if (typeof from === "string")
				return new PredictionReview(core, core.run("read_review", { csv: from, name }));
			const { confidences, ...records } = from;
			const table = { ...records, weights: confidences };
			return new PredictionReview(core, core.run("review_of", table));
		},
		predictionReader: (name = "predictions") =>
			new PredictionReader(core, core.run("prediction_reader", { name })),
		reviewScene: (tracks) => new ReviewScene(core, core.run("review_scene", tracks)),
		comparison: () => new PredictionComparison(core, core.run("comparison", {})),
		computeMetrics: (truths, predictions, modes = MAX_MODES) =>
			core.run("metrics", { truths, predictions, modes }) as Readonly<
				Record<string, Float64Array>
			>,
	};
}
