import { describe, expect, it } from "vitest";
import {
	joinLines,
	KeptLines,
	linesOf,
	linesOfRecords,
} from "../../../src/elements/models/live-lines.js";

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
		const lines = linesOf({ frame: 7 }, FUTURES, [0, 5]);
		expect(lines.frame).toBe(7);
		expect([...lines.modes.points]).toEqual([0, 5, 1, 0, 2, 0, 0, 5, 1, 1, 2, 2]);
		expect([...lines.modes.offsets]).toEqual([0, 3, 6]);
		expect([...lines.confidences]).toEqual([0.25, 0.75]);
		expect([...lines.tracks]).toEqual([-1n, -1n]);
		expect([...lines.truth.offsets]).toEqual([0]);
	});

	it("are those of a subject's row, and joined to those of a frame", () => {
		const both = {
			...FUTURES,
			positions: Float64Array.of(...FUTURES.positions, 3, 0, 4, 0, 3, 3, 4, 4),
			confidences: Float64Array.of(0.25, 0.75, 0.5, 0.5),
		};
		const ego = linesOf({ frame: 7 }, both, [0, 5]);
		const agent = linesOf({ frame: 7, track: 9n, row: 1 }, both, [2, 0]);
		expect([...agent.modes.points]).toEqual([2, 0, 3, 0, 4, 0, 2, 0, 3, 3, 4, 4]);
		const joined = joinLines(7, [ego, agent]);
		expect([...joined.modes.points]).toEqual([
			...ego.modes.points,
			...agent.modes.points,
		]);
		expect([...joined.modes.offsets]).toEqual([0, 3, 6, 9, 12]);
		expect([...joined.confidences]).toEqual([0.25, 0.75, 0.5, 0.5]);
		expect([...joined.tracks]).toEqual([-1n, -1n, 9n, 9n]);
		expect(joinLines(7, []).modes.offsets).toEqual(Uint32Array.of(0));
	});

	it("of records begin at the ego vehicle's position; other tracks are left out", () => {
		const array = (data: Float64Array | BigInt64Array, dtype: string) => ({
			...{ data, dtype, shape: [2] },
		});
		const samples = {
			centroid: array(Float64Array.of(1, 2, 0, 5), "<f8"),
			track_id: array(BigInt64Array.of(9n, -1n), "<i8"),
		};
		const coords = Float64Array.of(...new Float64Array(8), ...FUTURES.positions);
		const confidences = Float64Array.of(0.5, 0.5, 0.25, 0.75);
		const records = { modes: 2, steps: 2, coords, confidences };
		const frames = [
			{ scene: 0, frame: 3 },
			{ scene: 1, frame: 4 },
		];
		const [found, ...others] = linesOfRecords(frames, samples, records);
		expect(others).toEqual([]);
		expect(found?.scene).toBe(1);
		expect(found?.lines.frame).toBe(4);
		expect([...(found?.lines.modes.points ?? [])]).toEqual([
			...[0, 5, 1, 5, 2, 5],
			...[0, 5, 1, 6, 2, 7],
		]);
		expect([...(found?.lines.confidences ?? [])]).toEqual([0.25, 0.75]);
	});

	it("of a part of the subjects are drawn, but not all that a frame needs", () => {
		const kept = new KeptLines(2);
		kept.put(0, linesOf({ frame: 1 }, FUTURES, [0, 0]), false);
		expect(kept.get(0, 1)).toBeDefined();
		expect(kept.isWhole(0, 1)).toBe(false);
		kept.put(0, linesOf({ frame: 1 }, FUTURES, [0, 0]));
		expect(kept.isWhole(0, 1)).toBe(true);
		expect(kept.isWhole(0, 2)).toBe(false);
	});

	it("are kept by scene and frame; the least recently used ones go", () => {
		const kept = new KeptLines(2);
		const lines = [1, 2, 3].map((frame) => linesOf({ frame }, FUTURES, [0, 0]));
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
