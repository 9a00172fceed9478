import type { Columns } from "./columns.js";

/** Rows [begin, end) of the next array. */
export interface RowSlice {
	/** First row. */
	readonly begin: number;
	/** Row after the last one. */
	readonly end: number;
}

/**
 * L5Kit's `get_frames_slice_from_scenes`: frames from the first given scene to the
 * last.
 */
export function framesSliceFromScenes(scenes: Columns): RowSlice {
	return span(scenes, "frame_index_interval");
}

/** L5Kit's `get_agents_slice_from_frames`. */
export function agentsSliceFromFrames(frames: Columns): RowSlice {
	return span(frames, "agent_index_interval");
}

/** L5Kit's `get_tl_faces_slice_from_frames`. */
export function facesSliceFromFrames(frames: Columns): RowSlice {
	return span(frames, "traffic_light_faces_index_interval");
}

function span(rows: Columns, field: string): RowSlice {
	const { data } = rows.column(field);
	return { begin: Number(data.at(0) ?? 0), end: Number(data.at(-1) ?? 0) };
}
