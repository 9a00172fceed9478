import type { ViewerState } from "../session/state.js";

/** Returns the name of the tab with rollouts and futures, as the right panel shows it. */
export function rolloutTab({ rollout, review }: ViewerState): string {
	return rollout && review.models.length === 0 ? "Rollout" : "Predictions";
}
