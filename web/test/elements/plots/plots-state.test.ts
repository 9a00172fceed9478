import { describe, expect, it } from "vitest";
import { parseCharts, parseTracks } from "../../../src/elements/plots/plots-state.js";
import { fieldOf, infoOf, SERIES } from "../../../src/elements/plots/quantities.js";

describe("plots in links", () => {
	it("quantities are names or fields, at most eight", () => {
		expect(parseCharts("speed,agents.velocity.1,speed")).toEqual([
			"speed",
			"agents.velocity.1",
		]);
		expect(parseCharts("")).toEqual([]);
		expect(parseCharts("speed,<b>")).toBeUndefined();
		expect(parseCharts("a,b,c,d,e,f,g,h,i")).toBeUndefined();
		expect(parseCharts(`agents.${"x".repeat(99)}.0`)).toBeUndefined();
	});

	it("tracks are ids or the ego vehicle, at most seven", () => {
		expect(parseTracks("ego,18446744073709551615,ego")).toEqual([
			"ego",
			18446744073709551615n,
		]);
		expect(parseTracks("1,x")).toBeUndefined();
		expect(parseTracks("1,2,3,4,5,6,7,8")).toBeUndefined();
	});

	it("fields have the units of the format", () => {
		expect(fieldOf("agents.a.b.2")).toEqual({
			table: "agents",
			field: "a.b",
			component: 2,
		});
		expect(fieldOf("speed")).toBeUndefined();
		expect(infoOf("agents.velocity.1")).toMatchObject({
			name: "velocity y",
			unit: "m/s",
		});
		expect(infoOf("frames.ego_translation.2").name).toBe("ego_translation z");
		expect(
			infoOf("agents.label_probabilities.1", ["A", "PERCEPTION_LABEL_CAR"]).name,
		).toBe("label_probabilities Car");
		expect(infoOf("constructor").name).toBe("constructor");
		expect(infoOf("yaw").factor).toBeCloseTo(57.2958);
		expect(Object.keys(SERIES)).toHaveLength(12);
	});
});
