import { describe, expect, it } from "vitest";
import { trackColour, trackStyle } from "../../../src/elements/plots/track-colours.js";

const plotted = ["ego", 7n, 8n] as const;

describe("plots/track-colours", () => {
	it("a plotted track keeps its style; any other one is the selection", () => {
		const styles = [...plotted, 9n].map((who) => trackStyle(who, { plotted }));
		expect(styles).toEqual([0, 2, 3, 1]);
	});

	it("the picture outlines a track in the colour of its line", () => {
		expect(trackColour(7n, { plotted })).toBe("vehicle");
		expect(trackColour(8n, { plotted })).toBe("pedestrian");
		expect(trackColour(9n, { plotted })).toBe("ink");
		// An outline in the ego's colour would not be seen around its box.
		expect(trackColour("ego", { plotted })).toBe("ink");
	});

	it("more tracks than styles begin again, without the ego's and the selection's", () => {
		const many = Array.from({ length: 7 }, (_, i) => BigInt(i));
		const styles = many.map((who) => trackStyle(who, { plotted: many }));
		expect(styles).toEqual([2, 3, 4, 5, 6, 7, 2]);
	});
});
