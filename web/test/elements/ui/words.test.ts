import { describe, expect, it } from "vitest";
import { formatBytes } from "../../../src/elements/ui/words.js";

describe("ui/words", () => {
	it("formats bytes", () => {
		expect([312, 1500, 14_000, 1_900_000, 2.5e9].map(formatBytes)).toEqual([
			"312 B",
			"1.5 kB",
			"14 kB",
			"1.9 MB",
			"2.50 GB",
		]);
	});
});
