import "./dispose.js";

/** Lines of points packed one after another: line i is `points` rows `offsets[i]` to `offsets[i + 1] - 1`. */
export interface Polylines {
	/** Rows of (x, y), metres in world. */
	readonly points: Float64Array;
	readonly offsets: Uint32Array;
}

/** The recording vehicle in one frame. Metres and radians in world. */
export interface EgoView {
	/** (2) */
	readonly centroid: Float64Array;
	/** (3) */
	readonly translation: Float64Array;
	/** (3, 3) */
	readonly rotation: Float64Array;
	readonly yaw: number;
	/** Metres per second by differencing; NaN where unknown. */
	readonly speed: number;
	/** (4, 2), front left first, counter-clockwise. */
	readonly corners: Float64Array;
	/** (k, 2), newest first, starting at this frame. */
	readonly trail: Float64Array;
	/** (k, 2), oldest first, starting at this frame. */
	readonly future: Float64Array;
}

/** The n agents of one frame in file order, one array a quantity. */
export interface AgentsView {
	readonly length: number;
	/** (n) rows of the `agents` array. */
	readonly row: BigInt64Array;
	readonly track_id: BigUint64Array;
	/** (n, 2) */
	readonly centroid: Float64Array;
	/** (n, 4, 2), front left first, counter-clockwise. */
	readonly corners: Float64Array;
	readonly yaw: Float32Array;
	/** (n, 3): length, width, height. */
	readonly extent: Float32Array;
	/** (n, 2) as recorded. */
	readonly velocity: Float32Array;
	/** Metres per second by differencing; NaN where unknown. */
	readonly speed: Float32Array;
	/** Index of the most probable label. */
	readonly label: Uint8Array;
	/** 0 vehicle, 1 cyclist, 2 pedestrian, 3 other. */
	readonly class: Uint8Array;
	/** Of `label`. */
	readonly probability: Float32Array;
	/** The sum over the known classes, CAR to ANIMAL, which L5Kit's label filter compares. */
	readonly known_probability: Float32Array;
	/** 1 where L5Kit's label filter keeps the agent. */
	readonly kept: Uint8Array;
	/** Metres to the ego. */
	readonly distance: Float32Array;
	/** (n, 17) */
	readonly label_probabilities: Float32Array;
}

/** The traffic-light faces of one frame. */
export interface LightsView {
	readonly length: number;
	readonly face_id: readonly string[];
	readonly traffic_light_id: readonly string[];
	/** 0 active, 1 inactive, 2 unknown. */
	readonly state: Uint8Array;
	/** (n, 3) */
	readonly status: Float32Array;
}

/** One frame as the core computes it: record fields and what a picture needs of them. */
export interface FrameView extends Disposable {
	readonly scene: number;
	/** Within the scene. */
	readonly frame: number;
	/** Of the `frames` array. */
	readonly index: number;
	/** Nanoseconds. */
	readonly timestamp: bigint;
	readonly ego: EgoView;
	readonly agents: AgentsView;
	/** Where each agent was: newest first, starting at this frame, up to the first hole. */
	readonly trails: Polylines;
	/** Where each agent will be, likewise. */
	readonly futures: Polylines;
	readonly lights: LightsView;
	/**
	 * Gives the memory back for a later frame; every array of this view is empty
	 * afterwards. Optional: the garbage collector does it later and slower.
	 */
	release(): void;
}
