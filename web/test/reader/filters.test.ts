import { describe, expect, it } from "vitest";
import {
	randomFilters,
	randomFiltersZip,
} from "../../../tests/support/random-filters.js";
import { ChunkedDataset } from "../../src/index.js";

describe("reader/filters", () => {
	it("2,000 random filters pass the rows that Python's numbers say", async () => {
		const filters = randomFilters();
		expect(filters).toHaveLength(2000);
		using dataset = await ChunkedDataset.open(new File([randomFiltersZip()], "a.zip"));
		const wrong: unknown[] = [];
		for (const [from, where, expected] of filters) {
			using reader = dataset.reader({ from, fields: ["row"], where, batch: 128 });
			let rows = 0n;
			for await (const batch of reader) {
				for (const row of batch.column("row").data) rows |= 1n << BigInt(row);
				batch.release();
			}
			if (rows.toString(16) !== expected) wrong.push([from, where]);
		}
		expect(wrong).toEqual([]);
	}, 120_000);
});
