import type { AbortOptions } from "../api.js";
import { check } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import { clientOf } from "../worker/client.js";
import type { AgentItems } from "./agent-items.js";
import { allFrames, FrameSamples, type Frames } from "./ego-dataset.js";
import {
	type AgentSampleOptions,
	type Config,
	type EgoSampleOptions,
	type IndexOptions,
	jsonOf,
} from "./options.js";
import type { EgoAgentSample, VectorizedSample } from "./sample.js";
import type { Sampler } from "./sampler.js";

/** L5Kit's EgoDatasetVectorized: one vectorized sample per frame. */
export class EgoDatasetVectorized extends FrameSamples<VectorizedSample> {
	/** Creates a data set of samples; rejects if the config is invalid. */
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		options: EgoSampleOptions = {},
	): Promise<EgoDatasetVectorized> {
		const vectorized = { ...options, vectorized: true };
		const { Sampler } = await import("./sampler.js");
		const sampler = await Sampler.make(dataset, config, "ego", vectorized);
		const frames = await allFrames(dataset, options);
		return new EgoDatasetVectorized(dataset, sampler, frames);
	}
}

/** Options of `EgoAgentDatasetVectorized`. */
export interface EgoAgentOptions
	extends Omit<AgentSampleOptions, "vectorized" | "image"> {
	/** One sample per scene, at frame 99, with the tracks of the mask's agents. */
	evalMode?: boolean | undefined;
	/** Progress of the agent selection, which `evalMode` runs if there is no mask. */
	onProgress?: IndexOptions["onProgress"];
}

/**
 * L5Kit's EgoAgentDatasetVectorized: the ego vehicle's view, in which the ego vehicle
 * is the first of the surrounding agents.
 */
export class EgoAgentDatasetVectorized extends FrameSamples<EgoAgentSample> {
	readonly #items: AgentItems | undefined;

	/** Creates a data set of samples; rejects if the config is invalid. */
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		{ evalMode = false, ...options }: EgoAgentOptions = {},
	): Promise<EgoAgentDatasetVectorized> {
		check("samples: evalMode", evalMode, "flag");
		const { client } = clientOf(dataset);
		const { AgentItems, Sampler } = await import("./sampler.js");
		const items = evalMode
			? await AgentItems.find(client, jsonOf(config), options, options)
			: undefined;
		const vectorized = { ...options, vectorized: true };
		const sampler = await Sampler.make(dataset, config, "ego_agent", vectorized, items);
		const frames = evalMode
			? { length: dataset.scenes.length, scene: undefined }
			: await allFrames(dataset, options);
		return new EgoAgentDatasetVectorized(dataset, sampler, frames, items);
	}

	private constructor(
		dataset: ChunkedDataset,
		sampler: Sampler,
		frames: Frames,
		items: AgentItems | undefined,
	) {
		super(dataset, sampler, frames);
		this.#items = items;
	}

	/** In `evalMode`, returns the scene itself. */
	override async getSceneIndices(
		scene: number,
		options: AbortOptions = {},
	): Promise<number[]> {
		if (!this.#items) return super.getSceneIndices(scene, options);
		return this.getFrameIndices(scene);
	}

	/** Returns the samples of one scene, as L5Kit's method of this name. */
	override async getSceneDataset(
		scene: number,
		options: AbortOptions = {},
	): Promise<FrameSamples<EgoAgentSample>> {
		if (!this.#items) return super.getSceneDataset(scene, options);
		throw new BevError(
			"unsupported",
			"vectorized: unsupported data set (found scenes, expected frames)",
		);
	}

	/** Frees what the data set keeps in the engine. */
	override close(): void {
		super.close();
		this.#items?.free();
	}
}
