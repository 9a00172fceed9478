import { MAX_POINTS } from "./points-layer.js";
import type { RowPoints, Shown } from "./sensors-view.js";

/** Returns the number of points of a frame, or why there are none. */
export function pointWords(all: readonly Shown<RowPoints>[]): string {
	if (all.some(({ state }) => state === "late")) return "reading";
	if (all.some(({ state }) => state === "failed")) return "failed";
	const counts = all.flatMap((shown) =>
		shown.state === "current" ? [shown.value.data.length / shown.value.width] : [],
	);
	if (counts.length === 0) return all.length > 0 ? "none" : "";
	const drawn = counts.reduce((sum, count) => sum + Math.min(count, MAX_POINTS), 0);
	const total = counts.reduce((sum, count) => sum + count, 0);
	return drawn < total ? `${drawn} of ${total}` : String(total);
}
