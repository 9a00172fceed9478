import { type ComparisonReport, PredictionComparison } from "../comparison.js";
import type { CoreTools } from "../core-tools.js";
import { BevError } from "../errors.js";
import {
	PredictionReader,
	PredictionReview,
	type ReviewReport,
	ReviewScene,
	type SceneTracks,
	tracksOf,
} from "../review.js";
import type { Predictions } from "../tools.js";
import { tableOf } from "../tools-wire.js";
import { pixelsOf } from "./drawing.js";
import { HeldRollout, type RolloutCore } from "./held-rollout.js";
import { ModelRankings } from "./model-rankings.js";
import {
	MAX_ROWS,
	type ReviewAnswer,
	type ReviewCall,
	type SceneReport,
} from "./protocol.js";

type ReviewCore = RolloutCore &
	Pick<
		CoreTools,
		"makePredictionReader" | "reviewOf" | "makeReviewScene" | "makeComparison"
	>;

/** Reads, scores and ranks predictions, and rollouts, on behalf of a page. */
export class ReviewService {
	readonly #core: ReviewCore;
	readonly #readers = new Map<number, PredictionReader>();
	readonly #reviews = new Map<number, PredictionReview>();
	readonly #rankings = new Map<number, ModelRankings>();
	/** The scene that reviews look at. */
	#scene: ReviewScene | undefined;
	#rollout: HeldRollout | undefined;

	constructor(core: ReviewCore) {
		this.#core = core;
	}

	/** Throws a BevError, or an error of the core with a code. */
	answer(call: ReviewCall): ReviewAnswer {
		switch (call.kind) {
			case "begin": {
				const reader = new PredictionReader(this.#core.makePredictionReader(call.name));
				this.#readers.set(call.review, reader);
				return undefined;
			}
			case "piece":
				return held(this.#readers, call.review).add(call.bytes) as undefined;
			case "finish":
				return this.#finish(call.review);
			case "arrays":
				return this.#take(call.review, this.#reviewOf(call.predictions));
			case "look":
				this.#scene?.release();
				this.#scene = undefined;
				this.#scene = this.#sceneOf(call.tracks);
				return undefined;
			case "scene":
				return this.#report(call);
			case "compare":
				return this.#compare(call);
			case "lines":
				return held(this.#reviews, call.review).lines(call.frame);
			case "release":
				dropped(this.#readers, call.review);
				return dropped(this.#reviews, call.review);
			case "rank": {
				const reviewOf = (id: number) => held(this.#reviews, id);
				const ranking = new ModelRankings(this.#core, reviewOf, call);
				this.#rankings.set(call.ranking, ranking);
				return undefined;
			}
			case "wants":
				return held(this.#rankings, call.ranking).wants(call.timestamps);
			case "add":
				return this.#rank(call);
			case "ranked":
				return held(this.#rankings, call.ranking).report();
			case "rankedLines":
				return held(this.#rankings, call.ranking).lines(call.frame);
			case "releaseRanking":
				return dropped(this.#rankings, call.ranking);
			case "rollout":
				this.#rollout?.release();
				this.#rollout = undefined;
				this.#rollout = new HeldRollout(this.#core, call.from);
				return this.#rollout.shape;
			case "compareRollout":
				if (this.#rollout) return this.#rollout.compare(call);
				throw new BevError("invalid_argument", "rollout: none");
			case "draw":
				return pixelsOf(call.drawing);
		}
	}

	#sceneOf(tracks: SceneTracks): ReviewScene {
		return new ReviewScene(this.#core.makeReviewScene(tracksOf(tracks)));
	}

	#report({ review: id, counting }: ReviewCall<"scene">): SceneReport {
		const review = held(this.#reviews, id);
		review.count(counting);
		if (this.#scene) return brief(review.lookAt(this.#scene));
		throw new BevError("invalid_argument", "predictions: no scene");
	}

	#compare({ pair: [a, b], scene, most }: ReviewCall<"compare">): ComparisonReport {
		const both = [held(this.#reviews, a), held(this.#reviews, b)] as const;
		const comparison = new PredictionComparison(this.#core.makeComparison());
		try {
			comparison.add(scene, ...both);
			return comparison.report(most);
		} finally {
			comparison.release();
		}
	}

	#rank({ ranking, scene, tracks }: ReviewCall<"add">): undefined {
		const rankings = held(this.#rankings, ranking);
		const prepared = this.#sceneOf(tracks);
		try {
			rankings.add(scene, prepared);
		} finally {
			prepared.release();
		}
	}

	#finish(id: number) {
		const reader = held(this.#readers, id);
		this.#readers.delete(id);
		try {
			return this.#take(id, reader.finish());
		} finally {
			reader.release();
		}
	}

	#reviewOf({ confidences, ...records }: Predictions): PredictionReview {
		return new PredictionReview(this.#core.reviewOf(tableOf(records, confidences)));
	}

	#take(id: number, review: PredictionReview) {
		this.#reviews.set(id, review);
		return review.shape;
	}
}

function held<T>(all: ReadonlyMap<number, T>, id: number): T {
	const one = all.get(id);
	if (one) return one;
	throw new BevError("invalid_argument", "predictions: released");
}

function dropped(all: Map<number, { release(): void }>, id: number): undefined {
	all.get(id)?.release();
	all.delete(id);
}

/** Returns the part of a report that the page lists. */
function brief({ rows, worst, ...report }: ReviewReport): SceneReport {
	const first = <T>(all: readonly T[]): readonly T[] => all.slice(0, MAX_ROWS);
	const listed = ({ ade, fde, nll }: ReviewReport["worst"]["rows"]) => ({
		...{ ade: first(ade), fde: first(fde), nll: first(nll) },
	});
	return {
		count: rows.length,
		...report,
		worst: {
			rows: listed(worst.rows),
			tracks: listed(worst.tracks),
			frames: worst.frames,
		},
	};
}
