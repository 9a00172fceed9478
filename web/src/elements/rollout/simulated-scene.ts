import type { SimulatedArrays } from "../../reviewing/protocol.js";

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
	readonly x: Float64Array;
	readonly y: Float64Array;
	readonly yaw: Float64Array;
}

/** (m) poses, tracks and sizes of agents. */
export interface SimulatedAgents extends SimulatedPoses {
	/** (n) agents in each frame. */
	readonly counts: Uint32Array;
	readonly trackId: BigUint64Array;
	/** Metres. */
	readonly length: Float64Array;
	/** Metres. */
	readonly width: Float64Array;
}

const NO_NUMBERS = new Float64Array();

/** Returns a scene in the core's layout. */
export function coreSceneOf(from: SimulatedScene): SimulatedArrays {
	const { scene, firstFrame = 0, timestamps, ego, agents } = from;
	return {
		scene,
		first_frame: firstFrame,
		timestamps: timestamps ?? new BigInt64Array(),
		ego_x: ego.x,
		ego_y: ego.y,
		ego_yaw: ego.yaw,
		counts: agents?.counts ?? new Uint32Array(ego.x.length),
		track_id: agents?.trackId ?? new BigUint64Array(),
		x: agents?.x ?? NO_NUMBERS,
		y: agents?.y ?? NO_NUMBERS,
		yaw: agents?.yaw ?? NO_NUMBERS,
		length: agents?.length ?? NO_NUMBERS,
		width: agents?.width ?? NO_NUMBERS,
		ego_box: NO_NUMBERS,
	};
}
