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
