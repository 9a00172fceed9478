import { expect, it } from "vitest";
import { tinyDataset } from "../../tests/support/tiny-dataset.js";
import { AgentClass, ChunkedDataset, MemorySource } from "../src/index.js";
import { examplesOf, runExample } from "./support/docs-example.js";

const said: string[] = [];
const given = {
	AgentClass,
	ChunkedDataset,
	console: { log: (line: string) => said.push(line) },
	url: new MemorySource(tinyDataset()),
};

it("the examples of docs/typescript.md read scenes, frames, times and rows", async () => {
	const [scenes = "", rows = ""] = examplesOf("typescript.md");
	expect(await runExample(scenes, "[near, points.at(-1).time]", given)).toEqual([
		6, 0.5,
	]);
	expect(said).toEqual(["host-1: 6 frames in 0.5 s from 2019-11-01T21:28:04.600Z"]);
	const opened = `const dataset = await ChunkedDataset.open(url); ${rows}`;
	expect(await runExample(opened, "[x, time]", given)).toEqual([
		0,
		1_572_643_684_000_000_000n,
	]);
});
