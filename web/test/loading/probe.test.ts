import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
	assertSupported,
	lacking,
	OLDEST_BROWSERS,
	obstacleOf,
	type Platform,
} from "../../src/loading/probe.js";

const needed: Platform = {
	WebAssembly: globalThis.WebAssembly,
	BigInt64Array: globalThis.BigInt64Array,
	AbortSignal: globalThis.AbortSignal,
	structuredClone: globalThis.structuredClone,
	Object: globalThis.Object,
	Array: globalThis.Array,
};

describe("loading/probe", () => {
	it("finds no missing feature in this engine", () => {
		expect(lacking()).toEqual([]);
		expect(() => assertSupported()).not.toThrow();
	});

	it("lists the features missing in an older engine", () => {
		const wasm = { ...WebAssembly, validate: () => false };
		expect(lacking({ ...needed, WebAssembly: wasm })).toEqual([
			"WebAssembly SIMD",
			"WebAssembly exceptions",
		]);
	});

	for (const name of Object.keys(needed) as (keyof Platform)[]) {
		it(`names the missing feature without ${name}`, () => {
			const found = lacking({ ...needed, [name]: undefined });
			expect(found.join()).toContain(name);
		});
	}

	it("detects an AbortSignal without throwIfAborted", () => {
		class AbortSignal {
			get reason(): undefined {
				return undefined;
			}
		}
		const platform = { ...needed, AbortSignal } as unknown as Platform;
		expect(lacking(platform)).toEqual(["AbortSignal.throwIfAborted"]);
	});

	it("names the minimum browsers", () => {
		expect(() => assertSupported(["WebAssembly SIMD"])).toThrow(
			"browser: missing WebAssembly SIMD (expected Chrome 105, Firefox 121, Safari 16.4 or newer)",
		);
	});

	it("marks its error as that of an old browser", () => {
		try {
			assertSupported(["Array.at"]);
			expect.unreachable();
		} catch (error) {
			expect(error).toMatchObject({ code: "unsupported" });
			expect(obstacleOf(error)).toBe("old browser");
		}
		expect(obstacleOf(new Error("browser: missing Array.at"))).toBeUndefined();
	});
});

const text = (path: string): string =>
	readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

it("is the same in the documents and in the build", () => {
	expect(text("README.md")).toContain(OLDEST_BROWSERS);
	expect(text("ARCHITECTURE.md")).toContain(OLDEST_BROWSERS);
	const targets = OLDEST_BROWSERS.toLowerCase().replaceAll(" ", "").split(",");
	expect(text("web/tools/inline.mjs")).toContain(
		JSON.stringify(targets).replaceAll(",", ", "),
	);
});
