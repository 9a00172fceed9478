import type { CoreRecordedScene } from "../../core-tools.js";
import { BevError } from "../../errors.js";
import { bytesOf } from "../../tools-wire.js";
import { absentRows } from "../plots/scene-data.js";
import { sceneRows } from "../scenes/scene-rows.js";
import type { ViewerDataset } from "../session/dataset.js";

/** The part of a data set that is compared. */
export type Tables = Pick<
	ViewerDataset,
	"scenes" | "names" | "frames" | "agents" | "timeline"
>;

function as<T>(View: { new (): T; readonly name: string }, data: unknown): T {
	if (data instanceof View) return data;
	throw new TypeError(`rollout: unexpected column type (expected ${View.name})`);
}

/**
 * Reads the columns of a scene that a rollout is compared with.
 *
 * @throws BevError `not_found` if records of a frame are not stored; errors of reading
 */
export async function recordedScene(
	dataset: Tables,
	scene: number,
	signal: AbortSignal,
): Promise<CoreRecordedScene> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	const frames = await dataset.frames.rows(row?.frameBegin ?? 0, row?.frameEnd ?? 0, {
		fields: ["timestamp", "agent_index_interval", "ego_translation", "ego_rotation"],
		signal,
	});
	const timeline = await dataset.timeline(scene, { signal });
	const absent = absentRows(timeline, frames.length).findIndex((level) => level > 0);
	if (absent >= 0) {
		const what = `rollout: scene ${scene}: records of frame ${absent} are not stored`;
		throw new BevError("not_found", `${what}; expected all to compare with`);
	}
	const intervals = as(BigInt64Array, frames.column("agent_index_interval").data);
	const [begin, end] = [Number(intervals[0] ?? 0n), Number(intervals.at(-1) ?? 0n)];
	const agents = await dataset.agents.rows(begin, end, {
		fields: ["track_id", "centroid"],
		signal,
	});
	return {
		timestamps: bytesOf(as(BigInt64Array, frames.column("timestamp").data)),
		ego_translation: as(Float64Array, frames.column("ego_translation").data),
		ego_rotation: as(Float64Array, frames.column("ego_rotation").data),
		agent_index_interval: bytesOf(intervals),
		track_ids: bytesOf(as(BigUint64Array, agents.column("track_id").data)),
		centroids: as(Float64Array, agents.column("centroid").data),
	};
}
