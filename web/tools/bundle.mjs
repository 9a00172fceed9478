// Completes dist/ after tsc: the WebAssembly modules, the worker as one file, and the scripts
// for bundlers, Node and pages without a bundler.
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
import { bundled } from "./chunks.mjs";
import { ALL, DATA, inlined, providing } from "./inline.mjs";
import { LIT } from "./lit.mjs";
import { NOTICES } from "./notices.mjs";
import { MINIFIED, workerScript } from "./worker-script.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** Entries that are single files already. */
const DONE = /worker\.js$/;

/** Where the source maps are: apart, because they are larger than the package. */
const MAPS = at("../build/maps");

/** The modules, each as tsc wrote it. */
const APART = at("../build/modules");

/** A notice of licences and authors, which minifying keeps. */
const NOTICE = /\/\*[*!](?:(?!\*\/)[^`])*?(?:@license|Copyright)(?:(?!\*\/)[^`])*\*\//g;

/** Keeps each notice once. Lines keep their numbers for source maps. */
function withNoticesOnce(code) {
	const seen = new Set();
	return code.replace(NOTICE, (notice) => {
		if (!seen.has(notice)) return seen.add(notice) && notice;
		return "\n".repeat(notice.split("\n").length - 1);
	});
}

/** Writes a script of dist/, and its source map to the maps. */
function writeScript(file, code, map) {
	const own = code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n");
	for (const [path, text] of [
		[at(`dist/${file}`), withNoticesOnce(own)],
		[`${MAPS}/${file}.map`, map],
	]) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

/** What entries need at once: a module is in the first group that has it. */
const FIRST = [
	["save", /\/loading\/save-module\./],
	["library", ["index"], ["elements/page"]],
	["elements", ["elements/page"]],
	["base", ["index"], ["tools", "save"]],
	["base", /\/dist\/base\//],
	["core", ["tools"]],
	["core", /\/source\/zip-source\./],
	["data", ["index"]],
	["data", /\/source\/(file-source|folder)\./],
];

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
for (const name of ["worker", "review-worker", "convert-worker", "model-worker"])
	await bundleWorker(name);

// `new URL("../worker.js", import.meta.url)` is relative to dist/loading. Therefore
// chunks are also one directory below the three files they load.
await bundleInline();
await bundleModules();
rmSync(at("dist/wasm/bev_core.mjs")); // bundled

/** Replaces a worker's script by one file. */
async function bundleWorker(name) {
	const [{ fileName, code, map }] = await workerScript(at(`dist/${name}.js`));
	writeScript(fileName, code, String(map));
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

/** The entries of package.json, below dist/. */
function entries() {
	const { exports } = JSON.parse(readFileSync(at("package.json"), "utf8"));
	return Object.values(exports)
		.map(({ default: path = "" }) => path)
		.filter((path) => /^\.\/dist\/[\w/]+\.js$/.test(path) && !DONE.test(path))
		.map((path) => path.slice("./dist/".length, -".js".length));
}

/**
 * Replaces the modules that tsc wrote by few larger ones, which bundlers, Node and pages
 * without a bundler share. They contain the packages that they import: a page finds no
 * package by its name.
 */
async function bundleModules() {
	const output = await bundled({
		input: {
			...Object.fromEntries(entries().map((name) => [name, at(`dist/${name}.js`)])),
			"cdn/viewer": at("dist/elements/page.js"),
		},
		first: FIRST,
		at: (path) => at(`dist/${path}`),
		external: ["apache-arrow"], // the user's
		plugins: [LIT],
		// In a file of its own: importing the classes of elements must not define them.
		apart: [at("dist/elements/define.js"), at("dist/elements/page.js")],
		output: {
			...MINIFIED,
			sourcemap: true,
			// A cache never mixes the chunks of two versions.
			chunkFileNames: "chunks/[name]-[hash].js",
		},
	});
	// As they are, for the widget of notebooks and for benchmarks.
	const isOurs = (path) =>
		!/\/dist\/(inline|[\w-]*worker\.js)|\.(d\.ts|wasm)$/.test(path);
	rmSync(APART, { recursive: true, force: true });
	cpSync(at("dist"), APART, { recursive: true, filter: isOurs });
	for (const file of readdirSync(at("dist"), { recursive: true })) {
		const kept = /^wasm\/|^(inline|inline-viewer|[\w-]*worker)\.js/.test(file);
		if (/\.map$/.test(file) || (/\.js$/.test(file) && !kept))
			rmSync(at(`dist/${file}`));
	}
	for (const chunk of output) if (chunk.code !== undefined) writeModule(chunk);
}

/** Checks and writes a file of `bundleModules`. */
function writeModule({ fileName, code, map }) {
	if (!fileName.startsWith("chunks/") && /import\.meta\.url/.test(code))
		throw new Error(`${fileName}: names files as if it were in chunks/`);
	// Bundlers look for `new URL("..", import.meta.url)`, in quotes, and leave imports of
	// computed addresses to the page if a comment says so, which minifying removes.
	const text = code
		.replace(/new URL\(`([^`$]*)`,\s*import\.meta\.url\)/g, (all) =>
			all.replaceAll("`", '"'),
		)
		.replace(/\bimport\(([\w$]+)\)/g, "import(/* webpackIgnore: true */$1)");
	writeScript(fileName, text, String(map));
	if (fileName !== "index.js") return;
	// The same module for pages without a bundler, beside their viewer.
	const beside = text.replaceAll(/(["'`])\.\/chunks\//g, "$1../chunks/");
	writeScript("cdn/bevscope.js", beside, String(map));
}
