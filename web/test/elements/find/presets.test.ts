import { describe, expect, it } from "vitest";
import { TINY, tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { FIND_TABLES, isOfFacts } from "../../../src/elements/find/find-state.js";
import { hasClause, PRESETS, toggled } from "../../../src/elements/find/presets.js";
import { ChunkedDataset, MemorySource } from "../../../src/index.js";

const brake = { name: "Hard braking", clause: "ego_hardest_brake < -3" };
const left = { name: "Left turn", clause: "turn == 'left'" };

describe("find/presets", () => {
	it("a chip adds its condition to the filter, and removes it", () => {
		const one = toggled("", brake);
		expect(one).toBe("ego_hardest_brake < -3");
		const two = toggled(one, left);
		expect(two).toBe("ego_hardest_brake < -3 and turn == 'left'");
		expect([brake, left].map((preset) => hasClause(two, preset))).toEqual([true, true]);
		expect(toggled(two, brake)).toBe("turn == 'left'");
		expect(toggled("turn == 'left'", left)).toBe("");
		expect(hasClause("turn == 'lefty'", left)).toBe(false);
	});

	it("alternatives are put in parentheses before a condition is added", () => {
		expect(toggled("tracks > 1 or frames > 2", left)).toBe(
			"(tracks > 1 or frames > 2) and turn == 'left'",
		);
		expect(toggled("(tracks > 1 or frames > 2)", left)).toBe(
			"(tracks > 1 or frames > 2) and turn == 'left'",
		);
		expect(toggled("label == 'or'", left)).toBe("label == 'or' and turn == 'left'");
	});

	it("all conditions are valid, alone and together", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		for (const table of FIND_TABLES) {
			const all = PRESETS[table].reduce(toggled, "");
			for (const where of [...PRESETS[table].map(({ clause }) => clause), all]) {
				if (isOfFacts(table)) {
					const found = await dataset.facts({ table, where }).read();
					expect(found.rows).toBeLessThanOrEqual(TINY.scenes * TINY.agentsPerFrame);
				} else {
					using reader = dataset.reader({ from: table, where });
					expect(await reader.count()).toBeGreaterThanOrEqual(0);
				}
			}
		}
	});
});
