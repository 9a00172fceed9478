import { describe, expect, it } from "vitest";
import {
	digitsFor,
	linePath,
	nearestFrame,
	rangeWithin,
	roundStep,
	scale,
	ticksIn,
	UsualRanges,
	usualRange,
	zoomedSpan,
} from "../../../src/elements/plots/chart-scale.js";

const unknown = Number.NaN;

describe("scales of plots", () => {
	it("steps are 1, 2 or 5 times a power of ten", () => {
		expect(roundStep(10, 5)).toBe(2);
		expect(roundStep(0.9, 5)).toBeCloseTo(0.2);
		expect(roundStep(2001, 4)).toBe(1000);
		expect(roundStep(0, 4)).toBe(1);
		expect(roundStep(Number.POSITIVE_INFINITY, 4)).toBe(1);
	});

	it("ticks are round values within the range", () => {
		expect(ticksIn([-1.2, 3.1], 5)).toEqual([-1, 0, 1, 2, 3]);
		expect(ticksIn([0, 24.7], 5)).toEqual([0, 5, 10, 15, 20]);
		expect(Object.is(ticksIn([-1, 1], 2)[1], 0)).toBe(true);
		expect(ticksIn([1e300, 1e300], 5).length).toBeLessThan(8);
	});

	it("digits tell neighbouring ticks apart", () => {
		expect([100, 1, 0.5, 0.2, 0.05, 0.001].map(digitsFor)).toEqual([0, 0, 1, 1, 2, 3]);
	});

	it("a range contains the known values of the displayed frames", () => {
		const values = [unknown, 100, 2, 6, unknown, -50];
		const range = rangeWithin([values], { begin: 2, end: 5 }, 0);
		expect(range?.[0]).toBeCloseTo(2 - 0.24);
		expect(range?.[1]).toBeCloseTo(6.24);
		expect(rangeWithin([values], { begin: 4, end: 5 }, 1)).toBeUndefined();
		expect(rangeWithin([[3, 3]], { begin: 0, end: 9 }, 1)).toEqual([2.5, 3.5]);
	});

	it("a few outliers do not flatten the other values", () => {
		const span = { begin: 0, end: 100 };
		const values = Array.from({ length: 100 }, (_, k) => Math.sin(k / 5));
		const usual = usualRange([values], span, 0);
		expect(usual).toEqual(rangeWithin([values], span, 0));
		const jump = values.map((value, k) => (k === 50 ? -600 : value));
		const [low = 0, high = 0] = usualRange([jump], span, 0) ?? [];
		expect(low).toBeGreaterThan(-1.3);
		expect(high).toBeLessThan(1.3);
		// An acceleration with noise and one error of perception, as recorded ones.
		const noise = values.map((value, k) => (k === 3 ? -70 : 25 * value));
		expect(usualRange([noise], span, 0)?.[0]).toBeGreaterThan(-30);
		// Of constant values, the only change is what there is to see.
		const once = values.map((_, k) => (k === 50 ? 5 : 0));
		expect(usualRange([once], span, 0)).toEqual(rangeWithin([once], span, 0));
		expect(usualRange([[unknown, 3, 9]], span, 0)).toEqual(
			rangeWithin([[3, 9]], span, 0),
		);
		expect(usualRange([[unknown]], span, 0)).toBeUndefined();
	});

	it("usual ranges are those of the present values and frames", () => {
		const ranges = new UsualRanges();
		const [few, many] = [
			[1, 2],
			[5, 9],
		];
		const span = { begin: 0, end: 2 };
		const first = ranges.of("a", [few], span, 0);
		expect(first).toEqual(rangeWithin([few], span, 0));
		expect(ranges.of("a", [few], { begin: 0, end: 2 }, 0)).toBe(first);
		expect(ranges.of("a", [many], span, 0)).toEqual(rangeWithin([many], span, 0));
		expect(ranges.of("b", [few, many], span, 0)).toEqual(
			rangeWithin([few, many], span, 0),
		);
		expect(ranges.of("a", [few], { begin: 1, end: 2 }, 1)).toEqual([1.5, 2.5]);
	});

	it("unknown values interrupt a line", () => {
		const line = {
			seconds: [0, 1, 2, 3, 4],
			values: [1, 2, unknown, 4, unknown],
			x: scale([0, 4], 0, 40),
			y: scale([0, 4], 8, 0),
		};
		expect(linePath(line, { begin: 0, end: 5 })).toBe("M0.0 6.0h0L10.0 4.0M30.0 0.0h0");
		expect(linePath({ ...line, seconds: [0, unknown, 2] }, { begin: 0, end: 2 })).toBe(
			"M0.0 6.0h0",
		);
	});

	it("finds the frame of a time, also if times are unknown", () => {
		expect(nearestFrame([0, 0.1, unknown, 0.3], { begin: 0, end: 4 }, 0.26)).toBe(3);
		expect(nearestFrame([0, 0.1, 0.2], { begin: 1, end: 2 }, 9)).toBe(1);
	});

	it("zooms around a frame and stays in the scene", () => {
		expect(zoomedSpan({ begin: 0, end: 100 }, 50, 0.5, 100)).toEqual({
			begin: 25,
			end: 75,
		});
		expect(zoomedSpan({ begin: 0, end: 20 }, 0, 0.5, 100)).toEqual({
			begin: 0,
			end: 10,
		});
		expect(zoomedSpan({ begin: 80, end: 100 }, 99, 9, 100)).toEqual({
			begin: 0,
			end: 100,
		});
		expect(zoomedSpan({ begin: 3, end: 7 }, 5, 0.1, 100)).toEqual({ begin: 3, end: 7 });
	});
});
