import { describe, expect, it } from "vitest";
import {
	formatSettings,
	parseSettings,
	USUAL,
} from "../../../src/elements/distributions/settings.js";

describe("distributions/settings", () => {
	it("are the same after a link", () => {
		for (const text of [
			"",
			"scenes",
			"predictions;by=class;on=fde;boxes;xy=speed,ade",
			"predictions;b.ade=0.5~2;b.fde=?;b.class=0,2?;b.speed=~3;b.turn=-90~?",
			"tracks;b.distance=1e-7~2e+21",
		]) {
			const { settings, bad } = parseSettings(text);
			expect(bad).toEqual([]);
			expect(formatSettings(settings)).toBe(text);
		}
		expect(parseSettings("").settings).toEqual(USUAL);
	});

	it("report what is not understood, and keep the rest", () => {
		const parts = [
			...["b.ade=2~1", "b.ade=x~", "b.ade=~", "b.ade=", "b.A=1~", "b.ade=1~2~3"],
			...["by=", "on=A b", "xy=a", "xy=a,b,c", "boxes=1", "", "q"],
		];
		for (const part of parts) {
			const { settings, bad } = parseSettings(`scenes;${part};by=turn`);
			expect(bad).toEqual([part]);
			expect(settings).toEqual({ ...USUAL, table: "scenes", by: "turn" });
		}
		expect(parseSettings("x;boxes").bad).toEqual(["x"]);
	});
});
