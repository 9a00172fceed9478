import "../dispose.js";
import type { AbortOptions } from "../api.js";
import type { ChunkedDataset } from "../dataset.js";
import { BevError } from "../errors.js";
import type { SampleAt } from "../worker/protocol.js";
import type { Config, SampleOptions, SamplesOptions } from "./options.js";
import type { Sample } from "./sample.js";
import { Sampler } from "./sampler.js";

/**
 * L5Kit's EgoDataset: a sample a frame, number for number.
 *
 * ```ts
 * const ego = await EgoDataset.create(config, dataset, { root: "https://host/" });
 * const { target_positions } = await ego.sample(123);
 * for await (const batch of ego.samples({ batch: 32, recycle: true })) feed(batch);
 * ```
 */
export class EgoDataset implements Disposable {
	readonly dataset: ChunkedDataset;
	/** Frames of all scenes. */
	readonly length: number;
	readonly #sampler: Sampler;

	/** Rejects with what is wrong with the config. */
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		options: SampleOptions = {},
	): Promise<EgoDataset> {
		const sampler = await Sampler.make(dataset, config, "ego", options);
		const last = dataset.scenes.length - 1;
		const [, end] = last < 0 ? [0, 0] : await frameInterval(dataset, last, options);
		return new EgoDataset(dataset, sampler, end);
	}

	private constructor(dataset: ChunkedDataset, sampler: Sampler, length: number) {
		this.dataset = dataset;
		this.length = length;
		this.#sampler = sampler;
	}

	/** The sample of a frame of the data set; negative ones count from the end. */
	sample(index: number, options: AbortOptions = {}): Promise<Sample> {
		return this.#sampler.sample({ frame: index }, options);
	}

	/** Of frame `state` of a scene: the ego vehicle's sample, or a track's. */
	getFrame(
		scene: number,
		state: number,
		track?: bigint,
		options: AbortOptions = {},
	): Promise<Sample> {
		return this.#sampler.sample({ scene, state, track }, options);
	}

	/** Reads what `sample` would need, when nothing else wants to read. */
	prefetch(index: number, options: AbortOptions = {}): Promise<void> {
		return this.#sampler.prefetch({ frame: index }, options);
	}

	/** Indices of a scene's samples. */
	async getSceneIndices(scene: number, options: AbortOptions = {}): Promise<number[]> {
		const [begin, end] = await frameInterval(this.dataset, scene, options);
		return Array.from({ length: end - begin }, (_, i) => begin + i);
	}

	/** Indices of the samples of a frame of the data set: the frame's own. */
	getFrameIndices(frame: number): number[] {
		if (Number.isInteger(frame) && frame >= 0 && frame < this.length) return [frame];
		throw new BevError("out_of_range", `frame ${frame}: there are ${this.length}`);
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

	async *#places(options: SamplesOptions): AsyncGenerator<SampleAt> {
		const { indices, scenes, signal } = options;
		if (scenes === undefined) {
			for (const frame of indices ?? range(this.length)) yield { frame };
			return;
		}
		for (const scene of scenes) {
			const frames = await this.getSceneIndices(scene, { signal });
			for (const frame of frames) yield { frame };
		}
	}
}

/** The frames of a scene. */
async function frameInterval(
	dataset: ChunkedDataset,
	scene: number,
	{ signal }: AbortOptions,
): Promise<[begin: number, end: number]> {
	const fields = ["frame_index_interval"];
	const rows = await dataset.scenes.take([scene], { fields, signal });
	const { data } = rows.column("frame_index_interval");
	return [Number(data[0]), Number(data[1])];
}

export function* range(length: number): Generator<number> {
	for (let i = 0; i < length; i += 1) yield i;
}
