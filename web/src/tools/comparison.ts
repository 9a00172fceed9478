import { CoreObject, idOf } from "../core/core.js";
import { comparisonReportOf } from "./reports.js";
import { PredictionRanking, type PredictionReview } from "./review.js";
import type { ComparisonReport } from "./scores.js";

export type {
	ComparedFrames,
	ComparedRows,
	ComparisonReport,
} from "./scores.js";

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
 * const scene = tools.reviewScene(tracks);
 * a.lookAt(scene);
 * b.lookAt(scene);
 * const comparison = tools.comparison();
 * comparison.add(0, a, b);
 * const { rows } = comparison.report(10);
 * ```
 */
export class PredictionComparison extends CoreObject<"Comparison"> {
	/**
	 * Adds the pairs of a scene.
	 *
	 * @param scene index of the scene, for `ComparedRows.scenes`
	 * @throws BevError `invalid_argument` unless both last looked at, or were added, the
	 * same `ReviewScene`
	 */
	add(scene: number, a: Side, b: Side): void {
		const { core, id: comparison } = this;
		if (a instanceof PredictionRanking && b instanceof PredictionRanking) {
			const both = { a: idOf(a), b: idOf(b) };
			core.run("compare_rankings", { comparison, scene, ...both });
		} else {
			const [one, other] = [a, b] as [PredictionReview, PredictionReview];
			const both = { a: idOf(one), b: idOf(other) };
			core.run("compare_reviews", { comparison, scene, ...both });
		}
	}

	/**
	 * Returns the comparison of the scenes added so far.
	 *
	 * @param most maximum number of elements in each order of `worst`
	 */
	report(most: number): ComparisonReport {
		const given = { comparison: this.id, most };
		return comparisonReportOf(this.core.run("comparison_report", given));
	}
}
