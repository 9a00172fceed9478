import type { LoadOptions } from "../api.js";
import type { ComparisonReport } from "../comparison.js";
import type { CoreArray } from "../core.js";
import { provided } from "../loading/embedded.js";
import { type OwnScript, startWorker } from "../loading/start-worker.js";
import type { ReviewShape, SceneTracks } from "../review.js";
import { compileTools, type Predictions } from "../tools.js";
import createTools from "../wasm/bev_tools.mjs";
import { instantiateWith } from "../worker/wasm-module.js";
import type { Drawing } from "./drawing.js";
import {
	type HeldRanking,
	type HeldReview,
	PortRanking,
	PortReview,
} from "./held-review.js";
import { type BytesFrom, isBytes, opened, piecesOf } from "./pieces.js";
import { LocalPort, type ReviewPort, WorkerPort } from "./port.js";
import type {
	RankOptions,
	ReviewPair,
	RolloutInput,
	RolloutShape,
	RolloutTruth,
} from "./protocol.js";
import { ReviewService } from "./service.js";

/** Options of a read. */
export interface ReadOptions {
	/** Name of the predictions in messages. */
	readonly name: string;
	/** Aborts the read. */
	readonly signal: AbortSignal;
	/** Receives the bytes read, and the total if it is known. */
	readonly onProgress: (bytes: number, all: number | undefined) => void;
}

const REVIEW_WORKER: OwnScript = {
	file: "reviewWorker",
	address: ownScript,
	inside: () => provided()?.reviewWorker,
};

/** Reads and scores predictions without blocking the page. */
export class Reviewer {
	readonly #port: ReviewPort;
	#nextId = 0;

	/** Starts in a worker if possible, otherwise on the page's thread, in small steps. */
	static async start(
		options: Pick<LoadOptions, "wasm" | "worker"> = {},
	): Promise<Reviewer> {
		const module = await compileTools(options.wasm);
		const { worker } = await startWorker(options.worker, REVIEW_WORKER);
		if (worker) return new Reviewer(new WorkerPort(worker, module));
		const core = await instantiateWith(createTools, module);
		return new Reviewer(new LocalPort(new ReviewService(core)));
	}

	constructor(port: ReviewPort) {
		this.#port = port;
	}

	/**
	 * Reads L5Kit's CSV in pieces, or takes arrays.
	 *
	 * Rejects with `signal.reason` when aborted, otherwise with a BevError that names the
	 * invalid line; `limit_exceeded` for more than 1 GiB of predictions in all open sets.
	 */
	async read(from: BytesFrom | Predictions, options: ReadOptions): Promise<HeldReview> {
		const { signal } = options;
		const port = this.#port;
		const review = this.#nextId++;
		try {
			signal.throwIfAborted();
			const shape = isBytes(from)
				? await this.#parse(review, from, options)
				: await port.call({ kind: "arrays", review, predictions: from });
			signal.throwIfAborted();
			return new PortReview(port, review, shape);
		} catch (error) {
			port.call({ kind: "release", review }).catch(() => {}); // the port itself failed
			signal.throwIfAborted();
			throw error;
		}
	}

	/** Sets the scene that `HeldReview.score` refers to. */
	look(tracks: SceneTracks): Promise<void> {
		return this.#port.call({ kind: "look", tracks });
	}

	/** Compares two reviews that have scored the same scene; `scene` is its index. */
	compare(pair: ReviewPair, scene: number, most: number): Promise<ComparisonReport> {
		return this.#port.call({ kind: "compare", pair, scene, most });
	}

	/**
	 * Starts a ranking over several scenes; it reports the `most` worst by each measure.
	 *
	 * @param pair two of the reviews, to be compared
	 */
	ranking(
		reviews: readonly HeldReview[],
		{ pair, most = 0, counting }: Partial<Omit<RankOptions, "reviews">> = {},
	): HeldRanking {
		const options = { reviews: reviews.map(({ id }) => id), pair, most, counting };
		return new PortRanking(this.#port, this.#nextId++, options);
	}

	/** Takes a rollout in place of the previous one. Rejects with a BevError. */
	rollout(from: RolloutInput): Promise<RolloutShape> {
		return this.#port.call({ kind: "rollout", from });
	}

	/** Compares a scene of the rollout with the recorded one. */
	compareRollout(truth: RolloutTruth): Promise<readonly CoreArray[]> {
		return this.#port.call({ kind: "compareRollout", ...truth });
	}

	/** Returns the pixels of a drawing, made in the worker. The caller closes them. */
	draw(drawing: Drawing): Promise<ImageBitmap> {
		return this.#port.call({ kind: "draw", drawing });
	}

	/** Frees everything; pending calls reject. */
	close(): void {
		this.#port.close();
	}

	async #parse(
		review: number,
		from: BytesFrom,
		{ name, signal, onProgress }: ReadOptions,
	): Promise<ReviewShape> {
		const { stream, all } = opened(from);
		let bytes = 0;
		onProgress(bytes, all);
		await this.#port.call({ kind: "begin", review, name });
		for await (const piece of piecesOf(stream, signal)) {
			await this.#port.call({ kind: "piece", review, bytes: piece });
			bytes += piece.length;
			// A length that turns out too small counted compressed bytes.
			onProgress(bytes, all !== undefined && bytes <= all ? all : undefined);
		}
		return this.#port.call({ kind: "finish", review });
	}
}

/** See `ownScript` in start-worker.ts: bundlers look for exactly this expression. */
function ownScript(): URL {
	class Worker {
		constructor(
			readonly url: URL,
			_options: WorkerOptions,
		) {}
	}
	return new Worker(new URL("../review-worker.js", import.meta.url), {
		type: "module",
	}).url;
}
