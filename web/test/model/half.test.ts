import { describe, expect, it } from "vitest";
import { floatsOf, halvesOf } from "../../src/model/half.js";

const half = (value: number): number => halvesOf(new Float32Array([value]))[0] ?? -1;
const float = (bits: number): number => floatsOf(new Uint16Array([bits]))[0] ?? -1;

describe("model/half", () => {
	it("returns every half for its own value", () => {
		const all = Uint16Array.from({ length: 65_536 }, (_, i) => i);
		const values = floatsOf(all);
		const again = halvesOf(values);
		const differs = [...all].filter((bits, i) => {
			const isNan = (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0;
			return isNan ? !Number.isNaN(values[i]) : again[i] !== bits;
		});
		expect(differs).toEqual([]);
	});

	it("has the values of IEEE 754", () => {
		expect(float(0x3c00)).toBe(1);
		expect(float(0xc000)).toBe(-2);
		expect(float(0x7bff)).toBe(65_504);
		expect(float(0x0400)).toBe(2 ** -14);
		expect(float(0x0001)).toBe(2 ** -24);
		expect(float(0xfc00)).toBe(Number.NEGATIVE_INFINITY);
	});

	it("rounds to the nearest one, ties to even", () => {
		expect(half(1 + 2 ** -11)).toBe(0x3c00);
		expect(half(1 + 3 * 2 ** -11)).toBe(0x3c02);
		expect(half(1 + 2 ** -11 + 2 ** -20)).toBe(0x3c01);
		expect(half(65_519)).toBe(0x7bff);
		expect(half(65_520)).toBe(0x7c00);
		expect(half(-1e9)).toBe(0xfc00);
		expect(half(2 ** -25)).toBe(0);
		expect(half(2 ** -25 + 2 ** -40)).toBe(1);
		expect(half(3 * 2 ** -25)).toBe(2);
		expect(half(Number.NaN) & 0x7fff).toBe(0x7e00);
	});
});
