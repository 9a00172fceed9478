import type { SceneTracks } from "../../review.js";
import { sceneRows } from "../scenes/scene-rows.js";
import type { ViewerDataset } from "../session/dataset.js";

/** The arrays that are read. */
type Tables = Pick<ViewerDataset, "scenes" | "frames" | "agents">;

function as<T>(View: { new (): T; readonly name: string }, data: unknown): T {
	if (data instanceof View) return data;
	throw new TypeError(`predictions: unexpected column type (expected ${View.name})`);
}

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
	const timestamps = as(BigInt64Array, frames.column("timestamp").data);
	if (!(await wanted(timestamps))) return undefined;
	const intervals = as(BigInt64Array, frames.column("agent_index_interval").data);
	const [begin, end] = [intervals.at(0) ?? 0n, intervals.at(-1) ?? 0n];
	const agents = await dataset.agents.rows(Number(begin), Number(end), {
		fields: ["track_id", "centroid", "label_probabilities"],
		signal,
	});
	return {
		timestamps,
		ego_translation: as(Float64Array, frames.column("ego_translation").data),
		agent_index_interval: intervals,
		track_ids: as(BigUint64Array, agents.column("track_id").data),
		centroids: as(Float64Array, agents.column("centroid").data),
		label_probabilities: as(Float32Array, agents.column("label_probabilities").data),
	};
}
