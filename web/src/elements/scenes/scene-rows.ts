import type { RowColumns, ViewerDataset } from "../session/dataset.js";

/** A scene's record. */
export interface SceneRow {
	readonly index: number;
	readonly host: string;
	/** Nanoseconds. */
	readonly startTime: bigint;
	/** Half-open range of rows in `frames`. */
	readonly frameBegin: number;
	readonly frameEnd: number;
}

/** The part of a data set that lists scenes. */
export type Scenes = Pick<ViewerDataset, "scenes" | "names" | "attrs" | "sceneTags">;

/** Fields of a scene's record. */
export const FIELDS = ["frame_index_interval", "host", "start_time"];

/** Returns the records in `rows`, whose first has index `begin`. */
export function sceneRowsOf(rows: RowColumns, begin: number): SceneRow[] {
	const hosts = rows.strings("host");
	const interval = rows.column("frame_index_interval").data;
	const start = rows.column("start_time").data;
	return hosts.map((host, i) => ({
		index: begin + i,
		host,
		startTime: BigInt(start[i] ?? 0),
		frameBegin: Number(interval[2 * i] ?? 0),
		frameEnd: Number(interval[2 * i + 1] ?? 0),
	}));
}

/** Reads at most `count` scenes from `begin`. */
export async function sceneRows(
	dataset: Scenes,
	begin: number,
	count: number,
	signal: AbortSignal,
): Promise<SceneRow[]> {
	const end = Math.min(dataset.scenes.length, begin + count);
	const rows = await dataset.scenes.rows(begin, end, { fields: FIELDS, signal });
	return sceneRowsOf(rows, begin);
}
