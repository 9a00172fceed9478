import type { Motion, SceneTimeline } from "../../src/timeline.js";

function motion(frames: number, speed: number): Motion {
	const rows = Float64Array.from({ length: frames }, (_, k) => speed + k / 100);
	return { speed: rows, acceleration: rows, yaw: rows, yaw_rate: rows };
}

/** Its faces all control a lane of `fakeMap`, and nothing is odd. */
export function fakeTimeline(
	scene: number,
	frames: number,
	track?: bigint,
): SceneTimeline {
	return {
		scene,
		of: track,
		ego: motion(frames, 2.7),
		track: track === undefined ? undefined : motion(frames, 8),
		odd: [],
		faces: ["f-red", "f-green", "g-red"].map((id) => ({ id, frame: 0 })),
	};
}
