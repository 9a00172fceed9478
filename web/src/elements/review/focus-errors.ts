import type { Selection } from "../scene-view/picking.js";
import type { ModelLines } from "./model-lines.js";

/** How far a model's prediction of one agent is from the recorded path. */
export interface FocusError {
	readonly model: number;
	readonly slot: number;
	/** Predicted steps, and the last one with a recorded position. */
	readonly steps: number;
	readonly last: number;
	/** Step and distance in metres of each step with a recorded position. */
	readonly errors: readonly (readonly [step: number, metres: number])[];
	/** Distance in metres at the last of them. */
	readonly metres: number;
	/** Predicted and recorded position at that step, in world. */
	readonly predicted: readonly [x: number, y: number];
	readonly recorded: readonly [x: number, y: number];
}

/**
 * Returns the error of a model's drawn mode that ends nearest to the recorded path;
 * undefined without a recorded step.
 */
export function focusError(
	{ model, slot, lines }: ModelLines,
	of: Selection,
): FocusError | undefined {
	const track = of === "ego" ? -1n : of;
	const { modes, tracks, truth, truthSteps, truthTracks } = lines;
	const row = truthTracks.indexOf(track);
	const begin = truth.offsets[row] ?? 0;
	const end = (truth.offsets[row + 1] ?? 0) - 1;
	const last = truthSteps[end] ?? 0;
	if (row < 0 || last === 0) return undefined;
	const pointOf = (points: Float64Array, i: number): [number, number] => [
		points[2 * i] ?? Number.NaN,
		points[2 * i + 1] ?? Number.NaN,
	];
	/** Distance of line `first` at the step of the recorded point `i`. */
	const distance = (first: number, i: number): number => {
		const [x, y] = pointOf(modes.points, first + (truthSteps[i] ?? 0));
		const [rx, ry] = pointOf(truth.points, i);
		return Math.hypot(x - rx, y - ry);
	};
	let best: number | undefined;
	let steps = 0;
	for (let i = 0; i < tracks.length; i += 1) {
		if (tracks[i] !== track) continue;
		const first = modes.offsets[i] ?? 0;
		steps = (modes.offsets[i + 1] ?? 0) - first - 1;
		if (best === undefined || distance(first, end) < distance(best, end)) best = first;
	}
	if (best === undefined) return undefined;
	const errors: [number, number][] = [];
	for (let i = begin + 1; i <= end; i += 1)
		errors.push([truthSteps[i] ?? 0, distance(best, i)]);
	return {
		...{ model, slot, steps, last, errors },
		metres: distance(best, end),
		predicted: pointOf(modes.points, best + last),
		recorded: pointOf(truth.points, end),
	};
}

/** Returns the errors of all drawn models, in their order. */
export function focusErrors(
	drawn: readonly ModelLines[],
	of: Selection,
): readonly FocusError[] {
	return drawn.flatMap((lines) => focusError(lines, of) ?? []);
}
