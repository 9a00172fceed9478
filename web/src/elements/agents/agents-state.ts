import type { AbortOptions } from "../../api.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { SelectionRules } from "../../samples/options.js";
import type { SelectedScene } from "../../samples/selection.js";
import type { Slice } from "../session/store.js";

/** Counts history and future of a scene's agents as L5Kit does. */
export type SelectScene = (
	scene: number,
	rules: SelectionRules,
	options: AbortOptions,
) => Promise<SelectedScene>;

/**
 * For each agent of a scene, the number of past and future frames in which its track is
 * visible.
 */
export type SceneTrackLengths = Pick<SelectedScene, "scene" | "first" | "mask">;

/** Minimum frames before and after this one in which an agent's track is visible. */
export interface Minima {
	/** Minimum number of frames before the current one in which an agent is visible. */
	readonly minHistory: number;
	/** Minimum number of frames after the current one in which an agent is visible. */
	readonly minFuture: number;
	/** Counts for the scene; undefined while being read, or if that failed. */
	readonly trackLengths: SceneTrackLengths | undefined;
}

export const NO_MINIMA: Minima = {
	minHistory: 0,
	minFuture: 0,
	trackLengths: undefined,
};

/**
 * Returns whether agent `i` meets the minima; true if `trackLengths` belong to another
 * scene.
 */
export function isLongEnough(
	frame: FrameView,
	i: number,
	{ minHistory, minFuture, trackLengths }: Minima,
): boolean {
	if (minHistory <= 0 && minFuture <= 0) return true;
	if (trackLengths?.scene !== frame.scene) return true;
	const at = 2 * (Number(frame.agents.row[i]) - trackLengths.first);
	// Rows of edited scenes, which have no counts, are kept.
	const [history = 1e9, future = 1e9] = [
		trackLengths.mask[at],
		trackLengths.mask[at + 1],
	];
	return history >= minHistory && future >= minFuture;
}

/** Columns of the agent table; with `-`, descending. */
export const SORT_KEYS = ["name", "track", "speed", "distance", "known"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export type AgentSort = SortKey | `-${SortKey}`;

/** Which agents are displayed, and which match the search. */
export interface AgentsSlice extends Minima {
	/** Lower bound, exclusive, of the sum of known classes' probabilities. */
	readonly threshold: number;
	/** Maximum distance to the ego in metres of displayed agents; Infinity for all. */
	readonly distance: number;
	/** Whether `trackLengths` are being read. */
	readonly trackLengthsDue: boolean;
	/** Search query: agents that do not match are dimmed, and hidden in the table. */
	readonly query: string;
	/** Order of the table. */
	readonly sort: AgentSort;
}

export const AGENTS_SLICE: Slice<AgentsSlice> = {
	empty: {
		threshold: 0.5,
		distance: Number.POSITIVE_INFINITY,
		...NO_MINIMA,
		trackLengthsDue: false,
		query: "",
		sort: "distance",
	},
	kept: ({ threshold, distance, minHistory, minFuture, sort }) => ({
		threshold,
		distance,
		minHistory,
		minFuture,
		sort,
	}),
};
