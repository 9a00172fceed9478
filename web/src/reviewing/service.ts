import type { CoreTools } from "../core-tools.js";
import { BevError } from "../errors.js";
import {
	type PredictionRanking,
	PredictionReader,
	PredictionReview,
	type ReviewReport,
} from "../review.js";
import type { Predictions } from "../tools.js";
import { tableOf } from "../tools-wire.js";
import {
	MAX_ROWS,
	type ReviewAnswer,
	type ReviewCall,
	type SceneReport,
} from "./protocol.js";

type ReviewCore = Pick<CoreTools, "makePredictionReader" | "reviewOf">;

/** Reads, scores and ranks predictions on behalf of a page. */
export class ReviewService {
	readonly #core: ReviewCore;
	readonly #readers = new Map<number, PredictionReader>();
	readonly #reviews = new Map<number, PredictionReview>();
	readonly #rankings = new Map<number, PredictionRanking>();

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
			case "scene":
				return brief(held(this.#reviews, call.review).lookAt(call.tracks));
			case "lines":
				return held(this.#reviews, call.review).lines(call.frame);
			case "release":
				dropped(this.#readers, call.review);
				return dropped(this.#reviews, call.review);
			case "rank": {
				const ranking = held(this.#reviews, call.review).ranking(call.most);
				this.#rankings.set(call.ranking, ranking);
				return undefined;
			}
			case "wants":
				return held(this.#rankings, call.ranking).wants(call.timestamps);
			case "add":
				held(this.#rankings, call.ranking).add(call.scene, call.tracks);
				return undefined;
			case "ranked":
				return held(this.#rankings, call.ranking).report();
			case "releaseRanking":
				return dropped(this.#rankings, call.ranking);
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
	const { ade, fde, nll } = worst.rows;
	const first = <T>(all: readonly T[]): readonly T[] => all.slice(0, MAX_ROWS);
	const listed = { ade: first(ade), fde: first(fde), nll: first(nll) };
	return {
		count: rows.length,
		...report,
		worst: { rows: listed, frames: worst.frames },
	};
}
