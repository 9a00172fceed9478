import { describe, expect, it } from "vitest";
import { BevError } from "../../src/base/errors.js";
import { Core, idOf, pick, rowsOf } from "../../src/core/core.js";
import { pageTools } from "../../src/elements/session/page-tools.js";
import { loadTools } from "../../src/tools.js";

const core = await pageTools();

/** Returns the error of a call. */
function refused(call: () => unknown): BevError {
	try {
		call();
	} catch (error) {
		if (error instanceof BevError) return error;
		throw error;
	}
	throw new Error("not refused");
}

describe("core/core", () => {
	it("returns copies of arrays, which later calls do not change", () => {
		const first = core.run("angular_distances", {
			a: Float64Array.of(1, 2),
			b: Float64Array.of(0, 0),
		});
		core.run("angular_distances", { a: Float64Array.of(3), b: Float64Array.of(0) });
		expect([...first]).toEqual([1, 2]);
	});

	it("refuses values of another kind, and what is missing", () => {
		const b = Float64Array.of(0);
		const wrong = (a: unknown) => () =>
			core.run("angular_distances", { a: a as Float64Array, b });
		expect(refused(wrong(Int32Array.of(1))).message).toBe(
			"a: wrong kind (expected Float64Array)",
		);
		expect(refused(wrong("1")).code).toBe("invalid_argument");
		expect(refused(wrong([1])).code).toBe("invalid_argument");
		const feigned = { [Symbol.toStringTag]: "Float64Array", length: 1 };
		expect(refused(wrong(feigned)).code).toBe("invalid_argument");
		expect(refused(wrong(undefined)).message).toBe("a: missing");
		const steps = (count: number) => () =>
			core.run("write_truths", { ...TABLE, steps: count });
		expect(refused(steps(1.5)).message).toContain("steps: invalid number");
		const name = 7 as unknown as string;
		expect(refused(() => core.run("prediction_reader", { name })).message).toBe(
			"name: wrong kind (expected a string)",
		);
	});

	it("refuses objects that were released, and those of another kind", () => {
		const comparison = core.run("comparison", {});
		expect(core.run("comparison_report", { comparison, most: 1 })).toBeDefined();
		expect(
			refused(() => core.run("review_shape", { review: comparison as number })).message,
		).toBe("review: released, or lost in a failure (expected Review)");
		core.release(comparison);
		core.release(comparison);
		expect(
			refused(() => core.run("comparison_report", { comparison, most: 1 })).code,
		).toBe("invalid_argument");
	});

	it("says which operations a module does not have", () => {
		const none = { find: () => -1, call: {} } as unknown as ConstructorParameters<
			typeof Core
		>[0];
		const error = refused(() => new Core(none).run("comparison", {}));
		expect(error.code).toBe("unsupported");
		expect(error.message).toContain("comparison");
	});

	it("passes texts of every length, with every character", () => {
		const piece = new TextEncoder().encode("x\n");
		for (const name of ["a", "a".repeat(64), "b".repeat(65), "größe 🚗", "\ud800!"]) {
			const reader = core.run("prediction_reader", { name });
			const run = () => core.run("add_predictions", { reader, piece });
			const passed = name.replace("\ud800", "\ufffd");
			expect(refused(run).message.startsWith(`${passed}:`)).toBe(true);
			core.release(reader);
		}
	});

	it("objects of a release are freed once", async () => {
		const tools = await loadTools();
		const comparison = tools.comparison();
		expect(idOf(comparison)).toBeGreaterThan(0);
		comparison.release();
		comparison.release();
		expect(() => comparison.report(1)).toThrow(BevError);
	});

	it("makes rows of columns, and finds arrays by name", () => {
		const arrays = {
			"rows.frame": Uint32Array.of(4, 5),
			"rows.track": BigInt64Array.of(7n, -1n),
		};
		expect(rowsOf(arrays, "rows", ["frame", "track"])).toEqual([
			{ frame: 4, track: 7n },
			{ frame: 5, track: -1n },
		]);
		expect(pick(arrays, "rows.frame", Uint32Array)).toBe(arrays["rows.frame"]);
		expect(() => pick(arrays, "rows.frame", Float64Array)).toThrow(BevError);
	});
});

const TABLE = {
	timestamps: new BigInt64Array(),
	track_ids: new BigInt64Array(),
	weights: new Float64Array(),
	coords: new Float64Array(),
};
