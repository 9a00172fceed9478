import type { AbortOptions, ObjectFrom } from "../api.js";
import type { CoreMinima, CorePerturbation, CoreSelectionRules } from "../core.js";
import type { Source } from "../source/source.js";
import type { Pixels } from "../worker/protocol.js";

/** L5Kit's config as it is, or its JSON. For YAML see `bevscope/yaml`. */
export type Config = Readonly<Record<string, unknown>> | string;

/** How `image` comes: L5Kit's f32 (C, h, w) of 0 to 1, 255 times that as bytes, as one sees it, or not at all. */
export type ImageForm = "f32" | "u8" | "rgba" | "none";

export interface SampleOptions extends AbortOptions {
	/** What the config's keys of maps are below: an address or a source, as L5Kit's L5KIT_DATA_FOLDER. */
	root?: string | URL | Source | undefined;
	/** In place of what the config and the root say: the map's protobuf, its meta.json, the aerial image. */
	map?: ObjectFrom | undefined;
	meta?: ObjectFrom | undefined;
	aerial?: ObjectFrom | Pixels | undefined;
	/** L5Kit's vectorized samples in place of rasterized ones. Default false. */
	vectorized?: boolean | undefined;
	/** Default f32. */
	image?: ImageForm | undefined;
}

/** L5Kit's AckermanPerturbation, of offsets drawn as its GaussianRandomGenerator does. */
export interface Perturbation {
	readonly kind: "ackerman";
	/** Of a sample being perturbed, 0 to 1. Default 1. */
	readonly probability?: number | undefined;
	/** Metres to the left, metres ahead, radians. Default 0. */
	readonly mean?: readonly [lateral: number, longitudinal: number, yaw: number];
	/** Standard deviations. Default 0. */
	readonly deviation?: readonly [lateral: number, longitudinal: number, yaw: number];
	/** Of whether a sample is perturbed: `np.random.seed`. Default 0. */
	readonly seed?: number | undefined;
	/** Of by how much: the generator's. Default 0. */
	readonly offset_seed?: number | undefined;
	/** A future shorter than this takes no lateral offset and none of yaw. Default 0. */
	readonly min_displacement?: number | undefined;
}

export interface EgoSampleOptions extends SampleOptions {
	/** Perturbs samples whose future is complete, in the order in which they are asked for. */
	perturbation?: Perturbation | undefined;
}

/** What a selection of agents left out, and why, as L5Kit counts it. */
export type SelectionReport = Readonly<Record<SelectionCount, number>>;
export type SelectionCount =
	| "agent_filter_probability_threshold"
	| "av_distance"
	| "hole"
	| "yaw"
	| "extent"
	| "total_reject"
	| "total_agent_frames";

export interface PictureOptions extends AbortOptions {
	/** Of `image: "rgba"`: this channel alone, in grey. Default: all, as one sees them. */
	channel?: number | undefined;
}

/** One value an agent, all but 0 counting; or (n, 2): past and future frames of every agent. */
export type AgentsMask = Uint8Array | Uint32Array;

export interface AgentSampleOptions
	extends SampleOptions,
		CoreMinima,
		Omit<CoreSelectionRules, "label_threshold"> {
	/** In place of the one that the data set holds for the config, or else is computed. */
	mask?: AgentsMask | undefined;
}

export interface IndexOptions extends AbortOptions {
	/** Agents looked at, of all. */
	onProgress?: ((progress: { done: number; of: number }) => void) | undefined;
}

export interface SamplesOptions extends AbortOptions {
	/** Which samples, in this order. Default: all. */
	indices?: Iterable<number> | undefined;
	/** Those of these scenes, in place of `indices`. */
	scenes?: Iterable<number> | undefined;
	/** Samples in one: every array gets a dimension in front. The last may have fewer. */
	batch?: number | undefined;
	/** How many samples or batches are read and made ahead. Default 2. */
	prefetch?: number | undefined;
	/**
	 * Whether they follow each other in the data set: chunks are then read whole, else only
	 * what each takes. Default: true without `indices`.
	 */
	sequential?: boolean | undefined;
	/** Takes each one's memory back when the next is asked for: its arrays are empty then. */
	recycle?: boolean | undefined;
}

export function jsonOf(config: Config): string {
	return typeof config === "string" ? config : JSON.stringify(config);
}

/** What the core is told of a perturbation. */
export function perturbationOf({ perturbation }: EgoSampleOptions): {
	perturbation?: CorePerturbation;
} {
	if (!perturbation) return {};
	const { kind: _, mean = [0, 0, 0], deviation = [0, 0, 0], ...rest } = perturbation;
	const defined = Object.entries(rest).filter(([, value]) => value !== undefined);
	return {
		perturbation: {
			...(Object.fromEntries(defined) as Omit<CorePerturbation, "mean" | "deviation">),
			mean: Float64Array.from(mean),
			deviation: Float64Array.from(deviation),
		},
	};
}
