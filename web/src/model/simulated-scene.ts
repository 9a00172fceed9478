/** A simulated scene as arrays: n frames, m agents in all. */
export interface SimulatedScene {
	/** Number of the scene in the data set. */
	readonly scene: number;
	/** The scene's frame in which the rollout begins; default 0. */
	readonly firstFrame?: number | undefined;
	/** (n) nanoseconds; they must be those of the scene, and replace `firstFrame`. */
	readonly timestamps?: BigInt64Array | undefined;
	/** Poses of the ego vehicle: (n) metres in world and radians. */
	readonly ego: SimulatedPoses;
	/** The agents of all frames, one frame after another. */
	readonly agents?: SimulatedAgents | undefined;
}

/** Metres in world and radians. */
export interface SimulatedPoses {
	/** Metres to the east. */
	readonly x: Float64Array;
	/** Metres to the north. */
	readonly y: Float64Array;
	/** Radians, counter-clockwise from the x axis. */
	readonly yaw: Float64Array;
}

/** (m) poses, tracks and sizes of agents. */
export interface SimulatedAgents extends SimulatedPoses {
	/** (n) agents in each frame. */
	readonly counts: Uint32Array;
	/** Track ids. */
	readonly trackId: BigUint64Array;
	/** Metres. */
	readonly length: Float64Array;
	/** Metres. */
	readonly width: Float64Array;
}
