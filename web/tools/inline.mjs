// Bundles single files that contain worker and core.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

/** Same as `OLDEST_BROWSERS` in `src/loading/probe.ts`. */
export const TARGET = ["chrome105", "firefox121", "safari16.4"];

/** Settings of every bundle. */
export const SETTINGS = {
	bundle: true,
	format: "esm",
	target: TARGET,
	logLevel: "warning",
};

/** Files in dist/ that the library needs, and those of the viewer. */
export const DATA = { wasm: "wasm/bev_stream.wasm", worker: "worker.js" };
export const ALL = {
	...DATA,
	tools: "wasm/bev_tools.wasm",
	reviewWorker: "review-worker.js",
	convert: "wasm/bev_convert.wasm",
	convertWorker: "convert-worker.js",
};

/** Returns a file, gzipped, in base64. */
function textOf(path) {
	return gzipSync(readFileSync(at(path)), { level: 9 }).toString("base64");
}

/** Returns a script that provides embedded files and then runs `rest`. */
export function providing(files, rest) {
	const texts = Object.entries(files).map(([name, path]) => [name, textOf(path)]);
	return `
		import { provide } from "./loading/embedded.js";
		provide(${JSON.stringify(Object.fromEntries(texts))});
		${rest}`;
}

/** Bundles the script `contents`, which imports from `modules`, into `outfile`. */
export async function inlined(contents, outfile, { modules = at(""), ...more } = {}) {
	await build({
		...SETTINGS,
		minify: true,
		stdin: { contents, resolveDir: modules, sourcefile: "inline-entry.js" },
		outfile,
		...more,
	});
}
