import { describe, expect, it } from "vitest";
import { availabilityOf } from "../../../src/elements/agents/availability.js";
import { fakeFrame } from "../../support/fake-dataset.js";

/** Track 2 is missing in frame 7, and frame 15 is not loaded. */
const frames = new Map(
	Array.from({ length: 30 }, (_, k) => [k, fakeFrame(0, k, k === 7 ? 1 : 3)] as const),
);
frames.delete(15);

describe("availability", () => {
	it("distinguishes absent from not loaded, for 10 frames before and 50 after", () => {
		const cells = availabilityOf(frames, 12, 30, 2n);
		expect(cells.length).toBe(61);
		expect(cells[5]).toBe("missing"); // frame 7
		expect(cells[13]).toBe("unknown"); // frame 15
		expect(cells.filter((cell) => cell === "there").length).toBe(26);
		expect(cells.slice(28).every((cell) => cell === "missing")).toBe(true);
	});

	it("is empty before the scene's start", () => {
		const cells = availabilityOf(frames, 2, 30, 1n);
		expect(cells.slice(0, 8).every((cell) => cell === "missing")).toBe(true);
		expect(cells[8]).toBe("there");
	});
});
