import type { AbortOptions } from "../../api.js";
import type { FrameView } from "../../frame-view.js";
import type { SelectedScene, SelectionRules } from "../../samples/selection.js";

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
export type SceneSights = Pick<SelectedScene, "scene" | "first" | "mask">;

/** Minimum frames of history and future of an agent. */
export interface Minima {
	readonly minHistory: number;
	readonly minFuture: number;
	/** Undefined while being read, or if that failed. */
	readonly sights: SceneSights | undefined;
}

export const NO_MINIMA: Minima = { minHistory: 0, minFuture: 0, sights: undefined };

/**
 * Returns whether agent `i` meets the minima; true if the sights belong to another
 * scene.
 */
export function isSeenEnough(
	frame: FrameView,
	i: number,
	{ minHistory, minFuture, sights }: Minima,
): boolean {
	if (minHistory <= 0 && minFuture <= 0) return true;
	if (sights?.scene !== frame.scene) return true;
	const at = 2 * (Number(frame.agents.row[i]) - sights.first);
	const [history = 0, future = 0] = [sights.mask[at], sights.mask[at + 1]];
	return history >= minHistory && future >= minFuture;
}
