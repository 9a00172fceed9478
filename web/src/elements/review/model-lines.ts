import type { PredictedLines } from "../../tools/review.js";

/** Predictions of one frame of the scene. */
export interface FrameLines extends PredictedLines {
	readonly frame: number;
}

/** A visible model's lines and the index of its colour. */
export interface ModelLines {
	readonly model: number;
	readonly slot: number;
	readonly lines: FrameLines;
}

/** Returns whether both lists have the same lines in the same colours. */
export function isSameLines(
	one: readonly ModelLines[],
	other: readonly ModelLines[],
): boolean {
	return (
		one.length === other.length &&
		one.every(({ slot, lines }, i) => {
			const { [i]: that } = other;
			return that?.slot === slot && that.lines === lines;
		})
	);
}
