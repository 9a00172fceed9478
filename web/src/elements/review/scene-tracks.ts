import type { SceneTracks } from "../../tools/review.js";
import { sceneRows } from "../scenes/scene-rows.js";
import { assertStored, columnAs } from "../scenes/stored-scene.js";
import type { ViewerDataset } from "../session/dataset.js";

/** The arrays that are read. */
type Tables = Pick<
	ViewerDataset,
	"scenes" | "frames" | "agents" | "timeline" | "stats"
>;

const OF = "predictions";

/** Reads the positions of all agents in a scene's frames. */
export async function sceneTracks(
	dataset: Tables,
	scene: number,
	signal: AbortSignal,
): Promise<SceneTracks> {
	const tracks = await tracksIf(dataset, scene, signal, () => true);
	if (!tracks) throw new TypeError(`predictions: scene ${scene} not read`);
	return tracks;
}

/**
 * Like `sceneTracks` if the scene's timestamps are `wanted`; otherwise undefined,
 * without reading agents.
 *
 * @throws BevError `not_found` if records of a frame are not stored
 */
export async function tracksIf(
	dataset: Tables,
	scene: number,
	signal: AbortSignal,
	wanted: (timestamps: BigInt64Array) => boolean | Promise<boolean>,
): Promise<SceneTracks | undefined> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	const frames = await dataset.frames.rows(row?.frameBegin ?? 0, row?.frameEnd ?? 0, {
		fields: ["timestamp", "agent_index_interval", "ego_translation"],
		signal,
	});
	const records = { scene, count: frames.length, of: OF };
	await assertStored(dataset, { ...records, level: 2 }, signal);
	const timestamps = columnAs(BigInt64Array, frames, "timestamp", OF);
	if (!(await wanted(timestamps))) return undefined;
	const intervals = columnAs(BigInt64Array, frames, "agent_index_interval", OF);
	const [begin, end] = [intervals.at(0) ?? 0n, intervals.at(-1) ?? 0n];
	const agents = await dataset.agents.rows(Number(begin), Number(end), {
		fields: ["track_id", "centroid", "label_probabilities"],
		signal,
	});
	await assertStored(dataset, { ...records, level: 1 }, signal);
	return {
		timestamps,
		ego_translation: columnAs(Float64Array, frames, "ego_translation", OF),
		agent_index_interval: intervals,
		track_ids: columnAs(BigUint64Array, agents, "track_id", OF),
		centroids: columnAs(Float64Array, agents, "centroid", OF),
		label_probabilities: columnAs(Float32Array, agents, "label_probabilities", OF),
	};
}
