import type { Handle } from "../core/door.js";
import type { Port } from "../core/port.js";
import {
	comparisonReportOf,
	linesOf,
	rankingReportOf,
	reviewReportOf,
} from "../tools/reports.js";
import type { SceneTracks } from "../tools/review.js";
import type { Counting, PredictedLines, ReviewShape } from "../tools/scores.js";
import {
	MAX_ROWS,
	type RankedReport,
	type RankOptions,
	type SceneReport,
} from "./protocol.js";

/** Predictions held in a worker or in this thread. Calls are answered in order. */
export interface HeldReview {
	/** Names the review in calls of its `Reviewer`. */
	readonly id: Handle<"Review">;
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

export class PortReview implements HeldReview {
	readonly id: Handle<"Review">;
	readonly shape: ReviewShape;
	readonly #port: Port;
	readonly #scene: () => Promise<Handle<"ReviewScene">>;

	constructor(
		port: Port,
		id: Handle<"Review">,
		shape: ReviewShape,
		scene: () => Promise<Handle<"ReviewScene">>,
	) {
		this.#port = port;
		this.id = id;
		this.shape = shape;
		this.#scene = scene;
	}

	async score(counting: Counting): Promise<SceneReport> {
		const review = this.id;
		const scene = await this.#scene();
		// Both at once: nothing else may come between.
		const [, arrays] = await Promise.all([
			this.#port.run("set_counting", { review, counting }),
			this.#port.run("review", { review, scene, most: MAX_ROWS }),
		]);
		const { rows, ...report } = reviewReportOf(arrays);
		return { count: rows.length, ...report };
	}

	async lines(frame: number): Promise<PredictedLines> {
		return linesOf(await this.#port.run("review_lines", { review: this.id, frame }));
	}

	release(): void {
		this.#port.release(this.id);
	}
}

/** Ranks several models over the same scenes, and compares two of them. */
export class PortRanking implements HeldRanking {
	readonly #port: Port;
	readonly #options: RankOptions;
	readonly #rankings: Promise<readonly Handle<"Ranking">[]>;
	readonly #comparison: Promise<Handle<"Comparison"> | undefined>;

	constructor(port: Port, options: RankOptions) {
		const { reviews, pair, most, counting } = options;
		this.#port = port;
		this.#options = options;
		const rankings = reviews.map((review) => {
			if (counting) port.run("set_counting", { review, counting }).catch(() => {});
			return port.run("ranking", { review, most });
		});
		this.#rankings = Promise.all(rankings);
		this.#comparison = pair ? port.run("comparison", {}) : Promise.resolve(undefined);
		this.#rankings.catch(() => {}); // every call reports it
		this.#comparison.catch(() => {});
	}

	async wants(timestamps: BigInt64Array): Promise<boolean> {
		const wanted = await this.#each((ranking) =>
			this.#port.run("ranking_wants", { ranking, timestamps }),
		);
		return wanted.includes(true);
	}

	async add(scene: number, from: SceneTracks): Promise<void> {
		const port = this.#port;
		const tracks = await port.run("review_scene", from);
		try {
			await this.#each((ranking) => port.run("rank_scene", { ranking, scene, tracks }));
			const [comparison, [a, b]] = [await this.#comparison, await this.#pair()];
			if (comparison === undefined || a === undefined || b === undefined) return;
			await port.run("compare_rankings", { comparison, scene, a, b });
		} finally {
			port.release(tracks);
		}
	}

	async report(): Promise<RankedReport> {
		const port = this.#port;
		const models = await this.#each((ranking) =>
			port.run("ranking_report", { ranking }),
		);
		const comparison = await this.#comparison;
		const { most } = this.#options;
		return {
			models: models.map(rankingReportOf),
			comparison:
				comparison === undefined
					? undefined
					: comparisonReportOf(
							await port.run("comparison_report", { comparison, most }),
						),
		};
	}

	async lines(frame: number): Promise<readonly PredictedLines[]> {
		const lines = await this.#each((ranking) =>
			this.#port.run("ranking_lines", { ranking, frame }),
		);
		return lines.map(linesOf);
	}

	release(): void {
		const free = (id: number | undefined): void => {
			if (id !== undefined) this.#port.release(id);
		};
		this.#rankings.then(
			(all) => all.forEach(free),
			() => {},
		);
		this.#comparison.then(free, () => {});
	}

	async #each<T>(call: (ranking: Handle<"Ranking">) => Promise<T>): Promise<T[]> {
		return Promise.all((await this.#rankings).map(call));
	}

	async #pair(): Promise<readonly (Handle<"Ranking"> | undefined)[]> {
		const { reviews, pair = [] } = this.#options;
		const rankings = await this.#rankings;
		return pair.map((id) => rankings[reviews.indexOf(id)]);
	}
}
