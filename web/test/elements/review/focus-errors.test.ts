import { describe, expect, it } from "vitest";
import { focusError, focusErrors } from "../../../src/elements/review/focus-errors.js";
import type { ModelLines } from "../../../src/elements/review/model-lines.js";

/**
 * Three steps of track 7 in two modes, and one mode of the ego vehicle. Track 7 is not
 * recorded at step 2; the ego vehicle is recorded at step 1 only, and track 9 never.
 */
const LINES: ModelLines = {
	model: 4,
	slot: 1,
	lines: {
		frame: 10,
		modes: {
			points: Float64Array.of(
				...[0, 0, 1, 0, 2, 0, 3, 0],
				...[0, 0, 0, 1, 0, 2, 0, 3],
				...[50, 0, 51, 0, 52, 0, 53, 0],
				...[90, 0, 91, 0, 92, 0, 93, 0],
			),
			offsets: Uint32Array.of(0, 4, 8, 12, 16),
		},
		confidences: Float64Array.of(0.75, 0.25, 1, 1),
		tracks: BigInt64Array.of(7n, 7n, -1n, 9n),
		truth: {
			points: Float64Array.of(0, 0, 0, 1.5, 0, 5, 50, 0, 51, 4, 90, 0),
			offsets: Uint32Array.of(0, 3, 5, 6),
		},
		truthSteps: Uint32Array.of(0, 1, 3, 0, 1, 0),
		truthTracks: BigInt64Array.of(7n, -1n, 9n),
	},
};

describe("review/focus-errors", () => {
	it("are those of the mode that ends nearest to the recorded path", () => {
		expect(focusError(LINES, 7n)).toEqual({
			...{ model: 4, slot: 1, steps: 3, last: 3, metres: 2 },
			errors: [
				[1, 0.5],
				[3, 2],
			],
			predicted: [0, 3],
			recorded: [0, 5],
		});
	});

	it("end at the last recorded step", () => {
		expect(focusError(LINES, "ego")).toMatchObject({
			...{ steps: 3, last: 1, metres: 4, errors: [[1, 4]] },
			predicted: [51, 0],
			recorded: [51, 4],
		});
	});

	it("are none without a recorded step, or without a prediction", () => {
		expect(focusError(LINES, 9n)).toBeUndefined();
		expect(focusError(LINES, 8n)).toBeUndefined();
		expect(focusErrors([LINES, { ...LINES, model: 5 }], 7n)).toHaveLength(2);
	});
});
