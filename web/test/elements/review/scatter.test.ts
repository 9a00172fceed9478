import { describe, expect, it } from "vitest";
import { pointsOf } from "../../../src/elements/review/scatter.js";
import type { ComparedFrames } from "../../../src/tools/comparison.js";

/** Elements with these ADEs of A and B. */
function columns(a: readonly number[], b: readonly number[]): ComparedFrames {
	const ade = (all: readonly number[]) =>
		Float64Array.from(all.flatMap((v) => [v, 0, v]));
	const none = new Uint32Array();
	return {
		scenes: new Uint32Array(a.length),
		frames: new Uint32Array(a.length),
		counts: new Uint32Array(a.length),
		...{ a: ade(a), b: ade(b), worst: { ade: none, fde: none, nll: none } },
	};
}

const usual = Array.from({ length: 274 }, (_, i) => i / 100);

describe("review/scatter", () => {
	it("one outlier does not determine the axes", () => {
		const points = pointsOf(columns([...usual, 0.5], [...usual, 81.6]), "ade");
		expect(points?.low).toBe(0);
		expect(points?.high).toBeLessThan(4);
		expect(points?.high).toBeGreaterThan(2.7);
		expect(points?.beyond).toBe(1);
		expect(points?.index).toHaveLength(275);
	});

	it("the axes contain all values without outliers, and of few points", () => {
		const points = pointsOf(columns(usual, usual), "ade");
		expect([points?.low, points?.high, points?.beyond]).toEqual([0, 2.73, 0]);
		const few = pointsOf(columns([1, 2], [80, Number.NaN]), "ade");
		expect([few?.high, few?.beyond, few?.index.length]).toEqual([80, 0, 1]);
	});

	it("likelihoods may be below 0", () => {
		const nll = usual.map((value) => -value);
		const points = pointsOf(columns([...nll, -900], [...nll, 1]), "nll");
		expect(points?.low).toBeGreaterThan(-4);
		expect(points?.high).toBe(1);
		expect(points?.beyond).toBe(1);
	});

	it("many points are evenly chosen, with those of the list", () => {
		const many = Array.from({ length: 50_000 }, (_, i) => i);
		const given = columns(many, many);
		const order = Uint32Array.of(49_999, 7);
		const points = pointsOf({ ...given, worst: { ...given.worst, ade: order } }, "ade");
		expect(points?.count).toBe(50_000);
		expect(points?.index).toHaveLength(4_002);
		expect(points?.index.includes(49_999)).toBe(true);
		expect(points?.values[1]).toBe(49_999);
		expect(points?.index.filter((i) => i < 25_000)).toHaveLength(2_001);
	});
});
