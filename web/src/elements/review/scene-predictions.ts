import type { RemoteRanking } from "../../reviewing/remote-review.js";
import type { PredictedLines } from "../../tools/review.js";
import type { ViewerDataset } from "../session/dataset.js";
import { sceneTracks } from "./scene-tracks.js";

/**
 * Predictions of models in any scene, without changing the scene that they are scored
 * in. Calls must not overlap.
 */
export class ScenePredictions {
	readonly #dataset: ViewerDataset;
	readonly #ranking: RemoteRanking;
	#scene: number | undefined;

	constructor(dataset: ViewerDataset, ranking: RemoteRanking) {
		this.#dataset = dataset;
		this.#ranking = ranking;
	}

	/** Returns each model's predictions of a frame. Reads a scene once in a row. */
	async lines(
		scene: number,
		frame: number,
		signal: AbortSignal,
	): Promise<readonly PredictedLines[]> {
		if (this.#scene !== scene) {
			this.#scene = undefined;
			const tracks = await sceneTracks(this.#dataset, scene, signal);
			signal.throwIfAborted();
			await this.#ranking.add(scene, tracks);
			this.#scene = scene;
		}
		return this.#ranking.lines(frame);
	}

	/** Frees the memory. */
	close(): void {
		this.#ranking.release();
	}
}
