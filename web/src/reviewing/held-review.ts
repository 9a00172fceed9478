import type { Counting } from "../core-tools.js";
import type { PredictedLines, ReviewShape, SceneTracks } from "../review.js";
import type { ReviewPort } from "./port.js";
import type { RankedReport, RankOptions, SceneReport } from "./protocol.js";

/** Predictions held in a worker or in this thread. Calls are answered in order. */
export interface HeldReview {
	/** Names the review in calls of its `Reviewer`. */
	readonly id: number;
	readonly shape: ReviewShape;
	/** Scores the predictions of the scene last passed to `Reviewer.look`. */
	score(counting: Counting): Promise<SceneReport>;
	/**
	 * Returns the predictions of a frame of the scene that was scored last; empty if there
	 * are none.
	 */
	lines(frame: number): Promise<PredictedLines>;
	/** Frees the memory. Call it once. */
	release(): void;
}

/** The worst predictions of several scenes, which are added one by one. */
export interface HeldRanking {
	/**
	 * Whether there are predictions at any of the times; other scenes need not be added.
	 */
	wants(timestamps: BigInt64Array): Promise<boolean>;
	add(scene: number, tracks: SceneTracks): Promise<void>;
	report(): Promise<RankedReport>;
	/** Returns each model's predictions of a frame of the scene added last. */
	lines(frame: number): Promise<readonly PredictedLines[]>;
	/** Frees the memory. Call it once. */
	release(): void;
}

/** Ignores the outcome: a failed port has already reported its error. */
function told(answer: Promise<unknown>): void {
	answer.catch(() => {});
}

export class PortReview implements HeldReview {
	readonly id: number;
	readonly shape: ReviewShape;
	readonly #port: ReviewPort;

	constructor(port: ReviewPort, id: number, shape: ReviewShape) {
		this.#port = port;
		this.id = id;
		this.shape = shape;
	}

	score(counting: Counting): Promise<SceneReport> {
		return this.#port.call({ kind: "scene", review: this.id, counting });
	}

	lines(frame: number): Promise<PredictedLines> {
		return this.#port.call({ kind: "lines", review: this.id, frame });
	}

	release(): void {
		told(this.#port.call({ kind: "release", review: this.id }));
	}
}

export class PortRanking implements HeldRanking {
	readonly #port: ReviewPort;
	readonly #ranking: number;

	constructor(port: ReviewPort, ranking: number, options: RankOptions) {
		this.#port = port;
		this.#ranking = ranking;
		told(port.call({ kind: "rank", ranking, ...options }));
	}

	wants(timestamps: BigInt64Array): Promise<boolean> {
		return this.#port.call({ kind: "wants", ranking: this.#ranking, timestamps });
	}

	add(scene: number, tracks: SceneTracks): Promise<void> {
		return this.#port.call({ kind: "add", ranking: this.#ranking, scene, tracks });
	}

	report(): Promise<RankedReport> {
		return this.#port.call({ kind: "ranked", ranking: this.#ranking });
	}

	lines(frame: number): Promise<readonly PredictedLines[]> {
		return this.#port.call({ kind: "rankedLines", ranking: this.#ranking, frame });
	}

	release(): void {
		told(this.#port.call({ kind: "releaseRanking", ranking: this.#ranking }));
	}
}
