import { readdirSync, readFileSync } from "node:fs";
import { parse } from "acorn";
import { transform } from "esbuild";
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

/** Scripts and comments with examples: those of all documents, and of the sources. */
function snippets(): [where: string, code: string, loader: "js" | "ts"][] {
	const root = new URL("../../", import.meta.url);
	const guides = readdirSync(new URL("docs", root)).filter((name) =>
		/\.md$/.test(name),
	);
	const sources = readdirSync(new URL("web/src", root), { recursive: true });
	const files = [
		...["README.md", "web/README.md", "web/viewer/README.md"],
		...guides.map((name) => `docs/${name}`),
		...sources
			.filter((name) => /\.ts$/.test(`${name}`))
			.map((name) => `web/src/${name}`),
	];
	return files.flatMap((file) => {
		const text = readFileSync(new URL(file, root), "utf8").replace(/^\s*\* ?/gm, "");
		return [...text.matchAll(/^```(js|ts)\n([\s\S]*?)^```/gm)].map(
			([, loader, code = ""]): [string, string, "js" | "ts"] => [
				file,
				code,
				loader === "js" ? "js" : "ts",
			],
		);
	});
}

it("the snippets of all documents run in the oldest Node, without a compiler", async () => {
	const all = snippets();
	expect(all.length).toBeGreaterThan(45);
	for (const [file, snippet, loader] of all) {
		const { code } = await transform(snippet, { loader, target: "esnext" });
		const options = { ecmaVersion: 2022, sourceType: "module" } as const;
		expect(() => parse(code, options), `${file}:\n${code}`).not.toThrow();
	}
});
