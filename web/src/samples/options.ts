import type { AbortOptions, ObjectFrom } from "../api.js";
import type { WithFormer } from "../base/names.js";
import type { Source } from "../source/source.js";
import type { Pixels, Progress } from "../worker/protocol.js";

/** L5Kit's config as an object or JSON text. For YAML see `bevscope/yaml`. */
export type Config = Readonly<Record<string, unknown>> | string;

/**
 * Form of `image`. `f32`: L5Kit's (C, h, w), 0 to 1. `u8`: 255 times that, as bytes.
 * `rgba`: the rendered colours. `none`: no image.
 */
export type ImageForm = "f32" | "u8" | "rgba" | "none";

/** Options of a data set of samples. */
export interface SampleOptions<F extends ImageForm = ImageForm> extends AbortOptions {
	/**
	 * Base of the config's map keys: a URL or a source, like L5Kit's L5KIT_DATA_FOLDER.
	 */
	root?: string | URL | Source | undefined;
	/**
	 * Objects that override the config and the root: the map's protobuf, its meta.json,
	 * the aerial image.
	 */
	map?: ObjectFrom | undefined;
	/** The map's `meta.json`, instead of the config's file. */
	meta?: ObjectFrom | undefined;
	/** The aerial image, instead of the config's file. */
	aerial?: ObjectFrom | Pixels | undefined;
	/** L5Kit's vectorized samples instead of rasterized ones. Default false. */
	vectorized?: boolean | undefined;
	/** Default f32. */
	image?: F | undefined;
}

/** Options that select vectorized samples. */
export interface Vectorized {
	/** L5Kit's vectorized samples instead of rasterized ones. */
	vectorized: true;
}

/** Options that select rasterized samples. */
export interface Rasterized {
	/** L5Kit's vectorized samples instead of rasterized ones. */
	vectorized?: false | undefined;
}

/** L5Kit's AckermanPerturbation with offsets drawn by its GaussianRandomGenerator. */
export interface Perturbation {
	/** L5Kit's perturbation with a kinematically feasible path. */
	readonly kind: "ackerman";
	/** Probability that a sample is perturbed, 0 to 1. Default 1. */
	readonly probability?: number | undefined;
	/** Mean offset: metres to the left, metres ahead, radians. Default 0. */
	readonly mean?: readonly [lateral: number, longitudinal: number, yaw: number];
	/** Standard deviations. Default 0. */
	readonly deviation?: readonly [lateral: number, longitudinal: number, yaw: number];
	/** Seed of the decision whether to perturb a sample (`np.random.seed`). Default 0. */
	readonly seed?: number | undefined;
	/** Seed of the offsets (the generator's). Default 0. */
	readonly offsetSeed?: number | undefined;
	/**
	 * A future shorter than this gets no lateral and no yaw offset. Metres. Default 0.
	 */
	readonly minDisplacement?: number | undefined;
}

/** Options of a data set of ego samples. */
export interface EgoSampleOptions<F extends ImageForm = ImageForm>
	extends SampleOptions<F> {
	/** Perturbs samples with a complete future, in the order of requests. */
	perturbation?: WithFormer<Perturbation> | undefined;
}

/** Number of rejected agents by reason, counted like L5Kit. */
export type SelectionReport = Readonly<Record<SelectionCount, number>>;
/** Counts of a selection: one per reason of rejection, and the totals. */
export type SelectionCount =
	| "agent_filter_probability_threshold"
	| "av_distance"
	| "hole"
	| "yaw"
	| "extent"
	| "total_reject"
	| "total_agent_frames";

/** Options of a single sample. */
export interface PictureOptions extends AbortOptions {
	/** For `image: "rgba"`: shows only this channel, in grey. Default: all channels. */
	channel?: number | undefined;
}

/**
 * One value per agent, non-zero for items; or (n, 2): each agent's number of past and
 * future frames.
 */
export type AgentsMask = Uint8Array | Uint32Array;

/** Minimum number of visible past and future frames of an agent. */
export interface FrameMinima {
	/** Minimum number of visible past frames. Default 10. */
	minFrameHistory?: number | undefined;
	/** Minimum number of visible future frames. Default 1. */
	minFrameFuture?: number | undefined;
}

/** Limits of an agent's motion from frame to frame; the defaults are L5Kit's. */
export interface MotionLimits {
	/** Between consecutive frames, degrees. */
	maxYawStepDeg?: number | undefined;
	/** Ratio of areas between consecutive frames. */
	maxExtentRatio?: number | undefined;
	/** Metres. */
	maxDistanceToEgo?: number | undefined;
}

/** Conditions for selecting an agent. Defaults are L5Kit's. */
export interface SelectionRules extends MotionLimits {
	/** Lower bound, exclusive, of the sum of known classes' probabilities. */
	labelThreshold?: number | undefined;
}

/** Options of a data set of agent samples, also by their former names. */
export interface AgentSampleOptions<F extends ImageForm = ImageForm>
	extends SampleOptions<F>,
		WithFormer<FrameMinima & MotionLimits> {
	/**
	 * Overrides the mask that the data set contains for the config or that is computed.
	 */
	mask?: AgentsMask | undefined;
}

/** Options of indexing agents. */
export interface IndexOptions extends AbortOptions {
	/** Receives the number of agents examined, and the total. */
	onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of a sequence of samples. */
export interface SamplesOptions extends AbortOptions {
	/** Indices of the samples, in this order. Default: all. */
	indices?: Iterable<number> | undefined;
	/** Scenes whose samples to return, instead of `indices`. */
	scenes?: Iterable<number> | undefined;
	/** Batch size: each array gets a leading dimension. The last batch may be smaller. */
	batch?: number | undefined;
	/** Number of samples or batches to compute ahead. Default 2. */
	prefetch?: number | undefined;
	/**
	 * Whether the samples are consecutive in the data set. If so, whole chunks are read,
	 * otherwise only the ranges each sample needs. Default: true without `indices`.
	 */
	sequential?: boolean | undefined;
	/**
	 * Recycles the memory of each sample when the next is requested; its arrays are empty
	 * then.
	 */
	recycle?: boolean | undefined;
}

export function jsonOf(config: Config): string {
	return typeof config === "string" ? config : JSON.stringify(config);
}
