import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { USUAL } from "./projects.js";
import { ENVIRONMENT, NODE, pagesOf, projectOf, run, runScript } from "./runner.js";

const started = pagesOf(USUAL, "consumers");

describe("consumers: Node", () => {
	it("reads a frame in a thread, and the process ends without close()", async () => {
		const said = await runScript(started, NODE);
		expect(JSON.parse(said)).toEqual({ east: 3, agents: 3 });
	});

	it("imports the elements without a document", async () => {
		const script = `
			import { formatLink, Viewer } from "bevscope-viewer";
			console.log(JSON.stringify([typeof Viewer, typeof formatLink]));
		`;
		const said = await runScript(started, { name: "server", script });
		expect(JSON.parse(said)).toEqual(["function", "function"]);
	});
});

describe("consumers: npm install", () => {
	const packages = async (folder: string): Promise<string[]> =>
		(await readdir(join(folder, "node_modules"))).filter(
			(name) => !name.startsWith("."),
		);

	it("of bevscope installs nothing else; of bevscope-viewer, bevscope", async () => {
		const files = { "package.json": "{}" };
		const [reader = "", viewer = ""] = started.tarballs;
		const folder = await projectOf({ name: "install", files }, { tarballs: [] });
		const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
		const install = (...given: string[]) =>
			run("npm", ["install", ...quiet, ...given], { cwd: folder, env: ENVIRONMENT });
		await install(reader);
		expect(await packages(folder)).toEqual(["bevscope"]);
		await install(viewer);
		expect(await packages(folder)).toEqual(["bevscope", "bevscope-viewer"]);
		const said = await run(
			join(folder, "node_modules/.bin/bevscope-files"),
			["copied"],
			{
				cwd: folder,
			},
		);
		expect(said.stdout).toBe("copied: 11 files\n");
		expect((await readdir(join(folder, "copied"))).sort()).toEqual([
			"LICENSE",
			"NOTICE",
			"convert-worker.js",
			"model-worker.js",
			"review-worker.js",
			"wasm",
			"worker.js",
		]);
	});
});
