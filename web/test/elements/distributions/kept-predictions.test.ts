import { describe, expect, it } from "vitest";
import { partOf } from "../../../src/elements/distributions/kept-predictions.js";
import type { FrameLines } from "../../../src/elements/review/model-lines.js";

/** Tracks 7 (two modes of two points), 8 (one mode of three). */
const LINES: FrameLines = {
	frame: 3,
	modes: {
		points: Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
		offsets: Uint32Array.of(0, 2, 4, 7),
	},
	confidences: Float64Array.of(0.25, 0.75, 1),
	tracks: BigInt64Array.of(7n, 7n, 8n),
	truth: { points: Float64Array.of(0, 0, 1, 1), offsets: Uint32Array.of(0, 1, 2) },
	truthSteps: Uint32Array.of(0, 2),
	truthTracks: BigInt64Array.of(7n, 8n),
};

describe("distributions/kept-predictions", () => {
	it("lines of some tracks are theirs alone", () => {
		expect(partOf(LINES, (track) => track === 8n)).toEqual({
			frame: 3,
			modes: {
				points: Float64Array.of(8, 9, 10, 11, 12, 13),
				offsets: Uint32Array.of(0, 3),
			},
			confidences: Float64Array.of(1),
			tracks: BigInt64Array.of(8n),
			truth: { points: Float64Array.of(1, 1), offsets: Uint32Array.of(0, 1) },
			truthSteps: Uint32Array.of(2),
			truthTracks: BigInt64Array.of(8n),
		});
		expect(partOf(LINES, () => true)).toEqual(LINES);
		expect(partOf(LINES, () => false).modes.offsets).toEqual(Uint32Array.of(0));
	});
});
