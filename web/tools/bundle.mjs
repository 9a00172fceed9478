// Completes dist/ after tsc: the WebAssembly modules, the worker as one file, and the builds
// for pages without a bundler.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { NOTICES } from "./notices.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** Same as `OLDEST_BROWSERS` in `src/loading/probe.ts`. */
const target = ["chrome105", "firefox121", "safari16.4"];
const common = {
	bundle: true,
	format: "esm",
	target,
	sourcemap: true,
	sourcesContent: true,
	logLevel: "warning",
};

mkdirSync(at("dist/wasm"), { recursive: true });
// In dist/, so that the notices stay with the code wherever it is copied.
for (const name of NOTICES) copyFileSync(at(`../${name}`), at(`dist/${name}`));
for (const name of ["bev_core", "bev_tools"]) {
	for (const kind of ["mjs", "wasm", "d.mts"]) {
		copyFileSync(at(`src/wasm/${name}.${kind}`), at(`dist/wasm/${name}.${kind}`));
	}
}
copyFileSync(at("src/wasm/bev_full.wasm"), at("dist/wasm/bev_full.wasm"));

// Each worker is a single file, so that it loads with one request and can be copied
// anywhere. It is a valid module and classic script: documents with an opaque origin
// allow only the latter.
for (const name of ["worker", "review-worker"]) {
	await build({
		...common,
		format: "iife",
		define: { "import.meta.url": "self.location.href" },
		minify: true,
		entryPoints: [at(`dist/${name}.js`)],
		outfile: at(`dist/${name}.js`),
		allowOverwrite: true,
	});
}

// `new URL("../worker.js", import.meta.url)` is relative to dist/loading. Therefore
// bundles are also one directory below the three files they load.
await build({
	...common,
	minify: true,
	entryPoints: [at("dist/index.js")],
	outfile: at("dist/cdn/bevscope.js"),
});

const DATA = { wasm: "wasm/bev_full.wasm", worker: "worker.js" };
const REVIEW = { tools: "wasm/bev_tools.wasm", reviewWorker: "review-worker.js" };

await bundleViewer();
await bundleInline();

/** Adds `id` and its static imports, recursively, to `found`. */
function staticImports(context, id, found) {
	if (found.has(id)) return;
	found.add(id);
	const { importedIds = [] } = context.getModuleInfo(id) ?? {};
	for (const imported of importedIds) staticImports(context, imported, found);
}

/**
 * Bundles the elements and Lit for pages without a bundler: `cdn/viewer.js`, which
 * imports one file with everything needed for the first image, and lazily loaded parts.
 * The entry contains no code, so that a query in its URL or a redirect does not load
 * code twice.
 */
async function bundleViewer() {
	const entry = at("dist/elements/page.js");
	const first = new Set();
	const bundle = await rolldown({
		input: { viewer: entry },
		platform: "browser",
		transform: { target },
		plugins: [
			{
				name: "first-load",
				buildEnd() {
					staticImports(this, entry, first);
				},
			},
		],
	});
	await bundle.write({
		dir: at("dist/cdn"),
		format: "esm",
		minify: true,
		comments: { legal: true, annotation: false, jsdoc: false },
		chunkFileNames: "viewer-[name]-[hash].js",
		codeSplitting: { groups: [{ name: "elements", test: (id) => first.has(id) }] },
	});
	await bundle.close();
}

function base64(path) {
	return readFileSync(at(`dist/${path}`)).toString("base64");
}

/** Returns a script that provides embedded files and then runs `rest`. */
function providing(files, rest) {
	const texts = Object.entries(files).map(([name, path]) => [name, base64(path)]);
	return `
		import { provide } from "./loading/embedded.js";
		provide(${JSON.stringify(Object.fromEntries(texts))});
		${rest}`;
}

/** Bundles single files: a module with the library, a script with the viewer. */
async function bundleInline() {
	const inlined = (contents, outfile, more) =>
		build({
			...common,
			minify: true,
			sourcemap: false,
			stdin: { contents, resolveDir: at("dist"), sourcefile: "inline-entry.js" },
			outfile: at(`dist/${outfile}`),
			...more,
		});
	await inlined(providing(DATA, 'export * from "./index.js";'), "inline.js");
	writeFileSync(at("dist/inline.d.ts"), 'export * from "./index.js";\n');
	// From disk, browsers load classic scripts but no modules.
	const viewer = `
		export * from "./elements/page.js";
		export * from "./index.js";`;
	await inlined(providing({ ...DATA, ...REVIEW }, viewer), "inline-viewer.js", {
		format: "iife",
		globalName: "bevscope",
		define: { "import.meta.url": "undefined" },
	});
	writeFileSync(at("dist/inline-viewer.d.ts"), 'import "./elements/define.js";\n');
}
