import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";

const DOCUMENT = new URL("../../../docs/reader.md", import.meta.url);

/** Runs a script with the given variables; returns the value of its `return`. */
type Script = (lib: typeof ChunkedDataset, url: MemorySource) => Promise<unknown>;

it("the example of docs/reader.md reads the agents it describes", async () => {
	const [, example = ""] =
		/```ts\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, "utf8")) ?? [];
	const counted = example.replace(
		"batch.release();",
		"seen.push(shape); batch.release();",
	);
	expect(counted).not.toBe(example);
	const body = `return (async () => { const seen = []; ${counted} return seen; })();`;
	const { code } = await transform(`function run() { ${body} }`, {
		loader: "ts",
		target: "es2022",
	});
	const script = new Function(
		"ChunkedDataset",
		"url",
		`${code} return run();`,
	) as Script;
	const source = new MemorySource(tinyDataset());
	expect(await script(ChunkedDataset, source)).toEqual([[12, 2]]);
});
