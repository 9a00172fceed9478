// Made-up joint futures as CSV and NPZ of our own form.

import { npyOf } from "../../web/src/elements/raster/npz.js";
import type { SampleArray } from "../../web/src/samples/sample.js";
import type { MadeAgent } from "./submission.js";
import { zipOf } from "./zip.js";

/** Frame of the first step. */
const FIRST = 11;

/** Returns a row per pose. */
export function futuresCsv(
	scenario: string,
	scenes: readonly MadeAgent[][],
): Uint8Array<ArrayBuffer> {
	const rows = scenes.flatMap((agents, mode) =>
		agents.flatMap(({ id, poses }) =>
			poses.map((pose, t) => [scenario, id, mode, FIRST + t, ...pose].join(",")),
		),
	);
	const head = ["# name: rows", "scenario_id,track_id,mode,step,x,y,yaw"];
	return new TextEncoder().encode([...head, ...rows, ""].join("\n"));
}

function text(value: string) {
	const data = Uint32Array.from(value, (letter) => letter.charCodeAt(0));
	return { data, dtype: `<U${value.length}` };
}

/** Returns the archive that `numpy.savez` writes. */
export function futuresNpz(
	scenario: string,
	scenes: readonly MadeAgent[][],
): Uint8Array<ArrayBuffer> {
	const [agents = []] = scenes;
	const poses = scenes.flatMap((all) => all.flatMap((agent) => agent.poses.flat()));
	const steps = agents[0]?.poses.length ?? 0;
	const arrays = {
		futures: {
			data: Float32Array.from(poses),
			shape: [1, scenes.length, agents.length, steps, 3],
			dtype: "<f4",
		},
		scenario_id: { ...text(scenario), shape: [1] },
		track_id: {
			data: BigInt64Array.from(agents, ({ id }) => BigInt(id)),
			shape: [1, agents.length],
			dtype: "<i8",
		},
		first_step: { data: BigInt64Array.of(BigInt(FIRST)), shape: [], dtype: "<i8" },
		name: { ...text("arrays"), shape: [] },
	};
	return zipOf(
		Object.entries(arrays).map(([name, array]) => [
			`${name}.npy`,
			npyOf(array as unknown as SampleArray),
		]),
	);
}
