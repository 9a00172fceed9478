import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The package at the address in the documents, and the files that they name one by one. */
const suite = useServers({
	server: () => {
		const file = (path: string) => readFileSync(at(`web/dist/${path}`));
		const objects = {
			"/core.wasm": file("wasm/bev_core.wasm"),
			"/worker.js": file("worker.js"),
		};
		return serve(objects, { "/bevscope/": at("web/dist") });
	},
});

/** Returns the scripts of a document. */
function scriptsOf(document: string): readonly string[] {
	const text = readFileSync(at(document), "utf8");
	return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
}

/** A script of a document, and what is around it. */
interface Page {
	readonly script: string;
	/** Elements of the page. */
	readonly body?: string;
	readonly before?: string;
	/** An expression, which the test expects to be `expected`. */
	readonly result: string;
	readonly expected: unknown;
}

/** Runs the script in a page under the strict policy; returns the result's value. */
async function run({ script, body = "", before = "", result }: Page): Promise<unknown> {
	const { server } = suite;
	const imports = [...script.matchAll(/^import .*$/gm)].map(([line]) => line);
	const rest = script.replaceAll(/^import .*$/gm, "");
	const { code } = await transform(
		`${imports.join("\n")}
		import { ChunkedDataset } from "bevscope";
		import { openPlace, ViewerController } from "viewer";
		const url = "/tiny.zarr";
		async function main() { ${before}; ${rest}; return ${result}; }
		globalThis.outcome = main();`,
		{ loader: "ts", target: "es2022" },
	);
	const page = code
		.replaceAll(/from "bevscope"/g, 'from "/bevscope/index.js"')
		.replaceAll(/from "viewer"/g, 'from "/bevscope/cdn/viewer.js"')
		.replaceAll("https://host/sample.zarr", `${server.origin}/tiny.zarr`)
		.replaceAll("https://host", server.origin);
	server.put("/main.js", page);
	server.put(
		"/docs.html",
		`<!doctype html><script type="module" src="/main.js"></script>${body}`,
	);
	server.csp = STRICT_CSP;
	const opened = await openPage(suite.browser, server, "/docs.html");
	await opened.page.waitForFunction(() => "outcome" in globalThis);
	return opened.page.evaluate(
		() => (globalThis as unknown as { outcome: Promise<unknown> }).outcome,
	);
}

const [CACHE = "", CONFIGURE = "", LOAD = ""] = scriptsOf("docs/hosting.md");
const [, SINGLE = ""] = scriptsOf("docs/embed.md");

const PAGES: Readonly<Record<string, Page>> = {
	"docs/hosting.md: a persistent cache": {
		script: CACHE,
		result: "dataset.scenes.length",
		expected: 2,
	},
	"docs/hosting.md: where the files are": {
		script: CONFIGURE,
		result: "(await ChunkedDataset.open(url)).capabilities.worker",
		expected: "none",
	},
	"docs/hosting.md: where the files of one data set are": {
		script: LOAD,
		result: "dataset.capabilities.worker",
		expected: "module",
	},
	"docs/embed.md: single elements": {
		script: SINGLE,
		before: `
			const [sceneView, timeline] = ["bev-scene-view", "bev-timeline"].map((tag) => document.createElement(tag));
			document.body.append(sceneView, timeline);`,
		result: `(await controller.settled, await customElements.whenDefined("bev-timeline"), await timeline.updateComplete,
			[controller.state.shown.frame, timeline.renderRoot.querySelector("button") !== null])`,
		expected: [0, true],
	},
};

describe("browser/docs-pages: the scripts of documents run in pages", () => {
	for (const [name, page] of Object.entries(PAGES)) {
		it(name, async () => {
			expect(await run(page)).toEqual(page.expected);
		});
	}
});
