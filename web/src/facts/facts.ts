import type { AbortOptions } from "../api.js";
import { SharedTask } from "../base/shared-task.js";
import type { FactReading, FactsOf } from "./fact-reading.js";
import type { FactDescription, FactPart, FactTable } from "./fact-table.js";
import type { FactsOptions, FactsReadOptions } from "./options.js";
import type { SceneImageOptions } from "./scene-images.js";

/**
 * Facts of scenes or tracks, by which scenarios are found. See `ChunkedDataset.facts`.
 *
 * They are computed in the readers' worker, scene by scene, and kept: in memory, and in
 * the browser's storage if the source tells whether the data set has changed. Aborting
 * loses at most the facts of 16 scenes; the next call continues there.
 */
export class DatasetFacts {
	readonly #reading: SharedTask<FactReading>;

	/** @internal */
	constructor(of: FactsOf, options: FactsOptions) {
		this.#reading = new SharedTask(async () => {
			const { FactReading } = await import("./fact-reading.js");
			return new FactReading(of, options);
		});
	}

	/**
	 * Yields the rows that pass the filter, in the order of scenes; also parts without
	 * rows.
	 *
	 * @throws invalid_argument for an invalid filter, not_found for an unknown fact in it,
	 * with the column of its text
	 */
	async *parts(
		options: FactsReadOptions = {},
	): AsyncGenerator<FactPart, void, undefined> {
		yield* (await this.#reading.join()).parts(options);
	}

	/** Returns all rows that pass the filter. Rejects as `parts`. */
	async read(options: FactsReadOptions = {}): Promise<FactTable> {
		return (await this.#reading.join()).read(options);
	}

	/** Returns a scene's stored picture as PNG; see `sceneImage`. @internal */
	async image(
		scene: number,
		options: SceneImageOptions = {},
	): Promise<Uint8Array | undefined> {
		return (await this.#reading.join()).image(scene, options);
	}

	/** Returns names, types and units of all facts. */
	async describe(options: AbortOptions = {}): Promise<FactDescription> {
		return (await this.#reading.join()).describe(options);
	}
}
