import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { EXAMPLES, writeExamples } from "../tools/examples/write.mjs";
import { NOTICES } from "../tools/notices.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outDir = `${root}build/app`;

/**
 * Data of `bevscope town`: the small one for the example if it exists, otherwise the
 * full one.
 */
const town = ["town-example", "town"]
	.map((name) => `${root}build/${name}`)
	.find((folder) => existsSync(`${folder}/scenes`));

/** Its address on the page. */
const TOWN = "example/scenes/town.zarr";

/** The files of the town that the viewer reads. */
const PARTS = ["scenes", "semantic_map", "meta.json"];

/** Adds the example to the app. */
function exampleTown(): Plugin {
	return {
		name: "example-town",
		apply: "build",
		closeBundle() {
			if (!town) return this.warn("there is no build/town: the app has no example");
			for (const part of PARTS) {
				cpSync(`${town}/${part}`, `${outDir}/example/${part}`, { recursive: true });
			}
		},
	};
}

/** A model of the town: examples/python/town_model.py. */
const model = `${root}examples/models/town.onnx`;

/** ONNX Runtime Web, if it is installed, and its files for WebAssembly. */
const runtime = `${root}build/tensors/node_modules/onnxruntime-web/dist`;
const RUNTIME_FILES = [
	"ort.wasm.min.mjs",
	"ort-wasm-simd-threaded.mjs",
	"ort-wasm-simd-threaded.wasm",
];

const hasModel = town !== undefined && existsSync(model);

/** Adds the example model, and the runtime that it needs. */
function exampleModel(): Plugin {
	return {
		name: "example-model",
		apply: "build",
		closeBundle() {
			if (!hasModel) return;
			cpSync(model, `${outDir}/example/town.onnx`);
			if (!existsSync(runtime)) {
				return this.warn("there is no build/tensors: the app has no ONNX Runtime Web");
			}
			for (const file of RUNTIME_FILES)
				cpSync(`${runtime}/${file}`, `${outDir}/ort/${file}`);
		},
	};
}

/** Adds made-up scenarios of other data sets. */
function exampleScenarios(): Plugin {
	return {
		name: "example-scenarios",
		apply: "build",
		closeBundle() {
			writeExamples(`${outDir}/example`);
		},
	};
}

/** Addresses of the example scenarios, with their names on the page. */
const scenarios = [
	{ label: "Argoverse 2 example", address: `example/${EXAMPLES.argoverse2}` },
	{ label: "CommonRoad example", address: `example/${EXAMPLES.commonroad}` },
	{ label: "INTERACTION example", address: `example/${EXAMPLES.interaction}` },
	{ label: "nuPlan example", address: `example/${EXAMPLES.nuplan}` },
	{ label: "nuScenes example", address: `example/${EXAMPLES.nuscenes}` },
	{ label: "ScenarioNet example", address: `example/${EXAMPLES.scenarionet}` },
	{ label: "Waymo example", address: `example/${EXAMPLES.waymo}` },
];

/** Adds the licence and the notices of the app's code. */
function notices(): Plugin {
	return {
		name: "notices",
		apply: "build",
		closeBundle() {
			for (const name of NOTICES) cpSync(`${root}${name}`, `${outDir}/${name}`);
			const font = fileURLToPath(
				new URL("../node_modules/@fontsource-variable/inter/LICENSE", import.meta.url),
			);
			cpSync(font, `${outDir}/assets/inter-LICENSE.txt`);
		},
	};
}

/** Preloads worker, module and typeface with the page instead of after the script. */
function preloads(): Plugin {
	return {
		name: "preloads",
		apply: "build",
		transformIndexHtml: {
			order: "post",
			handler(_html, { bundle = {} }) {
				const named = (pattern: RegExp) =>
					Object.keys(bundle).filter((name) => pattern.test(name));
				const module = { rel: "preload", as: "fetch", crossorigin: "anonymous" };
				const wasm = { ...module, type: "application/wasm" };
				// Fills the browser's cache, from which the worker starts.
				const worker = { rel: "modulepreload", crossorigin: true };
				const font = { ...module, as: "font", type: "font/woff2" };
				const links = [
					...named(/\/worker-[^/]*\.js$/).map((name) => ({ ...worker, href: name })),
					...named(/bev_core[^/]*\.wasm$/).map((name) => ({ ...wasm, href: name })),
					...named(/\.woff2$/).map((name) => ({ ...font, href: name })),
				];
				return links.map(({ href, ...attrs }) => ({
					tag: "link",
					attrs: { ...attrs, href: `./${href}` },
					injectTo: "head" as const,
				}));
			},
		},
	};
}

/** The viewer's first script, without those of the start page of published sites. */
const START = {
	name: "start",
	tags: ["$initial" as const],
	test: (id: string) => !/\/app\/site\b/.test(id),
};

/**
 * The viewer app. The library is not built with Vite, whose library mode inlines the
 * module.
 */
export default defineConfig({
	root: fileURLToPath(new URL(".", import.meta.url)),
	base: "./",
	define: {
		BEV_EXAMPLE: JSON.stringify(town ? TOWN : null),
		BEV_MODEL: JSON.stringify(hasModel ? "example/town.onnx" : null),
		BEV_SCENARIOS: JSON.stringify(scenarios),
	},
	build: {
		outDir,
		emptyOutDir: true,
		target: "es2022",
		assetsInlineLimit: 0,
		rolldownOptions: {
			input: ["index.html", "site.html"].map((name) =>
				fileURLToPath(new URL(name, import.meta.url)),
			),
			// What the page starts with is one script, not one for each set of users.
			output: { codeSplitting: { groups: [START] } },
		},
	},
	worker: { format: "iife" }, // also a valid classic script, like the package's worker
	plugins: [exampleTown(), exampleModel(), exampleScenarios(), notices(), preloads()],
});
