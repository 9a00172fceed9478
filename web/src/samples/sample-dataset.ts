import "../dispose.js";
import type { AbortOptions } from "../api.js";
import type { ChunkedDataset } from "../dataset.js";
import type { SampleAt } from "../worker/protocol.js";
import type { PictureOptions, SamplesOptions } from "./options.js";
import type { Sample } from "./sample.js";
import type { Sampler } from "./sampler.js";

/** What L5Kit's data sets have in common: items with a sample each, in scenes. */
export abstract class SampleDataset implements Disposable {
	readonly dataset: ChunkedDataset;
	readonly #sampler: Sampler;

	protected constructor(dataset: ChunkedDataset, sampler: Sampler) {
		this.dataset = dataset;
		this.#sampler = sampler;
	}

	/** How many items there are. */
	abstract get length(): number;

	/** A scene's items. */
	abstract getSceneIndices(scene: number, options?: AbortOptions): Promise<number[]>;

	/** Where an item's sample is; throws for one that is not there. */
	protected abstract place(item: number): SampleAt;

	/** The sample of an item; negative ones count from the end. */
	async sample(item: number, options: PictureOptions = {}): Promise<Sample> {
		return this.#sampler.sample(this.place(item), options);
	}

	/** What the channels of `image` are, in words: `agents, now`, `map, red`. */
	get channels(): readonly string[] {
		return this.#sampler.channels;
	}

	/** Of frame `state` of a scene: a track's sample, or the ego vehicle's. */
	getFrame(
		scene: number,
		state: number,
		track?: bigint,
		options: PictureOptions = {},
	): Promise<Sample> {
		return this.#sampler.sample({ scene, state, track }, options);
	}

	/** Reads what `sample` would need, when nothing else wants to read. */
	async prefetch(item: number, options: AbortOptions = {}): Promise<void> {
		await this.#sampler.prefetch(this.place(item), options);
	}

	/** Samples, or batches of them, in order. */
	samples(options: SamplesOptions = {}): AsyncGenerator<Sample, void, undefined> {
		return this.#sampler.iterate(this.#places(options), options);
	}

	/** Frees what samples were made with; the data set stays open. */
	close(): void {
		this.#sampler.close();
	}

	[Symbol.dispose](): void {
		this.close();
	}

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
