import type { ViewerDataset } from "./dataset.js";

/** A scene as the list shows it. */
export interface SceneRow {
	readonly index: number;
	readonly host: string;
	/** Nanoseconds. */
	readonly startTime: bigint;
	/** Its rows of `frames`, half open. */
	readonly frameBegin: number;
	readonly frameEnd: number;
}

/** Scenes `begin` and on, at most `count`. */
export async function sceneRows(
	dataset: Pick<ViewerDataset, "scenes">,
	begin: number,
	count: number,
	signal: AbortSignal,
): Promise<SceneRow[]> {
	const end = Math.min(dataset.scenes.length, begin + count);
	const fields = ["frame_index_interval", "host", "start_time"];
	const rows = await dataset.scenes.rows(begin, end, { fields, signal });
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
