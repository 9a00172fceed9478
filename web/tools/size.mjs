// Prints the download sizes of a page in kB (brotli) and fails if one exceeds its
// budget.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { workerScript } from "./worker-script.mjs";

const at = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

/**
 * Bundles an entry like an application's bundler: minified, without wasm and workers.
 * `atOnce` is loaded before the first image, `later` lazily.
 */
async function bundled(entry) {
	const { outputFiles, metafile } = await build({
		entryPoints: [at(entry)],
		outdir: "bundled",
		bundle: true,
		splitting: true,
		metafile: true,
		minify: true,
		format: "esm",
		write: false,
		logLevel: "error",
	});
	const written = new Map(
		outputFiles.map((file) => [basename(file.path), file.contents]),
	);
	const chunks = new Map(
		Object.entries(metafile.outputs).map(([path, output]) => [
			path,
			{ ...output, contents: written.get(basename(path)) },
		]),
	);
	const first = [...chunks.keys()].find((path) =>
		chunks.get(path).entryPoint?.endsWith(`dist/${entry}`),
	);
	const needed = new Set([first]);
	for (const path of needed) {
		for (const { kind, path: other } of chunks.get(path).imports) {
			if (kind === "import-statement" && chunks.has(other)) needed.add(other);
		}
	}
	const join = (paths) => Buffer.concat(paths.map((path) => chunks.get(path).contents));
	return {
		atOnce: join([...needed]),
		later: join([...chunks.keys()].filter((path) => !needed.has(path))),
	};
}

function kilobytes(bytes) {
	const params = {
		[constants.BROTLI_PARAM_QUALITY]: 11,
		[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
	};
	return brotliCompressSync(bytes, { params }).length / 1000;
}

/** Limit of scripts, worker and module that the first image needs, in kB. */
const FIRST_LOAD = 283;

/**
 * Limits of their gzip sizes. `worker.js` contains Emscripten's loader of the core, which
 * counts as part of the core.
 */
const FIRST_ZIPPED = { scripts: 75, worker: 22, core: 247 };

/** Returns the worker's script without the core's loader. */
async function workerWithoutLoader() {
	const source = fileURLToPath(new URL("../src/worker.ts", import.meta.url));
	const [{ code, imports }] = await workerScript(source, [/\/bev_core\.mjs$/]);
	if (imports.length === 1) return Buffer.from(code);
	throw new Error(`worker: ${imports.length} external modules (expected bev_core.mjs)`);
}

/** The scripts that a page with `cdn/viewer.js` loads before the first image. */
function firstScripts() {
	const shared = readdirSync(at("chunks")).filter((name) =>
		/^(library|elements)-.*\.js$/.test(name),
	);
	const first = shared.map((name) => `chunks/${name}`);
	return ["cdn/viewer.js", ...first].map((path) => readFileSync(at(path)));
}

const elements = await bundled("elements/define.js");
const budgets = [
	["index.js, bundled", (await bundled("index.js")).atOnce, 24.4],
	["elements/define.js, bundled", elements.atOnce, 66],
	["... and what it loads later", elements.later, 288],
	["worker.js", readFileSync(at("worker.js")), 24.1],
	["save.js, bundled", (await bundled("save.js")).atOnce, 31],
	["wasm/bev_core.wasm", readFileSync(at("wasm/bev_core.wasm")), 192],
	["wasm/bev_stream.wasm", readFileSync(at("wasm/bev_stream.wasm")), 400],
	["wasm/bev_save.wasm", readFileSync(at("wasm/bev_save.wasm")), 250],
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

// What a page with the viewer loads before the first image.
const sum = (sizes) => sizes.reduce((all, size) => all + size, 0);
const zipped = (bytes) => gzipSync(bytes, { level: 9 }).length / 1000;
const scripts = firstScripts();
const worker = readFileSync(at("worker.js"));
const core = readFileSync(at("wasm/bev_core.wasm"));
const total = sum([...scripts, worker, core].map(kilobytes));
if (total > FIRST_LOAD) process.exitCode = 1;
console.log(`first load: ${total.toFixed(0)} kB of ${FIRST_LOAD}`);
const ownWorker = zipped(await workerWithoutLoader());
const first = {
	scripts: sum(scripts.map(zipped)),
	worker: ownWorker,
	core: zipped(core) + zipped(worker) - ownWorker,
};
for (const [name, size] of Object.entries(first)) {
	const over = size > FIRST_ZIPPED[name];
	if (over) process.exitCode = 1;
	const verdict = over ? "  OVER BUDGET" : "";
	console.log(
		`${`... ${name}, gzip`.padEnd(28)} ${size.toFixed(1).padStart(7)} kB of ${FIRST_ZIPPED[name]}${verdict}`,
	);
}
