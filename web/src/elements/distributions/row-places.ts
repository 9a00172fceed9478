import type { DistributionRows } from "../../reviewing/remote-distribution.js";
import type { ColumnInfo } from "./columns.js";

/** Returns a track as displayed. */
export function trackWords(track: bigint): string {
	return track === -1n ? "ego" : String(track);
}

/** Returns where a row is; a fact of column `on` is in a frame of its own. */
export function placeOf(
	rows: DistributionRows,
	i: number,
	on: number,
	columns: readonly ColumnInfo[],
): { readonly scene: number; readonly frame: number; readonly track: bigint } {
	const at = columns.findIndex((one) => one.name === columns[on]?.frame);
	const fact = at < 0 ? NaN : (rows.values[at * rows.rows.length + i] ?? NaN);
	const frame = fact >= 0 ? fact : (rows.frames[i] ?? 0);
	return { scene: rows.scenes[i] ?? 0, frame, track: rows.tracks[i] ?? -1n };
}
