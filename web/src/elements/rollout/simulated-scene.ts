import type { SimulatedScene } from "../../model/simulated-scene.js";
import type { SimulatedArrays } from "../../reviewing/protocol.js";

export type {
	SimulatedAgents,
	SimulatedPoses,
	SimulatedScene,
} from "../../model/simulated-scene.js";

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
