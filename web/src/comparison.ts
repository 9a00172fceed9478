import type { CoreArray } from "./core.js";
import type { CoreComparison, Score } from "./core-tools.js";
import {
	coreRankingOf,
	coreReviewOf,
	PredictionRanking,
	type PredictionReview,
} from "./review.js";
import { guard, pick } from "./tools-wire.js";

/** Elements that two models have in common, as columns. */
interface ComparedColumns {
	/** (n) index of the scene, as passed to `add`. */
	readonly scenes: Uint32Array;
	/** (n) index of the frame in its scene. */
	readonly frames: Uint32Array;
	/** (n, 3) ADE, FDE and NLL of model A; NaN if unknown. */
	readonly a: Float64Array;
	/** (n, 3) ADE, FDE and NLL of model B; NaN if unknown. */
	readonly b: Float64Array;
	/**
	 * Indexes of the elements by B's value minus A's, largest first: where B is worse than A
	 * by most. Without unknown differences.
	 */
	readonly worst: Readonly<Record<keyof Score, Uint32Array>>;
}

/** Predictions of both models for the same agent at the same time. */
export interface ComparedRows extends ComparedColumns {
	/** (n) track id; -1 is the ego vehicle. */
	readonly tracks: BigInt64Array;
	/** (n) number of predicted steps at which the scene contains the agent. */
	readonly seen: Uint32Array;
	/** Like `worst`, with only the first pair of each track of a scene. */
	readonly worstTracks: ComparedColumns["worst"];
}

/** Mean scores of both models by frame, over the agents with both scores. */
export interface ComparedFrames extends ComparedColumns {
	/** (n) number of agents with both scores. */
	readonly counts: Uint32Array;
}

/** The comparison of two models, A and B. */
export interface ComparisonReport {
	/** Pairs of predictions, sorted by scene, frame and track. */
	readonly rows: ComparedRows;
	/** Frames with pairs, in order. */
	readonly frames: ComparedFrames;
	/** Number of predictions of A without one of B. */
	readonly onlyA: number;
	/** Number of predictions of B without one of A. */
	readonly onlyB: number;
	/** Number of pairs with both scores. */
	readonly compared: number;
	/** A's mean over these pairs. */
	readonly meanA: Score;
	/** B's mean over these pairs. */
	readonly meanB: Score;
}

/** Predictions of one scene, or a ranking to which the scene was just added. */
type Side = PredictionReview | PredictionRanking;

/**
 * Compares two models' predictions for the same agents at the same times, in one scene or
 * in several, which are added one by one.
 *
 * Create it with `Tools.comparison`. It owns memory of the tools module: release it, or
 * declare it with `using`.
 *
 * ```ts
 * using scene = tools.reviewScene(tracks);
 * a.lookAt(scene);
 * b.lookAt(scene);
 * using comparison = tools.comparison();
 * comparison.add(0, a, b);
 * const { rows } = comparison.report(10);
 * ```
 */
export class PredictionComparison implements Disposable {
	readonly #core: CoreComparison;
	#released = false;

	constructor(core: CoreComparison) {
		this.#core = core;
	}

	/**
	 * Adds the pairs of a scene.
	 *
	 * @param scene index of the scene, for `ComparedRows.scenes`
	 * @throws BevError `invalid_argument` unless both last looked at, or were added, the
	 * same `ReviewScene`
	 */
	add(scene: number, a: Side, b: Side): void {
		guarded(() =>
			a instanceof PredictionRanking || b instanceof PredictionRanking
				? this.#core.addRanked(
						scene,
						coreRankingOf(a as PredictionRanking),
						coreRankingOf(b as PredictionRanking),
					)
				: this.#core.add(scene, coreReviewOf(a), coreReviewOf(b)),
		);
	}

	/**
	 * Returns the comparison of the scenes added so far.
	 *
	 * @param most maximum number of elements in each order of `worst`
	 */
	report(most: number): ComparisonReport {
		const report = guarded(() => this.#core.report(most));
		const { only_a: onlyA, only_b: onlyB, mean_a: meanA, mean_b: meanB } = report;
		const tracks = pick(report.rows, "track_ids", BigInt64Array);
		const seen = pick(report.rows, "seen", Uint32Array);
		const counts = pick(report.frames, "counts", Uint32Array);
		return {
			rows: {
				...columnsOf(report.rows),
				...{ tracks, seen, worstTracks: worstOf(report.track_orders) },
			},
			frames: { ...columnsOf(report.frames), counts },
			...{ onlyA, onlyB, meanA, meanB, compared: report.compared },
		};
	}

	/** Frees the memory; idempotent. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.delete();
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}

function columnsOf(arrays: readonly CoreArray[]): ComparedColumns {
	const counts = (name: string) => pick(arrays, name, Uint32Array);
	return {
		scenes: counts("scenes"),
		frames: counts("frames"),
		a: pick(arrays, "a", Float64Array),
		b: pick(arrays, "b", Float64Array),
		worst: worstOf(arrays),
	};
}

function worstOf(arrays: readonly CoreArray[]): ComparedColumns["worst"] {
	const by = (measure: keyof Score) => pick(arrays, measure, Uint32Array);
	return { ade: by("ade"), fde: by("fde"), nll: by("nll") };
}

function guarded<T>(call: () => T): T {
	return guard(call)() as T;
}
