import "../base/dispose.js";

/**
 * Polylines with packed points: line i is the `points` rows `offsets[i]` to `offsets[i
 * + 1] - 1`.
 */
export interface Polylines {
	/** Rows of (x, y), metres in world. */
	readonly points: Float64Array;
	/** First point of each line in the points; one more for the end of the last. */
	readonly offsets: Uint32Array;
}

/** The ego vehicle in one frame. Metres and radians in world. */
export interface EgoView {
	/**
	 * Whether the data have no ego vehicle: the pose is then a place to look at; corners,
	 * speed and distances to it are NaN, trail and future empty.
	 */
	readonly is_virtual: boolean;
	/** (2) */
	readonly centroid: Float64Array;
	/** (3) */
	readonly translation: Float64Array;
	/** (3, 3) */
	readonly rotation: Float64Array;
	/** Heading in radians. */
	readonly yaw: number;
	/** Metres per second, by finite differences; NaN if unknown. */
	readonly speed: number;
	/** (4, 2), front left first, counter-clockwise. */
	readonly corners: Float64Array;
	/** (k, 2), newest first, starting at this frame. */
	readonly trail: Float64Array;
	/** (k, 2), oldest first, starting at this frame. */
	readonly future: Float64Array;
}

/** The values of `AgentsView.class`. */
export const AgentClass = {
	/** Vehicles. */
	vehicle: 0,
	/** Cyclists. */
	cyclist: 1,
	/** Pedestrians. */
	pedestrian: 2,
	/** All others. */
	other: 3,
} as const;
/** A value of `AgentsView.class`. */
export type AgentClass = (typeof AgentClass)[keyof typeof AgentClass];

/** The n agents of one frame in file order, one array per quantity. */
export interface AgentsView {
	/** Number of agents. */
	readonly length: number;
	/** (n) rows of the `agents` array. */
	readonly row: BigInt64Array;
	/** Identity of each agent across frames. */
	readonly track_id: BigUint64Array;
	/** (n, 2) */
	readonly centroid: Float64Array;
	/** (n, 4, 2), front left first, counter-clockwise. */
	readonly corners: Float64Array;
	/** Heading of each agent in radians. */
	readonly yaw: Float32Array;
	/** (n, 3): length, width, height. */
	readonly extent: Float32Array;
	/** (n, 2) as recorded. */
	readonly velocity: Float32Array;
	/** Metres per second, by finite differences; NaN if unknown. */
	readonly speed: Float32Array;
	/** Index of the most probable label. */
	readonly label: Uint8Array;
	/** Class of each agent: a value of `AgentClass`. */
	readonly class: Uint8Array;
	/** Probability of `label`. */
	readonly probability: Float32Array;
	/** Sum over the known classes, CAR to ANIMAL; L5Kit's label filter compares it. */
	readonly known_probability: Float32Array;
	/** 1 if L5Kit's label filter keeps the agent. */
	readonly kept: Uint8Array;
	/** Metres to the ego vehicle; NaN without one. */
	readonly distance: Float32Array;
	/** (n, 17) */
	readonly label_probabilities: Float32Array;
}

/** The traffic light faces of one frame. */
export interface LightsView {
	/** Number of faces. */
	readonly length: number;
	/** Id of each face. */
	readonly face_id: readonly string[];
	/** Id of each face's traffic light. */
	readonly traffic_light_id: readonly string[];
	/** 0 active, 1 inactive, 2 unknown. */
	readonly state: Uint8Array;
	/** (n, 3) */
	readonly status: Float32Array;
}

/** One frame as computed by the core: record fields and derived values for drawing. */
export interface FrameView extends Disposable {
	/** Index of the scene. */
	readonly scene: number;
	/** Index within the scene. */
	readonly frame: number;
	/** Index in the `frames` array. */
	readonly index: number;
	/** Nanoseconds. */
	readonly timestamp: bigint;
	/** The ego vehicle. */
	readonly ego: EgoView;
	/** The agents, in the order of their rows. */
	readonly agents: AgentsView;
	/**
	 * Past centroids per agent: newest first, starting at this frame, up to the first
	 * frame without the track.
	 */
	readonly trails: Polylines;
	/** Future centroids per agent, likewise, oldest first. */
	readonly futures: Polylines;
	/** The traffic light faces. */
	readonly lights: LightsView;
	/**
	 * Recycles the memory for a later frame; all arrays of this view are empty
	 * afterwards. Optional: the garbage collector frees it otherwise, later and more
	 * slowly.
	 */
	release(): void;
}
