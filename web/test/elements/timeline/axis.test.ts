import { describe, expect, it } from "vitest";
import {
	axisOf,
	beyond,
	boundsOfSeries,
	seriesPath,
} from "../../../src/elements/timeline/axis.js";

const UNKNOWN = Number.NaN;

describe("timeline/axis", () => {
	it("draws a path that breaks at unknown values, with a point for a lone one", () => {
		const series = Float64Array.of(0, 10, UNKNOWN, 5);
		expect(seriesPath(series, 0, 10)).toBe("M0 1.0000h0L1 0.0000M3 0.5000h0");
	});

	it("values beyond the axis are drawn at its end, and found", () => {
		const series = Float64Array.of(-5, 5, 20, UNKNOWN);
		expect(seriesPath(series, 0, 10)).toBe("M0 1.0000h0L1 0.5000L2 0.0000");
		expect(beyond(series, { low: 0, high: 10 })).toEqual([
			[0, false],
			[2, true],
		]);
	});

	it("prints the values' own bounds, and draws them with a margin", () => {
		const series = Float64Array.of(0, 10, UNKNOWN, 5);
		const axis = axisOf([series, Float64Array.of(-10)], { least: 1 });
		expect(axis?.bounds).toEqual([-10, 10]);
		expect(axis?.low).toBeLessThan(-10);
		expect(axis?.high).toBeGreaterThan(10);
		expect(axisOf([Float64Array.of(UNKNOWN)], { least: 1 })).toBeUndefined();
		expect(axisOf([], { least: 1 })).toBeUndefined();
	});

	it("an axis of speeds begins at 0, unless a value is negative", () => {
		const speeds = Float64Array.of(5, 6.9, UNKNOWN);
		expect(boundsOfSeries([speeds])).toEqual([5, 6.9]);
		const axis = axisOf([speeds], { least: 0.5, fromZero: true });
		expect(axis?.low).toBe(0);
		expect(axis?.bounds).toEqual([5, 6.9]);
		const backward = axisOf([Float64Array.of(-1, 5)], { least: 0.5, fromZero: true });
		expect(backward?.low).toBeLessThan(-1);
		expect(axisOf([Float64Array.of(0)], { least: 0.5, fromZero: true })).toEqual({
			...{ low: 0, high: 0.5, bounds: [0, 0] },
		});
	});

	it("one outlier does not flatten the others, and stays in the bounds", () => {
		const series = Float64Array.from({ length: 100 }, (_, k) => Math.sin(k / 5));
		series[40] = -600;
		const axis = axisOf([series], { least: 0.1 });
		expect(axis?.low).toBeGreaterThan(-1.3);
		expect(axis?.bounds[0]).toBe(-600);
		expect(axis && beyond(series, axis)).toEqual([[40, false]]);
	});
});
