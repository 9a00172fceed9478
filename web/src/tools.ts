import type { LoadOptions } from "./api.js";
import type { CoreArray } from "./core.js";
import type { CoreTools } from "./core-tools.js";
import { compile } from "./loading/compile.js";
import { provided } from "./loading/embedded.js";
import { toolsModule } from "./loading/tools-module.js";
import { PredictionReader, PredictionReview } from "./review.js";
import { type AnyFunction, bytesOf, guard, pick, tableOf } from "./tools-wire.js";
import createTools from "./wasm/bev_tools.mjs";
import { instantiateWith } from "./worker/wasm-module.js";

export {
	type PredictedLines,
	PredictionRanking,
	PredictionReader,
	PredictionReview,
	type RankedRow,
	type RankingReport,
	type ReviewedFrame,
	type ReviewedRow,
	type ReviewReport,
	type ReviewShape,
	type SceneTracks,
	type Score,
} from "./review.js";

/** One 64-bit timestamp and track id per record. */
interface Records {
	readonly timestamps: BigInt64Array;
	readonly track_ids: BigInt64Array;
	/**
	 * (N, F, 2), or (N, M, F, 2): offsets from the agent's current position along world
	 * axes, metres.
	 */
	readonly coords: Float64Array;
}

/** Recorded positions; `availabilities` is (N, F). */
export interface GroundTruth extends Records {
	/** 1 for each step whose position is known, else 0. */
	readonly availabilities: Float64Array;
}

/** Predicted positions; `confidences` is (N, M). */
export interface Predictions extends Records {
	/** Probability of each mode. */
	readonly confidences: Float64Array;
}

type Evaluation = "readTruths" | "writeTruths" | "readPredictions" | "writePredictions";

type Tracks = "rowsOfTrack" | "otherTrackIds";

type Reviews = "readReview" | "reviewOf" | "makePredictionReader";

/** Number of modes in L5Kit's prediction files. */
const MAX_MODES = 3;

/**
 * L5Kit's geometry, filters and evaluation for typed arrays. Calls run synchronously on
 * the calling thread.
 *
 * ```ts
 * const tools = await loadTools();
 * const inWorld = tools.transformPoints(points, worldFromAgent, 2);
 * ```
 */
export interface Tools
	extends Omit<CoreTools, Evaluation | "metrics" | Tracks | Reviews> {
	/** Returns the rows whose track id is `trackId`. */
	rowsOfTrack(trackIds: BigUint64Array, trackId: bigint): Float64Array;
	/**
	 * `get_other_agents_ids`: up to `most` tracks around `selected`, first from
	 * `priority`, then from `all`; in the order of a Python set.
	 */
	otherTrackIds(
		all: BigUint64Array,
		priority: BigUint64Array,
		selected: bigint | undefined,
		most: number,
	): BigUint64Array;
	/** Parses L5Kit's CSV of ground truth. */
	readGroundTruth(csv: string): GroundTruth;
	/** `steps` is F. */
	writeGroundTruth(truth: GroundTruth, steps: number): string;
	/** Parses L5Kit's CSV of predictions. */
	readPredictions(csv: string, modes?: number): Predictions;
	/** Returns predictions as L5Kit's CSV. */
	writePredictions(predictions: Predictions, steps: number, modes?: number): string;
	/** Returns predictions to compare with scenes, from a file's text or from arrays. */
	review(from: string | Predictions, name?: string): PredictionReview;
	/** Returns a reader for a file of predictions; `name` names the file in messages. */
	predictionReader(name?: string): PredictionReader;
	/** Returns L5Kit's metrics by name, each the mean over agents, for two CSV texts. */
	computeMetrics(
		truths: string,
		predictions: string,
		modes?: number,
	): Readonly<Record<string, Float64Array>>;
}

/** Compiles the module of `Tools`; default: the file next to this script. */
export async function compileTools(
	wasm?: LoadOptions["wasm"],
): Promise<WebAssembly.Module> {
	return (await compile(wasm ?? provided()?.tools?.() ?? toolsModule())).module;
}

/**
 * Loads the tools module, which is separate from the core: from a URL, bytes, or a
 * compiled module. Default: the file next to this script.
 */
export async function loadTools(wasm?: LoadOptions["wasm"]): Promise<Tools> {
	const module = await compileTools(wasm);
	const core = translated(await instantiateWith(createTools, module));
	return {
		...core,
		rowsOfTrack: (ids, id) => core.rowsOfTrack(bytesOf(ids), id),
		otherTrackIds: (all, priority, selected, most) => {
			const ids = core.otherTrackIds(bytesOf(all), bytesOf(priority), selected, most);
			return pick(ids, "track_ids", BigUint64Array);
		},
		readGroundTruth: (csv) => {
			const { weights, ...records } = recordsOf(core.readTruths(csv));
			return { ...records, availabilities: weights };
		},
		writeGroundTruth: ({ availabilities, ...records }, steps) =>
			core.writeTruths(tableOf(records, availabilities), steps),
		readPredictions: (csv, modes = MAX_MODES) => {
			const { weights, ...records } = recordsOf(core.readPredictions(csv, modes));
			return { ...records, confidences: weights };
		},
		writePredictions: ({ confidences, ...records }, steps, modes = MAX_MODES) =>
			core.writePredictions(tableOf(records, confidences), steps, modes),
		review: (from, name = "predictions") => {
			if (typeof from === "string")
				return new PredictionReview(core.readReview(from, name));
			const { confidences, ...records } = from;
			return new PredictionReview(core.reviewOf(tableOf(records, confidences)));
		},
		predictionReader: (name = "predictions") =>
			new PredictionReader(core.makePredictionReader(name)),
		computeMetrics: (truths, predictions, modes = MAX_MODES) =>
			core.metrics(truths, predictions, modes),
	};
}

const NAMES = [
	"transformPoints",
	"angularDistances",
	"yawsOfRotations",
	"rotationsOfYaws",
	"agentPoses",
	"verticalFlips",
	"anglesBetween",
	"yawsAroundNorth",
	"geodeticOfEcef",
	"ecefOfGeodetic",
	"pointsWithinBounds",
	"intensityGrid",
	"normalizedIntensity",
	"rowsKept",
	"rowsWithin",
	"rowsWithState",
	"rowsOfTrack",
	"otherTrackIds",
	"readTruths",
	"writeTruths",
	"readPredictions",
	"writePredictions",
	"readReview",
	"reviewOf",
	"makePredictionReader",
	"metrics",
] as const satisfies readonly (keyof CoreTools)[];

/** Returns the module's functions, wrapped to throw BevErrors. */
function translated(core: CoreTools): CoreTools {
	const guarded = NAMES.map((name) => [name, guard(core[name] as AnyFunction)]);
	return Object.fromEntries(guarded) as CoreTools;
}

function recordsOf(arrays: readonly CoreArray[]) {
	return {
		timestamps: pick(arrays, "timestamps", BigInt64Array),
		track_ids: pick(arrays, "track_ids", BigInt64Array),
		weights: pick(arrays, "weights", Float64Array),
		coords: pick(arrays, "coords", Float64Array),
	};
}
