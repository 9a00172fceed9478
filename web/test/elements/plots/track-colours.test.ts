import { describe, expect, it } from "vitest";
import { lineStyle } from "../../../src/elements/plots/series-styles.js";

describe("plots/series-styles", () => {
	it("the selection has the timeline's line, whether or not it is kept", () => {
		const plotted = ["ego", 7n, 8n] as const;
		const styles = (selection?: bigint) =>
			[...plotted, 9n].map((who) => lineStyle(who, { plotted, selection }));
		expect(styles(9n)).toEqual([0, 2, 3, 1]);
		expect(styles(7n).slice(0, 3)).toEqual([0, 1, 3]);
		expect(styles(8n).slice(0, 3)).toEqual([0, 2, 1]);
	});
});
