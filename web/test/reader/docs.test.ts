import { expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import { examplesOf, runExample } from "../support/docs-example.js";

it("the example of docs/reader.md reads the agents it describes", async () => {
	const [example = ""] = examplesOf("reader.md");
	const counted = example.replace(
		"batch.release();",
		"seen.push(shape); batch.release();",
	);
	expect(counted).not.toBe(example);
	const given = { ChunkedDataset, url: new MemorySource(tinyDataset()), seen: [] };
	expect(await runExample(counted, "seen", given)).toEqual([[12, 2]]);
});

it("the descriptions of docs/reader.md are of near agents, and by label", async () => {
	const example = examplesOf("reader.md").find((text) => text.includes("describe("));
	const groups: unknown[][] = [];
	using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
	const log = (...values: unknown[]) => groups.push(values);
	const given = { dataset, console: { log }, onProgress: undefined, signal: undefined };
	const rows = await runExample(example ?? "", "columns[0].count", given);
	expect(rows).toBe(24);
	expect(groups.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(24);
});
