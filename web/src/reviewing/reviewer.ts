import type { LoadOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import { type Arrays, Core, type Handle } from "../core/core.js";
import { LocalPort, type Port, WorkerPort } from "../core/port.js";
import { provided } from "../loading/embedded.js";
import { type OwnScript, startWorker } from "../loading/start-worker.js";
import type { ComparisonReport } from "../tools/comparison.js";
import { comparisonReportOf } from "../tools/reports.js";
import type { SceneTracks } from "../tools/review.js";
import { compileTools, type Predictions } from "../tools.js";
import { instantiate } from "../worker/core-module.js";
import { type Drawing, pixelsOf } from "./drawing.js";
import { type BytesFrom, isBytes, opened, piecesOf } from "./pieces.js";
import type {
	RankOptions,
	ReviewPair,
	RolloutInput,
	RolloutShape,
	RolloutTruth,
} from "./protocol.js";
import { RemoteDistribution } from "./remote-distribution.js";
import { type RangedFile, RemoteSubmission } from "./remote-futures.js";
import {
	PortRanking,
	PortReview,
	type RemoteRanking,
	type RemoteReview,
} from "./remote-review.js";
import { RemoteRollout } from "./remote-rollout.js";
import {
	readScoreTables,
	type ScoreFileKind,
	type ScoreTable,
	scoreFileKind,
} from "./remote-scores.js";

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
	inside: () => provided("reviewWorker"),
};

/** Reads and scores predictions without blocking the page. */
export class Reviewer {
	readonly #port: Port;
	/** The scene that reviews look at. */
	#scene: Promise<Handle<"ReviewScene">> | undefined;
	#rollout: Promise<RemoteRollout> | undefined;

	/** Starts in a worker if possible, otherwise on the page's thread, in small steps. */
	static async start(
		options: Pick<LoadOptions, "wasm" | "worker"> = {},
	): Promise<Reviewer> {
		const module = await compileTools(options.wasm);
		const { worker } = await startWorker(options.worker, REVIEW_WORKER);
		if (worker) return new Reviewer(new WorkerPort(worker, module, "predictions"));
		const core = new Core(await instantiate(module));
		const draw = (_core: Core, task: unknown) => pixelsOf(task as Drawing);
		return new Reviewer(new LocalPort(core, draw, "predictions"));
	}

	constructor(port: Port) {
		this.#port = port;
	}

	/**
	 * Reads L5Kit's CSV in pieces, or takes arrays.
	 *
	 * Rejects with `signal.reason` when aborted, otherwise with a BevError that names the
	 * invalid line; `limit_exceeded` for more than 1 GiB of predictions in all open sets.
	 */
	async read(
		from: BytesFrom | Predictions,
		options: ReadOptions,
	): Promise<RemoteReview> {
		const { signal } = options;
		const port = this.#port;
		signal.throwIfAborted();
		let review: Handle<"Review"> | undefined;
		try {
			review = isBytes(from)
				? await this.#parse(from, options)
				: await port.run("review_of", { ...from, weights: from.confidences });
			signal.throwIfAborted();
			const shape = await port.run("review_shape", { review });
			signal.throwIfAborted();
			return new PortReview(port, review, shape, () => this.#looked());
		} catch (error) {
			if (review !== undefined) port.release(review);
			signal.throwIfAborted();
			throw error;
		}
	}

	/** Sets the scene that `RemoteReview.score` refers to. */
	async look(tracks: SceneTracks): Promise<void> {
		const before = this.#scene;
		this.#scene = this.#port.run("review_scene", tracks);
		// Reviews that look at it continue first, in the order of their calls.
		before?.then(
			(scene) => this.#port.release(scene),
			() => {},
		);
		await this.#scene;
	}

	/** Compares two reviews that have scored the same scene; `scene` is its index. */
	async compare(
		[a, b]: ReviewPair,
		scene: number,
		most: number,
	): Promise<ComparisonReport> {
		const given = { scene, a, b, most };
		return comparisonReportOf(await this.#port.run("compare_scene", given));
	}

	/**
	 * Starts a ranking over several scenes; it reports the `most` worst by each measure.
	 *
	 * @param pair two of the reviews, to be compared
	 */
	ranking(
		reviews: readonly RemoteReview[],
		{
			pair,
			most = 0,
			counting,
			distribution,
		}: Partial<Omit<RankOptions, "reviews">> = {},
	): RemoteRanking {
		const ids = reviews.map(({ id }) => id);
		const options = { reviews: ids, pair, most, counting, distribution };
		return new PortRanking(this.#port, options);
	}

	/** Makes an empty table: of predictions, or with these columns. */
	distribution(
		columns?: readonly (readonly [name: string, categories: number])[],
	): Promise<RemoteDistribution> {
		if (columns) return RemoteDistribution.of(this.#port, columns);
		return RemoteDistribution.ofPredictions(this.#port);
	}

	/** Takes a rollout in place of the previous one. Rejects with a BevError. */
	async rollout(from: RolloutInput): Promise<RolloutShape> {
		const before = this.#rollout;
		const rollout = RemoteRollout.read(this.#port, from);
		this.#rollout = rollout; // the last one asked for, in whatever order they are read
		before?.then(
			(one) => one.release(),
			() => {},
		);
		return (await rollout).shape;
	}

	/** Compares a scene of the rollout with the recorded one. */
	async compareRollout(truth: RolloutTruth): Promise<Arrays> {
		if (this.#rollout) return (await this.#rollout).compare(truth);
		throw new BevError("invalid_argument", "rollout: none");
	}

	/** Returns the rollout as a file: docs/rollouts.md. */
	async writeRollout(name: string): Promise<string> {
		if (this.#rollout) return (await this.#rollout).write(name);
		throw new BevError("invalid_argument", "rollout: none");
	}

	/** Indexes the files of a submission. Rejects with a BevError. */
	submission(
		files: readonly RangedFile[],
		options: { signal: AbortSignal; onProgress?: (of: number) => void },
	): Promise<RemoteSubmission> {
		return RemoteSubmission.open(this.#port, files, options);
	}

	/** Returns what a file of scores has; "" for other files. */
	scoreFileKind(file: Blob): Promise<ScoreFileKind> {
		return scoreFileKind(this.#port, file);
	}

	/** Reads files of scores. Rejects with a BevError. */
	scoreTables(files: readonly File[]): Promise<readonly ScoreTable[]> {
		return readScoreTables(this.#port, files);
	}

	/** Returns the pixels of a drawing, made in the worker. The caller closes them. */
	draw(drawing: Drawing): Promise<ImageBitmap> {
		return this.#port.task(drawing) as Promise<ImageBitmap>;
	}

	/** Frees everything; pending calls reject. */
	close(): void {
		this.#port.close();
	}

	#looked(): Promise<Handle<"ReviewScene">> {
		if (this.#scene) return this.#scene;
		throw new BevError("invalid_argument", "predictions: no scene");
	}

	async #parse(
		from: BytesFrom,
		{ name, signal, onProgress }: ReadOptions,
	): Promise<Handle<"Review">> {
		const port = this.#port;
		const { stream, all } = opened(from);
		let bytes = 0;
		onProgress(bytes, all);
		const reader = await port.run("prediction_reader", { name });
		try {
			for await (const piece of piecesOf(stream, signal)) {
				await port.run("add_predictions", { reader, piece });
				bytes += piece.length;
				// A length that turns out too small counted compressed bytes.
				onProgress(bytes, all !== undefined && bytes <= all ? all : undefined);
			}
			return await port.run("finish_predictions", { reader });
		} finally {
			port.release(reader);
		}
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
