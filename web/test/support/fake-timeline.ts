import type { Motion, SceneLights, SceneTimeline } from "../../src/dataset/timeline.js";

function motion(frames: number, speed: number): Motion {
	const rows = Float64Array.from({ length: frames }, (_, k) => speed + k / 100);
	return { speed: rows, acceleration: rows, yaw: rows, yaw_rate: rows };
}

/** Light runs that match `fakeFrame`: both lights change every 40 frames. */
export function fakeLights(frames: number): SceneLights {
	const begins = Array.from({ length: Math.ceil(frames / 40) }, (_, i) => 40 * i);
	const rows = [0, 1].flatMap((light) => begins.map((begin) => ({ light, begin })));
	// light-1: f-red, then f-green is active. light-2: none, then g-red.
	const active = rows.map(({ light, begin }) => {
		const isFirst = begin % 80 === 0;
		if (light === 0) return [isFirst ? 0 : 1];
		return isFirst ? [] : [2];
	});
	const ends = active.map((_, i) => active.slice(0, i + 1).flat().length);
	return {
		id: ["light-1", "light-2"],
		runs: {
			length: rows.length,
			light: Uint32Array.from(rows, ({ light }) => light),
			begin: Uint32Array.from(rows, ({ begin }) => begin),
			end: Uint32Array.from(rows, ({ begin }) => Math.min(begin + 40, frames)),
			state: Uint8Array.from(active, (faces) => (faces.length > 0 ? 0 : 1)),
			active_offset: Uint32Array.of(0, ...ends),
			active_face: Uint32Array.from(active.flat()),
		},
	};
}

/** A timeline without anomalies, whose faces all control a lane of `fakeMap`. */
export function fakeTimeline(
	scene: number,
	frames: number,
	track?: bigint,
): SceneTimeline {
	return {
		scene,
		start: 0n,
		seconds: Float64Array.from({ length: frames }, (_, k) => k / 10),
		of: track,
		ego: motion(frames, 2.7),
		ego_is_virtual: false,
		track: track === undefined ? undefined : motion(frames, 8),
		anomalies: [],
		faces: ["f-red", "f-green", "g-red"].map((id) => ({ id, frame: 0 })),
		lights: fakeLights(frames),
	};
}
