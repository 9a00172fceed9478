// Completes dist/ after tsc: the WebAssembly modules, the worker as one file, and the builds
// for pages without a bundler.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { NOTICES } from "./notices.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** As `src/loading/floor.ts` says. */
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
// Beside the code that they are about, wherever dist/ is copied to.
for (const name of NOTICES) copyFileSync(at(`../${name}`), at(`dist/${name}`));
for (const name of ["bev_core", "bev_tools"]) {
	for (const kind of ["mjs", "wasm", "d.mts"]) {
		copyFileSync(at(`src/wasm/${name}.${kind}`), at(`dist/wasm/${name}.${kind}`));
	}
}
copyFileSync(at("src/wasm/bev_full.wasm"), at("dist/wasm/bev_full.wasm"));

// A worker is one file, so that it starts by one request and can be copied anywhere. It is
// a module and a classic script alike: documents with an opaque origin get the latter only.
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

// `new URL("../worker.js", import.meta.url)` is relative to dist/loading, and so are the
// files beside a bundle: one folder down from the three files it needs.
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

/** Adds `id` and the modules that it imports statically to `found`. */
function staticImports(context, id, found) {
	if (found.has(id)) return;
	found.add(id);
	const { importedIds = [] } = context.getModuleInfo(id) ?? {};
	for (const imported of importedIds) staticImports(context, imported, found);
}

/**
 * The elements and Lit for pages without a bundler: `cdn/viewer.js`, which imports one file
 * with all that the first picture needs, and parts that are loaded later. The entry holds no
 * code, so that a query in its address or a redirect loads nothing twice.
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

/** Text of a script that provides files from inside, then does what `rest` says. */
function providing(files, rest) {
	const texts = Object.entries(files).map(([name, path]) => [name, base64(path)]);
	return `
		import { provide } from "./loading/embedded.js";
		provide(${JSON.stringify(Object.fromEntries(texts))});
		${rest}`;
}

/** Files that need no other: a module with the library, a script with the viewer. */
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
	// Browsers load no module from a disk, but a classic script.
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
