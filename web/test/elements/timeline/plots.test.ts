import { describe, expect, it } from "vitest";
import { rangeOfSeries, seriesPath } from "../../../src/elements/timeline/plots.js";

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
});
