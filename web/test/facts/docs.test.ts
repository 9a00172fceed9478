import { expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import { examplesOf, runExample } from "../support/docs-example.js";

it("the example of docs/scenarios.md finds near tracks", async () => {
	const [example = ""] = examplesOf("scenarios.md");
	const said: string[] = [];
	const given = {
		ChunkedDataset,
		console: { log: (line: string) => said.push(line) },
		url: new MemorySource(tinyDataset()),
	};
	const found = await runExample(
		example,
		"[[...scenes], distances.length, unit]",
		given,
	);
	expect(found).toEqual([[0, 1], 2, "m"]);
	expect(said).toContain("2 of 2 scenes");
});
