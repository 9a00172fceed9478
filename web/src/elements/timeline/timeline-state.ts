import type { SceneTimeline } from "../../dataset/timeline.js";
import { isChart, parseNames } from "../plots/plots-state.js";
import type { Part } from "../session/parts.js";
import type { Slice } from "../session/store.js";
import type { FrameRange } from "./clock.js";

/** A row of the timeline, as links name it: `speed`, `jerk@26`, `error@2`, `fact:min_ttc`. */
export type RowKey = string;

/** Maximum number of rows. */
export const MAX_ROWS = 12;

/** Parses keys separated by commas; undefined if one is invalid or they are too many. */
export function parseRows(text: string): readonly RowKey[] | undefined {
	const name = /^(?:fact:(?!.*@ego))?([^@]+)(@(ego|\d{1,20}))?$/;
	return parseNames(text, MAX_ROWS, (key) => isChart(name.exec(key)?.[1] ?? ""));
}

/** State of the timeline and of playback. */
export interface TimelineSlice {
	/** Data of the whole scene; undefined until read. */
	readonly timeline: SceneTimeline | undefined;
	/** Whether the last read of the timeline failed; `timeline` has what is readable. */
	readonly timelineFailed: boolean;
	/** The parts of the scene that `timeline` lacks because they cannot be read. */
	readonly timelineUnread: readonly Part[];
	/** Whether playback is on. */
	readonly playing: boolean;
	/** Whether playback waits for the next frame. */
	readonly stalled: boolean;
	/** Factor of real time. */
	readonly speed: number;
	/** The marked range of the scene. */
	readonly section: FrameRange | undefined;
	/** Whether playback repeats the section, or without one the whole scene. */
	readonly loop: boolean;
	/** Whether the picture moves between frames during playback. */
	readonly smooth: boolean;
	/** The rows below the bar, in order. */
	readonly rows: readonly RowKey[];
}

export const TIMELINE_SLICE: Slice<TimelineSlice> = {
	empty: {
		timeline: undefined,
		timelineFailed: false,
		timelineUnread: [],
		playing: false,
		stalled: false,
		speed: 1,
		section: undefined,
		loop: false,
		smooth: true,
		rows: ["speed"],
	},
	kept: ({ speed, loop, smooth, rows }) => ({ speed, loop, smooth, rows }),
};
