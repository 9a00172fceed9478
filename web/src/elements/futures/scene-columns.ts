import type { FuturesScene } from "../../reviewing/remote-futures.js";
import type { Tables } from "../rollout/recorded.js";
import { sceneAttributes } from "../scenes/benchmark.js";
import { sceneRows } from "../scenes/scene-rows.js";
import { assertStored, columnAs } from "../scenes/stored-scene.js";
import type { ViewerDataset } from "../session/dataset.js";

const OF = "futures";

/**
 * Reads what futures are joined with: a scene's frames and agents, and its attributes.
 *
 * @throws BevError `not_found` if records of a frame are not stored; errors of reading
 */
export async function sceneColumns(
	dataset: Tables & Pick<ViewerDataset, "attrs">,
	scene: number,
	signal: AbortSignal,
): Promise<FuturesScene> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	const frames = await dataset.frames.rows(row?.frameBegin ?? 0, row?.frameEnd ?? 0, {
		fields: ["timestamp", "agent_index_interval", "ego_translation", "ego_rotation"],
		signal,
	});
	const intervals = columnAs(BigInt64Array, frames, "agent_index_interval", OF);
	const [begin, end] = [Number(intervals[0] ?? 0n), Number(intervals.at(-1) ?? 0n)];
	const agents = await dataset.agents.rows(begin, end, {
		fields: [
			...["track_id", "centroid", "yaw", "extent", "velocity"],
			"label_probabilities",
		],
		signal,
	});
	await assertStored(
		dataset,
		{ scene, count: frames.length, level: 1, of: OF },
		signal,
	);
	return {
		timestamps: columnAs(BigInt64Array, frames, "timestamp", OF),
		ego_translation: columnAs(Float64Array, frames, "ego_translation", OF),
		ego_rotation: columnAs(Float64Array, frames, "ego_rotation", OF),
		agent_index_interval: intervals,
		track_ids: columnAs(BigUint64Array, agents, "track_id", OF),
		centroids: columnAs(Float64Array, agents, "centroid", OF),
		yaws: columnAs(Float32Array, agents, "yaw", OF),
		extents: columnAs(Float32Array, agents, "extent", OF),
		velocities: columnAs(Float32Array, agents, "velocity", OF),
		label_probabilities: columnAs(Float32Array, agents, "label_probabilities", OF),
		attributes: JSON.stringify(sceneAttributes(dataset.attrs, scene) ?? {}),
	};
}
