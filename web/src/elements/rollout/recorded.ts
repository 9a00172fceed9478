import type { RecordedScene } from "../../reviewing/protocol.js";
import { sceneRows } from "../scenes/scene-rows.js";
import { assertStored, columnAs } from "../scenes/stored-scene.js";
import type { RowColumns, ViewerDataset } from "../session/dataset.js";

/** The part of a data set that is compared. */
export type Tables = Pick<
	ViewerDataset,
	"scenes" | "names" | "frames" | "agents" | "timeline" | "stats"
>;

/** Names the reader of a scene, for error messages, and the fields of agents it also needs. */
export interface ReadBy {
	readonly of: string;
	readonly fields: readonly string[];
}

/**
 * Reads the columns of a scene that a rollout or futures are compared with; `agents` has
 * the further fields.
 *
 * @throws BevError `not_found` if records of a frame are not stored; errors of reading
 */
export async function recordedScene(
	dataset: Tables,
	scene: number,
	signal: AbortSignal,
	{ of, fields }: ReadBy = { of: "rollout", fields: [] },
): Promise<{ readonly recorded: RecordedScene; readonly agents: RowColumns }> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	const frames = await dataset.frames.rows(row?.frameBegin ?? 0, row?.frameEnd ?? 0, {
		fields: ["timestamp", "agent_index_interval", "ego_translation", "ego_rotation"],
		signal,
	});
	const intervals = columnAs(BigInt64Array, frames, "agent_index_interval", of);
	const [begin, end] = [Number(intervals[0] ?? 0n), Number(intervals.at(-1) ?? 0n)];
	const agents = await dataset.agents.rows(begin, end, {
		fields: ["track_id", "centroid", ...fields],
		signal,
	});
	await assertStored(dataset, { scene, count: frames.length, level: 1, of }, signal);
	const recorded = {
		timestamps: columnAs(BigInt64Array, frames, "timestamp", of),
		ego_translation: columnAs(Float64Array, frames, "ego_translation", of),
		ego_rotation: columnAs(Float64Array, frames, "ego_rotation", of),
		agent_index_interval: intervals,
		track_ids: columnAs(BigUint64Array, agents, "track_id", of),
		centroids: columnAs(Float64Array, agents, "centroid", of),
	};
	return { recorded, agents };
}
