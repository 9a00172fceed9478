import type { SceneTimeline } from "../../dataset/timeline.js";
import type { Part } from "../session/parts.js";
import type { Slice } from "../session/store.js";
import type { FrameRange } from "./clock.js";

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
	},
	kept: ({ speed, loop, smooth }) => ({ speed, loop, smooth }),
};
