import { PredictionComparison } from "../comparison.js";
import type { CoreTools } from "../core-tools.js";
import type {
	PredictedLines,
	PredictionRanking,
	PredictionReview,
	ReviewScene,
} from "../review.js";
import type { RankedReport, RankOptions } from "./protocol.js";

/** Ranks several models over the same scenes, and compares two of them. */
export class ModelRankings {
	readonly #rankings = new Map<number, PredictionRanking>();
	readonly #pair: RankOptions["pair"];
	readonly #comparison: PredictionComparison | undefined;
	readonly #most: number;

	constructor(
		core: Pick<CoreTools, "makeComparison">,
		reviewOf: (id: number) => PredictionReview,
		{ reviews, pair, most, counting }: RankOptions,
	) {
		for (const id of reviews) {
			const review = reviewOf(id);
			if (counting) review.count(counting);
			this.#rankings.set(id, review.ranking(most));
		}
		this.#pair = pair;
		this.#most = most;
		if (pair) this.#comparison = new PredictionComparison(core.makeComparison());
	}

	/** Whether any model has predictions at any of the times. */
	wants(timestamps: BigInt64Array): boolean {
		return [...this.#rankings.values()].some((one) => one.wants(timestamps));
	}

	add(index: number, scene: ReviewScene): void {
		for (const ranking of this.#rankings.values()) ranking.add(index, scene);
		const [a, b] = (this.#pair ?? []).map((id) => this.#rankings.get(id));
		if (a && b) this.#comparison?.add(index, a, b);
	}

	/** Returns each model's lines of a frame of the scene added last. */
	lines(frame: number): readonly PredictedLines[] {
		return [...this.#rankings.values()].map((one) => one.lines(frame));
	}

	report(): RankedReport {
		return {
			models: [...this.#rankings.values()].map((one) => one.report()),
			comparison: this.#comparison?.report(this.#most),
		};
	}

	release(): void {
		for (const ranking of this.#rankings.values()) ranking.release();
		this.#rankings.clear();
		this.#comparison?.release();
	}
}
