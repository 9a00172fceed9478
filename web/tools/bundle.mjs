// Completes dist/ after tsc: the WebAssembly modules, the worker as one file, and the builds
// for pages without a bundler.
import {
	copyFileSync,
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { bundled } from "./chunks.mjs";
import { ALL, DATA, inlined, providing } from "./inline.mjs";
import { NOTICES } from "./notices.mjs";
import { MINIFIED, workerScript } from "./worker-script.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** Entries that are single files already. */
const DONE = /worker\.js$/;

/** Where the source maps are: apart, because they are larger than the package. */
const MAPS = at("../build/maps");

/** The modules, each as tsc wrote it. */
const APART = at("../build/modules");

/** Writes a script of dist/, and its source map to the maps. */
function writeScript(file, code, map) {
	for (const [path, text] of [
		[at(`dist/${file}`), code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n")],
		[`${MAPS}/${file}.map`, map],
	]) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

rmSync(MAPS, { recursive: true, force: true });
mkdirSync(at("dist/wasm"), { recursive: true });
// In dist/, so that the notices stay with the code wherever it is copied.
for (const name of NOTICES) copyFileSync(at(`../${name}`), at(`dist/${name}`));
const MODULES = ["core", "stream", "tools", "convert", "save"];
for (const file of ["bev_core.mjs", ...MODULES.map((name) => `bev_${name}.wasm`)]) {
	copyFileSync(at(`src/wasm/${file}`), at(`dist/wasm/${file}`));
}

// Each worker is a single file, so that it loads with one request and can be copied
// anywhere. It is a valid module and classic script: documents with an opaque origin
// allow only the latter.
for (const name of ["worker", "review-worker", "convert-worker"])
	await bundleWorker(name);

// `new URL("../worker.js", import.meta.url)` is relative to dist/loading. Therefore
// bundles are also one directory below the three files they load.
await bundlePages();
await bundleInline();
await bundleModules();
rmSync(at("dist/wasm/bev_core.mjs")); // bundled

/** Replaces a worker's script by one file. */
async function bundleWorker(name) {
	const [{ fileName, code, map }] = await workerScript(at(`dist/${name}.js`));
	writeScript(fileName, code, String(map));
}

/**
 * Bundles what pages without a bundler load: `cdn/viewer.js`, the elements with Lit, and
 * `cdn/bevscope.js`, the library, which share their files. Each imports what it needs at
 * once, for the viewer until its first image, and loads the rest lazily.
 * The viewer's entry contains no code, so that a query in its URL or a redirect does not
 * load code twice.
 */
async function bundlePages() {
	await bundled({
		input: { viewer: at("dist/elements/page.js"), bevscope: at("dist/index.js") },
		first: [
			["library", ["index"], ["elements/page"]],
			["elements", ["elements/page"]],
			["data", ["index"]],
		],
		at: (path) => at(`dist/${path}`),
		output: {
			...MINIFIED,
			dir: at("dist/cdn"),
			chunkFileNames: "viewer-[name]-[hash].js",
		},
	});
}

/** Bundles single files: a module with the library, a script with the viewer. */
async function bundleInline() {
	await inlined(providing(DATA, 'export * from "./index.js";'), at("dist/inline.js"));
	// From disk, browsers load classic scripts but no modules. Both are published with
	// bevscope-viewer, because they are as large as the rest of this package.
	const viewer = `
		export * from "./elements/page.js";
		export * from "./index.js";`;
	await inlined(providing(ALL, viewer), at("dist/inline-viewer.js"), {
		// A byte order mark. Without it, browsers decode a classic script like its page,
		// as Windows-1252 if the page declares no charset.
		banner: { js: "\uFEFF" },
		format: "iife",
		globalName: "bevscope",
		define: { "import.meta.url": "undefined" },
	});
}

/**
 * Replaces the modules that tsc wrote by few larger ones, for bundlers and Node. Packages
 * that they import stay imports. Chunks are one directory below dist/, as `loading/` is, from
 * which workers and modules are found.
 */
async function bundleModules() {
	const { exports } = JSON.parse(readFileSync(at("package.json"), "utf8"));
	const entries = Object.values(exports)
		.map(({ default: path = "" }) => path)
		.filter((path) => /^\.\/dist\/[\w/]+\.js$/.test(path) && !DONE.test(path))
		.map((path) => path.slice("./dist/".length, -".js".length));
	const first = [
		["save", /\/loading\/save-module\./],
		["base", ["index"], ["tools", "save"]],
		["base", /\/dist\/base\//],
		["core", ["tools"]],
		["core", /\/source\/zip-source\./],
		["data", ["index"], ["elements/define"]],
		["data", /\/source\/(file-source|folder)\./],
		["library", ["index"]],
		["elements", ["elements/define"]],
	];
	const output = await bundled({
		input: Object.fromEntries(entries.map((name) => [name, at(`dist/${name}.js`)])),
		first,
		at: (path) => at(`dist/${path}`),
		external: (id) => !/^[./]/.test(id),
		// In a file of its own: importing the classes of elements must not define them.
		apart: [at("dist/elements/define.js")],
		output: {
			sourcemap: true,
			chunkFileNames: "chunks/[name].js",
			minify: false,
		},
	});
	// As they are, for the widget of notebooks and for benchmarks.
	const isOurs = (path) =>
		!/\/dist\/(cdn|inline|[\w-]*worker\.js)|\.(d\.ts|wasm)$/.test(path);
	rmSync(APART, { recursive: true, force: true });
	cpSync(at("dist"), APART, { recursive: true, filter: isOurs });
	for (const file of readdirSync(at("dist"), { recursive: true })) {
		const kept = /^(cdn|wasm)\/|^(inline|inline-viewer|[\w-]*worker)\.js/.test(file);
		if (/\.map$/.test(file) || (/\.js$/.test(file) && !kept))
			rmSync(at(`dist/${file}`));
	}
	for (const { fileName, code, map, imports } of output) {
		if (code === undefined) continue;
		// Its packages are optional peers, installed by those who open Parquet files.
		if (imports.includes("chunks/parquet.js"))
			throw new Error(`${fileName}: imports chunks/parquet.js at once`);
		if (!fileName.includes("/") && /import\.meta\.url/.test(code))
			throw new Error(`${fileName}: names files as if it were in chunks/`);
		const base64 = Buffer.from(String(map)).toString("base64");
		const from = map
			? `//# sourceMappingURL=data:application/json;base64,${base64}`
			: "";
		const given = code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, `\n${from}`);
		// Strings stay as they are: bundlers look for `new URL("..", import.meta.url)`.
		const small = await transform(given, {
			...{ minify: true, format: "esm", target: "es2022", sourcemap: "external" },
		});
		writeScript(fileName, small.code, small.map);
	}
}
