import { describe, expect, it } from "vitest";
import { assertSupported, lacking } from "../../src/loading/probe.js";

describe("loading/probe", () => {
	it("finds nothing lacking here", () => {
		expect(lacking()).toEqual([]);
		expect(() => assertSupported()).not.toThrow();
	});

	it("tells what an engine without the newer features lacks", () => {
		expect(lacking(() => false)).toEqual([
			"WebAssembly SIMD",
			"WebAssembly exceptions",
		]);
	});

	it("says which browsers will do", () => {
		expect(() => assertSupported(["WebAssembly SIMD"])).toThrow(
			"this browser lacks WebAssembly SIMD; Chrome 95, Firefox 100, Safari 16.4 or newer is needed",
		);
	});
});
