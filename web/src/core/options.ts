export interface CoreRows {
	array: string;
	begin?: number | undefined;
	end?: number | undefined;
	step?: number | undefined;
	indices?: Float64Array;
	/** One byte per row; selects the rows whose byte is not 0. */
	mask?: Uint8Array;
	/**
	 * Instead of rows, four numbers per axis: begin, end, step, index; NaN if not given.
	 */
	axes?: Float64Array;
	fields?: readonly string[];
	layout?: "columns" | "records";
}

export interface CoreFrameOptions {
	past?: number;
	future?: number;
	threshold?: number;
	/** Hint that later frames follow: requests whole chunks. */
	sequential?: boolean;
	/** Parts that are not read are empty. */
	agents?: boolean;
	lights?: boolean;
}

export interface CoreTimelineOptions
	extends Pick<CoreFrameOptions, "agents" | "lights"> {
	/** The agent whose motion is computed. */
	track?: bigint | undefined;
}

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

/** The label threshold comes from the config. */
export interface CoreAgentIndexOptions
	extends Omit<CoreSelectionRules, "label_threshold">,
		CoreMinima {
	/** Whether to use the mask in the store, if there is one. Default true. */
	use_stored?: boolean;
}
