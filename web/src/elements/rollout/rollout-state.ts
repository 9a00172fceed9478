import type { Overlay } from "../draw/picture.js";
import type { FuturesState } from "../futures/futures-state.js";
import type { LiveState } from "../models/live-state.js";
import type { Slice } from "../session/store.js";
import type { PlannedScene } from "./planner-run.js";
import type { RolloutMeasure } from "./rollout-text.js";

/**
 * A simulated scene compared with the recorded one, by frame of the rollout. Measures that
 * it does not have are empty.
 */
export interface RolloutReport extends Readonly<Record<RolloutMeasure, Float64Array>> {
	/** The scene's frame in which the rollout begins. */
	readonly firstFrame: number;
	/** Number of frames. */
	readonly frames: number;
	readonly simulatedMiles: Float64Array;
	readonly recordedMiles: Float64Array;
	/** Index in `SIDES`. */
	readonly collision: Uint8Array;
	/** The track of each collision. */
	readonly collisionTrack: BigUint64Array;
	/** 1 if the ego vehicle is off the road, 2 if there is no map. */
	readonly offRoad: Uint8Array;
	/** Number of simulated agents. */
	readonly counts: Uint32Array;
	/** By agent: 0 if it is at its recorded place. */
	readonly moved: Uint8Array;
	/** 7 points x, y for each ego vehicle, then for each agent. */
	readonly outlines: Float64Array;
	/** What nuPlan's simulations have beside it. */
	readonly planned?: PlannedScene | undefined;
}

/** The open rollout. */
export interface RolloutState {
	/** Name of the file, or given by the page. */
	readonly name: string;
	/** Address in links. */
	readonly address: string | undefined;
	/** Simulated scenes, ascending; undefined while the file is read. */
	readonly scenes: readonly number[] | undefined;
	/** Whether it was read from a file; others can be saved. */
	readonly isFile?: boolean | undefined;
	/** Comparison of the displayed scene; undefined unless it is simulated. */
	readonly report: RolloutReport | undefined;
	/** The measure on the timeline. */
	readonly measure: RolloutMeasure;
	/** Why reading or comparing failed. */
	readonly problem: string | undefined;
}

/** State of the rollout. */
export interface RolloutSlice {
	/** The open rollout, if there is one. */
	readonly rollout: RolloutState | undefined;
	/** The open submissions of joint futures. */
	readonly futures: FuturesState | undefined;
	/** The open model, if there is one. */
	readonly live?: LiveState | undefined;
	/** The simulated boxes and path in the picture. */
	readonly simulated: readonly Overlay[];
}

export const ROLLOUT_SLICE: Slice<RolloutSlice> = {
	empty: { rollout: undefined, futures: undefined, simulated: [] },
	// The rollout stays open; what was computed with the previous data set goes.
	kept: ({ rollout, futures }) => ({
		rollout: rollout && { ...rollout, report: undefined, problem: undefined },
		futures,
	}),
};
