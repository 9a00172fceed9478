import { describe, expect, it } from "vitest";
import type { ColumnInfo } from "../../../src/elements/distributions/columns.js";
import {
	clustersWords,
	intervalWords,
	verdictOf,
} from "../../../src/elements/distributions/surety.js";
import type {
	MeanInterval,
	PairSummary,
} from "../../../src/reviewing/remote-distribution.js";

const ADE: ColumnInfo = { name: "ade", words: "ADE", unit: "m", shown: true };
const SPEED: ColumnInfo = { ...ADE, name: "max_speed", unit: "m/s" };
const MISS: ColumnInfo = {
	...{ ...ADE, name: "miss", unit: "" },
	...{ categories: ["hit", "miss"], flag: true },
};

function mean(mean: number, low: number, high: number, clusters = 12): MeanInterval {
	return { mean, low, high, count: 340, clusters, byScene: true };
}

function pair(difference: MeanInterval, equal = 0): PairSummary {
	const none = mean(1, 0, 2);
	return { a: none, b: none, difference, missing: 0, alone: 0, lower: 0, equal };
}

describe("distributions/surety", () => {
	it("calls a model better only if the interval excludes 0", () => {
		const of = (info: ColumnInfo, ...numbers: [number, number, number]) =>
			verdictOf(info, pair(mean(...numbers)));
		expect(of(ADE, -0.12, -0.2, -0.04)).toEqual({
			text: "B is better: B \u2212 A is \u22120.120 m, 95 % interval \u22120.200 to \u22120.040 m, over 340 pairs of 12 scenes.",
			isSure: true,
		});
		expect(of(ADE, 0.12, 0.04, 0.2).text).toMatch(
			/^B is worse: B \u2212 A is \+0\.120 m/,
		);
		expect(of(ADE, 0.12, -0.04, 0.28)).toMatchObject({
			text: expect.stringMatching(/^No sure difference: /),
			isSure: false,
		});
		expect(of(SPEED, 2, 1, 3).text).toMatch(/^B is higher: /);
		expect(of(MISS, 0.1, 0.05, 0.15).text).toMatch(
			/^B is worse: B \u2212 A is \+10\.0 percentage points, 95 % interval \+5\.0 to \+15\.0 percentage points/,
		);
	});

	it("says what it cannot say", () => {
		const unknown = { ...mean(0.3, NaN, NaN, 1), byScene: false };
		expect(verdictOf(ADE, pair(unknown))).toMatchObject({ isSure: false });
		expect(intervalWords(ADE, unknown)).toBe("unknown");
		const none = { ...mean(NaN, NaN, NaN, 0), count: 0 };
		expect(verdictOf(ADE, pair(none)).text).toBe("No pair has both values.");
		expect(intervalWords(ADE, none)).toBe("unknown");
		expect(verdictOf(ADE, pair(mean(0, 0, 0), 340)).text).toBe(
			"A and B are equal in all 340 pairs.",
		);
	});

	it("tells what an interval is over", () => {
		const scenes = mean(1, 0.5, 1.5);
		expect(intervalWords(ADE, scenes)).toBe("0.50 to 1.50 m");
		expect(clustersWords(scenes)).toBe("12 scenes");
		const tracks = { ...mean(0.2, 0.1, 0.4, 1), byScene: false };
		expect(intervalWords(MISS, tracks)).toBe("10.0 to 40.0 %");
		expect(clustersWords(tracks)).toBe("1 scene");
		expect(clustersWords({ ...tracks, clusters: 2 })).toBe("2 agents");
		expect(intervalWords(ADE, mean(1, 1, 1))).toBe("all equal");
	});
});
