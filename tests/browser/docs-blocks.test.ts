import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultyServer } from "../support/http-server.js";
import { serve } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));
const run = promisify(execFile);

const IMPORT = /^\s*import \{ (.*) \} from "(.*)";.*$/gm;

/** Variables that the examples of a document use without declaring them. */
const PRELUDES: Readonly<Record<string, string>> = {
	"README.md": "const feed = (batch) => seen.push(batch.image.shape[0]);",
	"docs/start.md": "",
	"docs/samples.md": `
		const { signal } = new AbortController();
		const [yamlText, root] = [JSON.stringify(config), "https://host/"];
		const bar = (part) => seen.push(part);
		const points = Float64Array.of(1, 2, 3, 4);
		const worldFromAgent = Float64Array.of(1, 0, 5, 0, 1, 6, 0, 0, 1);
		const [centroids, x, y] = [Float64Array.of(0, 0, 80, 0), 0, 0];
		const groundTruthCsv = "timestamp,track_id,avail_0,coord_x00,coord_y00\\n1,1,1.0,0.0,0.0\\n";
		const predictionCsv = [
			"timestamp,track_id,conf_0,conf_1,conf_2,coord_x00,coord_y00,coord_x10,coord_y10,coord_x20,coord_y20",
			"1,1,1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0\\n"].join("\\n");`,
	"docs/map.md": `
		import { ChunkedDataset } from "bevscope";
		const dataset = await ChunkedDataset.open("https://host/scenes/sample.zarr");`,
};

/** An expression, checked after a document's examples have run. */
const RESULTS: Readonly<Record<string, readonly [expression: string, value: unknown]>> =
	{
		"README.md": [
			"[frames.length, agents.centroid.length > 0, seen.length > 1]",
			[100, true, true],
		],
		"docs/start.md": ["agents.track_id.length === agents.length", true],
		"docs/samples.md": [
			"[sample.image.shape, perturbation.kind, agents.length > 0, seen.at(-1), agents.report !== undefined]",
			[[9, 32, 32], "ackerman", true, 1, true],
		],
		"docs/map.md": [
			"[map.lanes.length > 0, colours.length === map.lanes.length]",
			[true, true],
		],
	};

describe("browser/docs-blocks", () => {
	let server: FaultyServer;
	let folder: string;

	beforeAll(async () => {
		const town = at("build/town/");
		server = await serve(
			{},
			{ "/scenes/sample.zarr/": `${town}scenes/town.zarr`, "/": town },
		);
		folder = await mkdtemp(join(tmpdir(), "bevscope-docs-"));
		await mkdir(join(folder, "node_modules"));
		await symlink(at("web"), join(folder, "node_modules/bevscope"), "dir");
	});

	afterAll(async () => {
		await server.close();
		await rm(folder, { recursive: true });
	});

	/** Returns a document's scripts as one module; a later block may redeclare names. */
	async function moduleOf(document: string): Promise<string> {
		const text = await readFile(at(document), "utf8");
		const blocks = [...text.matchAll(/```(?:js|ts)\n([\s\S]*?)```/g)].map(
			([, code = ""]) => code.replace("dataset.close();", ""),
		);
		const [result] = RESULTS[document] ?? [];
		const config = await readFile(at("examples/web/config.js"), "utf8");
		const body = `const seen = [];
			${config.replace("export ", "").replaceAll("112", "32")}
			${PRELUDES[document]}
			${blocks.join("\n")}
			console.log("RESULT" + JSON.stringify(${result}));
			dataset.close();`;
		const all = body.replace(/^(\s*)const /gm, "$1var ");
		const names = new Map<string, Set<string>>();
		for (const [, list = "", from = ""] of all.matchAll(IMPORT)) {
			const known = names.get(from) ?? new Set();
			for (const name of list.split(",")) known.add(name.trim());
			names.set(from, known);
		}
		const imports = [...names].map(
			([from, known]) => `import { ${[...known].join(", ")} } from "${from}";`,
		);
		const rest = all.replace(IMPORT, "");
		const { code } = await transform(rest, { loader: "ts", target: "es2022" });
		return `${imports.join("\n")}\n${code}`.replaceAll(
			/https:\/\/host\/(l5\/)?/g,
			`${server.origin}/`,
		);
	}

	for (const [document, [, expected]] of Object.entries(RESULTS)) {
		it(`the scripts of ${document} run`, async () => {
			const path = join(folder, `${document.replaceAll("/", "-")}.mjs`);
			await writeFile(path, await moduleOf(document));
			const { stdout } = await run(process.execPath, [path], { cwd: folder });
			const [, result = ""] = stdout.split("RESULT");
			expect(JSON.parse(result)).toEqual(expected);
		});
	}
});
