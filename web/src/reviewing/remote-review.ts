import type { Handle } from "../core/core.js";
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
	type KeptIn,
	MAX_ROWS,
	type RankedReport,
	type RankOptions,
	type SceneReport,
} from "./protocol.js";

/** Predictions held in a worker or in this thread. Calls are answered in order. */
export interface RemoteReview {
	/** Names the review in calls of its `Reviewer`. */
	readonly id: Handle<"Review">;
	readonly shape: ReviewShape;
	/** Scores the predictions of the scene last passed to `Reviewer.look`. */
	score(counting: Counting): Promise<SceneReport>;
	/**
	 * Returns the predictions of a frame of the scene that was scored last, or those that
	 * pass; empty if there are none.
	 */
	lines(frame: number, kept?: KeptIn): Promise<PredictedLines>;
	/** Frees the memory. Call it once. */
	release(): void;
}

/** The worst predictions of several scenes, which are added one by one. */
export interface RemoteRanking {
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

export class PortReview implements RemoteReview {
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

	async lines(frame: number, kept?: KeptIn): Promise<PredictedLines> {
		const given = { review: this.id, frame };
		if (!kept) return linesOf(await this.#port.run("review_lines", given));
		return linesOf(await this.#port.run("kept_lines", { ...given, ...kept }));
	}

	release(): void {
		this.#port.release(this.id);
	}
}

/** Ranks several models over the same scenes, and compares two of them. */
export class PortRanking implements RemoteRanking {
	readonly #port: Port;
	readonly #options: RankOptions;
	readonly #made: readonly Promise<Handle<"Ranking">>[];
	readonly #comparison: Promise<Handle<"Comparison"> | undefined>;

	constructor(port: Port, options: RankOptions) {
		const { reviews, pair, most, counting } = options;
		this.#port = port;
		this.#options = options;
		this.#made = reviews.map((review) => {
			if (counting) port.run("set_counting", { review, counting }).catch(() => {});
			return port.run("ranking", { review, most });
		});
		this.#comparison = pair ? port.run("comparison", {}) : Promise.resolve(undefined);
		// Every call reports it.
		for (const one of [...this.#made, this.#comparison]) one.catch(() => {});
	}

	async wants(timestamps: BigInt64Array): Promise<boolean> {
		const wanted = await this.#each((ranking) =>
			this.#port.run("ranking_wants", { ranking, timestamps }),
		);
		return wanted.includes(true);
	}

	async add(scene: number, from: SceneTracks): Promise<void> {
		const port = this.#port;
		const [tracks, rankings, comparison] = await Promise.all([
			port.run("review_scene", from),
			Promise.all(this.#made),
			this.#comparison,
		]);
		// All at once: of two scenes that are added, neither comes between.
		const done: Promise<unknown>[] = rankings.map((ranking) =>
			port.run("rank_scene", { ranking, scene, tracks }),
		);
		const { distribution: table } = this.#options;
		if (table !== undefined)
			rankings.forEach((ranking, model) => {
				done.push(port.run("distribute_ranked", { table, ranking, scene, model }));
			});
		const [a, b] = this.#pairOf(rankings);
		if (comparison !== undefined && a !== undefined && b !== undefined)
			done.push(port.run("compare_rankings", { comparison, scene, a, b }));
		port.release(tracks);
		await Promise.all(done);
	}

	async report(): Promise<RankedReport> {
		const port = this.#port;
		// As each arrives, not all at once: they are long lists.
		const models = await this.#each(async (ranking) =>
			rankingReportOf(await port.run("ranking_report", { ranking })),
		);
		const comparison = await this.#comparison;
		const { most } = this.#options;
		return {
			models,
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
		for (const one of this.#made) one.then(free, () => {});
		this.#comparison.then(free, () => {});
	}

	async #each<T>(call: (ranking: Handle<"Ranking">) => Promise<T>): Promise<T[]> {
		return Promise.all((await Promise.all(this.#made)).map(call));
	}

	#pairOf(rankings: readonly Handle<"Ranking">[]) {
		const { reviews, pair = [] } = this.#options;
		return pair.map((id) => rankings[reviews.indexOf(id)]);
	}
}
