import { describe, expect, it } from "vitest";
import {
	boundsOfSeries,
	rangeOfSeries,
	seriesPath,
} from "../../../src/elements/timeline/plots.js";

describe("series", () => {
	it("draws a path that breaks at unknown values", () => {
		const series = Float64Array.of(0, 10, Number.NaN, 5);
		expect(seriesPath(series, 0, 10)).toBe("M0 1.0000L1 0.0000M3 0.5000");
	});

	it("spans all known values, with a margin", () => {
		const series = Float64Array.of(0, 10, Number.NaN, 5);
		expect(rangeOfSeries([series], 0.5)).toEqual([-0.8, 10.8]);
		expect(rangeOfSeries([series, Float64Array.of(-10)], 2)).toEqual([-12, 12]);
		expect(rangeOfSeries([Float64Array.of(Number.NaN)], 0.5)).toBeUndefined();
	});

	it("has the values' own bounds, and an axis of speeds from 0", () => {
		const speeds = Float64Array.of(5, 6.9, Number.NaN);
		expect(boundsOfSeries([speeds])).toEqual([5, 6.9]);
		expect(boundsOfSeries([Float64Array.of(Number.NaN)])).toBeUndefined();
		const [low, high] = rangeOfSeries([speeds], 0.5, true) ?? [];
		expect(low).toBe(0);
		expect(high).toBeCloseTo(6.9 * 1.08);
		expect(rangeOfSeries([Float64Array.of(0)], 0.5, true)).toEqual([0, 0.5]);
	});
});
