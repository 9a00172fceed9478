import "../base/dispose.js";
import type { AbortOptions } from "../api.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import type { SampleAt } from "../worker/protocol.js";
import type { PictureOptions, SamplesOptions } from "./options.js";
import type { Sample } from "./sample.js";
import type { Sampler } from "./sampler.js";

/**
 * Base of L5Kit's data sets: items with one sample each, grouped by scenes. `S` is the
 * type of the samples.
 */
export abstract class SampleDataset<S extends Disposable = Sample>
	implements Disposable
{
	/** The data set that is sampled. */
	readonly dataset: ChunkedDataset;
	readonly #sampler: Sampler;

	/** @internal */
	protected constructor(dataset: ChunkedDataset, sampler: Sampler) {
		this.dataset = dataset;
		this.#sampler = sampler;
	}

	/** Number of items. */
	abstract get length(): number;

	/** Returns the items of a scene. */
	abstract getSceneIndices(scene: number, options?: AbortOptions): Promise<number[]>;

	/** @internal Returns the location of an item's sample. Throws if the item does not exist. */
	protected abstract place(item: number): SampleAt;

	/**
	 * Returns the sample of an item; negative items count from the end if the data set
	 * allows it.
	 */
	async sample(item: number, options: PictureOptions = {}): Promise<S> {
		return this.#sampler.sample<S>(this.place(item), options);
	}

	/** Descriptions of the channels of `image`, e.g. `agents, now`, `map, red`. */
	get channels(): readonly string[] {
		return this.#sampler.channels;
	}

	/**
	 * Returns the sample of a track in frame `state` of a scene; without a track, the ego
	 * vehicle's.
	 */
	getFrame(
		scene: number,
		state: number,
		track?: bigint,
		options: PictureOptions = {},
	): Promise<S> {
		return this.#sampler.sample<S>({ scene, state, track }, options);
	}

	/** Reads the chunks that `sample` needs, when no other read is waiting. */
	async prefetch(item: number, options: AbortOptions = {}): Promise<void> {
		await this.#sampler.prefetch(this.place(item), options);
	}

	/** Yields samples, or batches, in order. */
	samples(options: SamplesOptions = {}): AsyncGenerator<S, void, undefined> {
		return this.#sampler.iterate<S>(this.#places(options), options);
	}

	/** Frees the sampler and its maps; the data set stays open. */
	close(): void {
		this.#sampler.close();
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	/** @internal */
	protected get sampler(): Sampler {
		return this.#sampler;
	}

	async *#places(options: SamplesOptions): AsyncGenerator<SampleAt> {
		const { indices, scenes, signal } = options;
		if (scenes === undefined) {
			for (const item of indices ?? range(this.length)) yield this.place(item);
			return;
		}
		for (const scene of scenes) {
			const items = await this.getSceneIndices(scene, { signal });
			for (const item of items) yield this.place(item);
		}
	}
}

function* range(length: number): Generator<number> {
	for (let i = 0; i < length; i += 1) yield i;
}
