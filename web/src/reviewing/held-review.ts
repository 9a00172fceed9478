import type {
	PredictedLines,
	RankingReport,
	ReviewShape,
	SceneTracks,
} from "../review.js";
import type { ReviewPort } from "./port.js";
import type { SceneReport } from "./protocol.js";

/** Predictions held in a worker or in this thread. Calls are answered in order. */
export interface HeldReview {
	readonly shape: ReviewShape;
	/** Scores the predictions of a scene. */
	lookAt(scene: SceneTracks): Promise<SceneReport>;
	/**
	 * Returns the predictions of a frame of the scene last passed to `lookAt`; empty if
	 * there are none.
	 */
	lines(frame: number): Promise<PredictedLines>;
	/**
	 * Starts a ranking over several scenes; it reports the `most` worst by each measure.
	 */
	ranking(most: number): HeldRanking;
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
	report(): Promise<RankingReport>;
	/** Frees the memory. Call it once. */
	release(): void;
}

/** The port of a review, and its source of ids. */
interface Holder {
	readonly port: ReviewPort;
	/** Returns an id that no review or ranking uses. */
	readonly newId: () => number;
}

/** Ignores the outcome: a failed port has already reported its error. */
function told(answer: Promise<unknown>): void {
	answer.catch(() => {});
}

export class PortReview implements HeldReview {
	readonly shape: ReviewShape;
	readonly #holder: Holder;
	readonly #review: number;

	constructor(holder: Holder, review: number, shape: ReviewShape) {
		this.#holder = holder;
		this.#review = review;
		this.shape = shape;
	}

	lookAt(tracks: SceneTracks): Promise<SceneReport> {
		return this.#holder.port.call({ kind: "scene", review: this.#review, tracks });
	}

	lines(frame: number): Promise<PredictedLines> {
		return this.#holder.port.call({ kind: "lines", review: this.#review, frame });
	}

	ranking(most: number): HeldRanking {
		const { port, newId } = this.#holder;
		const ranking = newId();
		told(port.call({ kind: "rank", review: this.#review, ranking, most }));
		return new PortRanking(port, ranking);
	}

	release(): void {
		told(this.#holder.port.call({ kind: "release", review: this.#review }));
	}
}

class PortRanking implements HeldRanking {
	readonly #port: ReviewPort;
	readonly #ranking: number;

	constructor(port: ReviewPort, ranking: number) {
		this.#port = port;
		this.#ranking = ranking;
	}

	wants(timestamps: BigInt64Array): Promise<boolean> {
		return this.#port.call({ kind: "wants", ranking: this.#ranking, timestamps });
	}

	add(scene: number, tracks: SceneTracks): Promise<void> {
		return this.#port.call({ kind: "add", ranking: this.#ranking, scene, tracks });
	}

	report(): Promise<RankingReport> {
		return this.#port.call({ kind: "ranked", ranking: this.#ranking });
	}

	release(): void {
		told(this.#port.call({ kind: "releaseRanking", ranking: this.#ranking }));
	}
}
