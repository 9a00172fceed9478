// Prints what a page loads, in kB after brotli, and fails where a budget is exceeded.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

/** As an application's bundler would take it in: minified, without the files beside it. */
async function bundled(entry) {
	const { outputFiles } = await build({
		entryPoints: [at(entry)],
		bundle: true,
		minify: true,
		format: "esm",
		write: false,
		logLevel: "error",
	});
	return outputFiles[0].contents;
}

function kilobytes(bytes) {
	const params = {
		[constants.BROTLI_PARAM_QUALITY]: 11,
		[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
	};
	return brotliCompressSync(bytes, { params }).length / 1000;
}

const budgets = [
	["index.js, bundled", await bundled("index.js"), 25],
	["elements/define.js, bundled", await bundled("elements/define.js"), 55],
	["worker.js", readFileSync(at("worker.js")), 25],
	["wasm/bev_core.wasm", readFileSync(at("wasm/bev_core.wasm")), 300],
];

for (const [name, bytes, budget] of budgets) {
	const size = kilobytes(bytes);
	const over = size > budget;
	if (over) process.exitCode = 1;
	const verdict = over ? "  OVER BUDGET" : "";
	console.log(
		`${name.padEnd(28)} ${size.toFixed(1).padStart(7)} kB of ${budget}${verdict}`,
	);
}
