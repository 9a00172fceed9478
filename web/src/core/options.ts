/** Statistics of the chunks in memory. */
export interface CoreCacheStats {
	/** Encoded bytes in memory. */
	readonly bytesHeld: number;
	/** Maximum of `bytesHeld`. */
	readonly byteBudget: number;
	/** Lookups of chunks that were in memory. */
	readonly hits: number;
	/** Lookups of chunks that were not. */
	readonly misses: number;
	/** Chunks removed for others. */
	readonly evictions: number;
}

/**
 * L5Kit's AckermanPerturbation; `mean` and `deviation` are (lateral, longitudinal,
 * yaw).
 */
export interface CorePerturbation {
	probability?: number;
	mean?: Float64Array;
	deviation?: Float64Array;
	seed?: number;
	offset_seed?: number;
	min_displacement?: number;
}

export interface CoreSampleOptions {
	/** L5Kit's config as JSON. */
	config: string;
	kind?: "ego" | "agent" | "ego_agent";
	image?: "none" | "f32" | "u8" | "rgba";
	vectorized?: boolean;
	eval?: boolean;
	/** Only this scene, as `get_scene_dataset` returns it. */
	scene?: number;
	perturbation?: CorePerturbation;
}

/** Conditions for selecting an agent; the defaults are L5Kit's. */
export interface CoreSelectionRules {
	/** Lower bound, exclusive, of the sum of known classes' probabilities. */
	label_threshold?: number;
	/** Between consecutive frames, degrees. */
	max_yaw_step_deg?: number;
	/** Ratio of areas between consecutive frames. */
	max_extent_ratio?: number;
	/** Metres. */
	max_distance_to_ego?: number;
}

/** Minimum number of visible past and future frames of an agent. Defaults 10 and 1. */
export interface CoreMinima {
	/** Minimum number of visible past frames. Default 10. */
	min_frame_history?: number;
	/** Minimum number of visible future frames. Default 1. */
	min_frame_future?: number;
}
