// Completes dist/ after tsc: the WebAssembly modules, the worker as one file, and the builds
// for pages without a bundler.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { ALL, DATA, inlined, providing, SETTINGS, TARGET } from "./inline.mjs";
import { NOTICES } from "./notices.mjs";
import { MINIFIED, workerScript } from "./worker-script.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** Modules that a viewer loads together after its first image. */
const AFTER = [
	"around",
	"open/open",
	"scene-view/scene-controls",
	"timeline/plots",
	"viewer/chrome",
].map((name) => at(`dist/elements/${name}.js`));

const common = { ...SETTINGS, sourcemap: true, sourcesContent: true };

mkdirSync(at("dist/wasm"), { recursive: true });
// In dist/, so that the notices stay with the code wherever it is copied.
for (const name of NOTICES) copyFileSync(at(`../${name}`), at(`dist/${name}`));
const MODULES = ["core", "full", "stream", "tools", "convert", "save"];
const LOADER = ["bev_core.mjs", "bev_core.d.mts"];
for (const file of [...LOADER, ...MODULES.map((name) => `bev_${name}.wasm`)]) {
	copyFileSync(at(`src/wasm/${file}`), at(`dist/wasm/${file}`));
}

// Each worker is a single file, so that it loads with one request and can be copied
// anywhere. It is a valid module and classic script: documents with an opaque origin
// allow only the latter.
for (const name of ["worker", "review-worker", "convert-worker"])
	await bundleWorker(name);

// `new URL("../worker.js", import.meta.url)` is relative to dist/loading. Therefore
// bundles are also one directory below the three files they load.
await build({
	...common,
	minify: true,
	entryPoints: [at("dist/index.js")],
	outfile: at("dist/cdn/bevscope.js"),
});

await bundleViewer();
await bundleInline();

/** Replaces a worker's script by one file. */
async function bundleWorker(name) {
	for (const { fileName, code, source } of await workerScript(at(`dist/${name}.js`)))
		writeFileSync(at(`dist/${fileName}`), code ?? source);
}

/** Adds `id` and its static imports, recursively, to `found`. */
function staticImports(context, id, found) {
	if (found.has(id)) return;
	found.add(id);
	const { importedIds = [] } = context.getModuleInfo(id) ?? {};
	for (const imported of importedIds) staticImports(context, imported, found);
}

/**
 * Bundles the elements and Lit for pages without a bundler: `cdn/viewer.js`, which
 * imports one file with everything needed for the first image, one file with what follows
 * it, and lazily loaded parts.
 * The entry contains no code, so that a query in its URL or a redirect does not load
 * code twice.
 */
async function bundleViewer() {
	const entry = at("dist/elements/page.js");
	const first = new Set();
	const after = new Set();
	const bundle = await rolldown({
		input: { viewer: entry },
		platform: "browser",
		transform: { target: TARGET },
		plugins: [
			{
				name: "first-load",
				buildEnd() {
					staticImports(this, entry, first);
					for (const id of AFTER) staticImports(this, id, after);
				},
			},
		],
	});
	await bundle.write({
		dir: at("dist/cdn"),
		format: "esm",
		...MINIFIED,
		chunkFileNames: "viewer-[name]-[hash].js",
		codeSplitting: {
			groups: [
				{ name: "elements", test: (id) => first.has(id), priority: 2 },
				{ name: "panels", test: (id) => after.has(id), priority: 1 },
			],
		},
	});
	await bundle.close();
}

/** Bundles single files: a module with the library, a script with the viewer. */
async function bundleInline() {
	await inlined(providing(DATA, 'export * from "./index.js";'), at("dist/inline.js"));
	writeFileSync(at("dist/inline.d.ts"), 'export * from "./index.js";\n');
	// From disk, browsers load classic scripts but no modules. Published with
	// bevscope-viewer, because it is larger than the rest of this package.
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
