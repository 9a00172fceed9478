import { describe, expect, it } from "vitest";
import { rangeOfSeries, seriesOf, seriesPath } from "../../src/elements/series.js";
import type { FrameView } from "../../src/frame-view.js";
import { fakeFrame } from "../support/fake-dataset.js";

const seconds = Float64Array.of(0, 0.1, 0.2, 0.3, 0.4);

/** Frames whose ego has these speeds and yaws; undefined is a frame not held. */
function held(
	poses: readonly (readonly [speed: number, yaw: number] | undefined)[],
): Map<number, FrameView> {
	const frames = new Map<number, FrameView>();
	poses.forEach((pose, k) => {
		if (!pose) return;
		const view = fakeFrame(0, k, 2);
		frames.set(k, { ...view, ego: { ...view.ego, speed: pose[0], yaw: pose[1] } });
	});
	return frames;
}

describe("series", () => {
	it("has no value where no frame is held", () => {
		const frames = held([[1, 0], [2, 0], undefined, [4, 0], [5, 0]]);
		const speeds = seriesOf(frames, "ego", "speed", seconds);
		expect([...speeds]).toEqual([1, 2, Number.NaN, 4, 5]);
	});

	it("takes acceleration from the frames on both sides, at ends from one", () => {
		const frames = held([
			[0, 0],
			[1, 0],
			[4, 0],
			[9, 0],
			[16, 0],
		]);
		const changes = [...seriesOf(frames, "ego", "acceleration", seconds)];
		[10, 20, 40, 60, 70].forEach((value, k) => {
			expect(changes[k], `frame ${k}`).toBeCloseTo(value, 6);
		});
	});

	it("turns on through half a turn, in degrees", () => {
		const frames = held([
			[0, 3.1],
			[0, -3.1],
			[0, -3],
			[0, 3],
			[0, 2.9],
		]);
		const yaws = [...seriesOf(frames, "ego", "yaw", seconds)];
		const degrees = (radians: number) => (radians * 180) / Math.PI;
		expect(yaws[1]).toBeCloseTo(degrees(2 * Math.PI - 3.1), 6);
		expect(yaws[3]).toBeCloseTo(degrees(3), 6);
		const rates = [...seriesOf(frames, "ego", "rate", seconds)];
		expect(Math.max(...rates.map(Math.abs))).toBeLessThan(300);
	});

	it("follows a track, and knows nothing of one that is not there", () => {
		const frames = held([
			[0, 0],
			[0, 0],
		]);
		expect(seriesOf(frames, 1n, "speed", seconds)[1]).toBe(8);
		expect(seriesOf(frames, 77n, "speed", seconds).every(Number.isNaN)).toBe(true);
	});

	it("draws a path from top to bottom that breaks where nothing is known", () => {
		const series = Float64Array.of(0, 10, Number.NaN, 5);
		expect(seriesPath(series, 0, 10)).toBe("M0 1.0000L1 0.0000M3 0.5000");
		expect(rangeOfSeries([series])).toEqual([-0.8, 10.8]);
		expect(rangeOfSeries([Float64Array.of(Number.NaN)])).toBeUndefined();
	});
});
