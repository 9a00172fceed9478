import type { ModelLines } from "./model-lines.js";
import { drawnOf, type ModelState } from "./review-state.js";

/** Returns the lines after the next change of a visible model's lines. */
export function comingOf(models: readonly ModelState[]): readonly ModelLines[] {
	const visible = models.filter((one) => one.visible && one.lines);
	const next = Math.min(...visible.map(({ ahead }) => ahead?.frame ?? Infinity));
	return next === Infinity
		? []
		: drawnOf(
				visible.map((one) =>
					one.ahead?.frame === next ? { ...one, lines: one.ahead } : one,
				),
			);
}
