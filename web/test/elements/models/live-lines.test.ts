import { describe, expect, it } from "vitest";
import { KeptLines, linesOf } from "../../../src/elements/models/live-lines.js";

const FUTURES = {
	modes: 2,
	steps: 2,
	positions: Float64Array.of(1, 0, 2, 0, 1, 1, 2, 2),
	yaws: undefined,
	confidences: Float64Array.of(0.25, 0.75),
	times: { copy: 0, inference: 0, decode: 0 },
};

describe("live-lines", () => {
	it("begin at the subject, one per mode", () => {
		const lines = linesOf(7, FUTURES, [0, 5]);
		expect(lines.frame).toBe(7);
		expect([...lines.modes.points]).toEqual([0, 5, 1, 0, 2, 0, 0, 5, 1, 1, 2, 2]);
		expect([...lines.modes.offsets]).toEqual([0, 3, 6]);
		expect([...lines.confidences]).toEqual([0.25, 0.75]);
		expect([...lines.tracks]).toEqual([-1n, -1n]);
		expect([...lines.truth.offsets]).toEqual([0]);
	});

	it("are kept by scene and frame; the least recently used ones go", () => {
		const kept = new KeptLines(2);
		const lines = [1, 2, 3].map((frame) => linesOf(frame, FUTURES, [0, 0]));
		for (const one of lines.slice(0, 2)) kept.put(0, one);
		expect(kept.get(0, 1)).toBe(lines[0]);
		expect(kept.get(1, 1)).toBeUndefined();
		kept.put(0, lines[2] as (typeof lines)[0]);
		expect(kept.get(0, 2)).toBeUndefined();
		expect(kept.get(0, 1)).toBe(lines[0]);
		expect(kept.size).toBe(2);
		kept.clear();
		expect(kept.size).toBe(0);
	});
});
