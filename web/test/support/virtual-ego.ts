import type { FrameView } from "../../src/dataset/frame-view.js";

/** Returns a frame as it is without an ego vehicle: its pose alone is known. */
export function withoutEgo(frame: FrameView): FrameView {
	const ego = {
		...frame.ego,
		is_virtual: true,
		speed: Number.NaN,
		corners: frame.ego.corners.map(() => Number.NaN),
		trail: Float64Array.of(),
		future: Float64Array.of(),
	};
	const distance = frame.agents.distance.map(() => Number.NaN);
	return { ...frame, ego, agents: { ...frame.agents, distance } };
}
