import type {
	PredictedLines,
	RankingReport,
	ReviewShape,
	SceneTracks,
} from "../review.js";
import type { ReviewPort } from "./port.js";
import type { SceneReport } from "./protocol.js";

/** Predictions, wherever they are held. Calls are answered in order. */
export interface HeldReview {
	readonly shape: ReviewShape;
	/** Scores what is predicted in a scene. */
	lookAt(scene: SceneTracks): Promise<SceneReport>;
	/** Of a frame of the scene looked at last; empty where nothing is predicted. */
	lines(frame: number): Promise<PredictedLines>;
	/** Over as many scenes as it is given; of each measure the `most` worst. */
	ranking(most: number): HeldRanking;
	/** Frees its memory, once. */
	release(): void;
}

/** The worst of many scenes, which are added one by one. */
export interface HeldRanking {
	/** Whether anything is predicted at one of the times: other scenes need not be added. */
	wants(timestamps: BigInt64Array): Promise<boolean>;
	add(scene: number, tracks: SceneTracks): Promise<void>;
	report(): Promise<RankingReport>;
	/** Frees its memory, once. */
	release(): void;
}

/** What a review is held by. */
interface Holder {
	readonly port: ReviewPort;
	/** A number that no review and no ranking has. */
	readonly newId: () => number;
}

/** Nothing waits for these: a port that has failed told so before. */
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
