import { describe, expect, it } from "vitest";
import {
	finder,
	partOf,
} from "../../../src/elements/distributions/kept-predictions.js";
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

	it.each([
		["in order", [0, 1, 2, 3, 4, 5]],
		["in any order", [3, 0, 5, 1, 4, 2]],
	])("are found by model, frame and track, %s", (_, order) => {
		const rows = [
			[0, 7, 1n],
			[0, 7, 2n],
			[0, 9, -1n],
			[1, 7, 3n],
			[1, 8, 1n],
			[1, 8, 2n],
		] as const;
		const at = (k: number) => rows[order[k] ?? 0] ?? rows[0];
		const frames = Uint32Array.from(order, (_, k) => at(k)[1]);
		const tracks = BigInt64Array.from(order, (_, k) => at(k)[2]);
		const models = Float64Array.from(order, (_, k) => at(k)[0]);
		const ids = [10, 20];
		const has = finder({ frames, tracks }, models, ids);
		for (const [model, frame, track] of rows)
			expect(has(ids[model] ?? 0, frame, track)).toBe(true);
		expect(has(10, 7, 3n)).toBe(false);
		expect(has(20, 9, -1n)).toBe(false);
		expect(has(30, 7, 1n)).toBe(false);
		expect(has(20, 8, 9n)).toBe(false);
		expect(
			finder(
				{ frames: new Uint32Array(), tracks: new BigInt64Array() },
				new Float64Array(),
				[],
			)(1, 1, 1n),
		).toBe(false);
	});
});
