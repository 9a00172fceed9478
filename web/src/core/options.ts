/** Statistics of the chunks in memory. */
export interface CacheStats {
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
