import type { AbortOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import type { SampleAt } from "../worker/protocol.js";
import type {
	Config,
	EgoSampleOptions,
	ImageForm,
	Rasterized,
	Vectorized,
} from "./options.js";
import type { Sample, VectorizedSample } from "./sample.js";
import { SampleDataset } from "./sample-dataset.js";
import type { Sampler } from "./sampler.js";

/**
 * The frames of a data set of samples; `scene` is set if they belong to a single scene.
 */
export interface Frames {
	readonly length: number;
	readonly scene: number | undefined;
}

/** Base of L5Kit's data sets of frames: one sample per frame. */
export class FrameSamples<S extends Disposable = Sample> extends SampleDataset<S> {
	readonly #frames: Frames;

	/** @internal */
	protected constructor(dataset: ChunkedDataset, sampler: Sampler, frames: Frames) {
		super(dataset, sampler);
		this.#frames = frames;
	}

	/** Number of frames in all scenes. */
	override get length(): number {
		return this.#frames.length;
	}

	/** Returns the indices of a scene's samples. */
	override async getSceneIndices(
		scene: number,
		options: AbortOptions = {},
	): Promise<number[]> {
		const [begin, end] = await this.#interval(scene, options);
		return Array.from({ length: end - begin }, (_, i) => begin + i);
	}

	/** Returns the indices of a frame's samples, which is the frame itself. */
	getFrameIndices(frame: number): number[] {
		if (Number.isInteger(frame) && frame >= 0 && frame < this.length) return [frame];
		throw new BevError(
			"out_of_range",
			`frame ${frame} is out of range (count ${this.length})`,
		);
	}

	/**
	 * Returns a data set of one scene: it is scene 0, and frames count from its first.
	 */
	async getSceneDataset(
		scene: number,
		options: AbortOptions = {},
	): Promise<FrameSamples<S>> {
		const [begin, end] = await this.#interval(scene, options);
		const index = this.#frames.scene ?? scene;
		const sampler = await this.sampler.ofScene(index, options);
		return new FrameSamples<S>(this.dataset, sampler, {
			length: end - begin,
			scene: index,
		});
	}

	/** @internal */
	protected override place(index: number): SampleAt {
		return { frame: index };
	}

	async #interval(
		scene: number,
		options: AbortOptions,
	): Promise<[begin: number, end: number]> {
		if (this.#frames.scene === undefined) {
			return frameInterval(this.dataset, scene, options);
		}
		if (scene === 0) return [0, this.length];
		throw new BevError("out_of_range", `scene ${scene} is out of range (count 1)`);
	}
}

/**
 * L5Kit's EgoDataset: one sample per frame, with numerically equal values.
 *
 * ```ts
 * const ego = await EgoDataset.create(config, dataset, { root: "https://host/" });
 * const { target_positions } = await ego.sample(123);
 * for await (const batch of ego.samples({ batch: 32, recycle: true })) feed(batch);
 * ```
 */
export class EgoDataset<S extends Disposable = Sample<"f32">> extends FrameSamples<S> {
	/** Rejects if the config is invalid, with the reason. */
	static async create<F extends ImageForm = "f32">(
		config: Config,
		dataset: ChunkedDataset,
		options?: EgoSampleOptions<F> & Rasterized,
	): Promise<EgoDataset<Sample<F>>>;
	/** Creates a data set of vectorized samples. */
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		options: EgoSampleOptions & Vectorized,
	): Promise<EgoDataset<VectorizedSample>>;
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		options: EgoSampleOptions = {},
	): Promise<EgoDataset<Disposable>> {
		const { Sampler } = await import("./sampler.js");
		const sampler = await Sampler.make(dataset, config, "ego", options);
		return new EgoDataset(dataset, sampler, await allFrames(dataset, options));
	}
}

/** Returns the frames of all scenes of a data set. */
export async function allFrames(
	dataset: ChunkedDataset,
	options: AbortOptions,
): Promise<Frames> {
	const last = dataset.scenes.length - 1;
	const [, end] = last < 0 ? [0, 0] : await frameInterval(dataset, last, options);
	return { length: end, scene: undefined };
}

/** Returns the frame interval of a scene. */
export async function frameInterval(
	dataset: ChunkedDataset,
	scene: number,
	{ signal }: AbortOptions,
): Promise<[begin: number, end: number]> {
	const fields = ["frame_index_interval"] as const;
	const rows = await dataset.scenes.take([scene], { fields, signal });
	const { data } = rows.column("frame_index_interval");
	return [Number(data[0]), Number(data[1])];
}
