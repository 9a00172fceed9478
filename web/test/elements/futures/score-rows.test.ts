import { describe, expect, it } from "vitest";
import { rankedNames } from "../../../src/elements/futures/score-rows.js";
import type { ScoreSource } from "../../../src/elements/futures/score-source.js";
import { SCORES } from "../../../src/reviewing/remote-futures.js";

const source = (columns: readonly string[], ofFutures: readonly string[] = []) =>
	({ columns, ofFutures }) as unknown as ScoreSource;
const named = (name: "submissions" | "futures", ...sources: ScoreSource[]) =>
	rankedNames({ name, sources });

describe("elements/futures/score-rows", () => {
	it("a ranking has all values but the best future's number", () => {
		const { names, beyond } = named("submissions", source(SCORES));
		expect(names).toEqual(SCORES.filter((one) => one !== "best_rollout"));
		expect(beyond).toEqual([]);
	});

	it("a comparison has the qualities that any of both has", () => {
		const { names } = named("submissions", source(SCORES), source(["ade", "jerk"]));
		const usual = [
			"ade",
			"min_ade",
			"fde",
			"min_fde",
			"collision_rate",
			"off_lane_rate",
		];
		expect(names).toEqual([...usual, "jerk"]);
	});

	it("columns beyond the limit of a table are named", () => {
		const many = Array.from({ length: 33 }, (_, i) => `c${i}`);
		expect(named("submissions", source(many)).beyond).toEqual(["c31", "c32"]);
		const both = named("submissions", source(many), source([]));
		expect(both.names).toHaveLength(10);
		expect(both.beyond).toHaveLength(23);
		const futures = named("futures", source([], many));
		expect(futures.names).toHaveLength(30);
		expect(futures.beyond).toEqual(["c30", "c31", "c32"]);
	});
});
