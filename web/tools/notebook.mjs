// Bundles the notebook widget: one ES module with viewer, worker and core, which needs no
// other file, and the component of Streamlit, which imports it. Writes them into the Python
// package, with the app, which the package publishes with data, but for the modules that the
// widget contains. Run after the builds of library and app.
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ALL, inlined, providing, SETTINGS } from "./inline.mjs";

const widget = new URL("../../python/bevscope/static/widget.js", import.meta.url);

const modules = new URL("../../build/modules", import.meta.url);
const packages = new URL("../node_modules", import.meta.url);

await inlined(
	providing(ALL, 'export { default, mount } from "./notebook.js";'),
	fileURLToPath(widget),
	// They import the packages of web/, where they are searched otherwise.
	{ modules: fileURLToPath(modules), nodePaths: [fileURLToPath(packages)] },
);

await build({
	...SETTINGS,
	minify: true,
	entryPoints: [fileURLToPath(new URL("notebook/streamlit.js", `${modules}/`))],
	outfile: fileURLToPath(new URL("streamlit.js", widget)),
	plugins: [
		{
			name: "widget",
			setup({ onResolve }) {
				const beside = { path: "./widget.js", external: true };
				onResolve({ filter: /\/notebook\.js$/ }, () => beside);
			},
		},
	],
});

const app = fileURLToPath(new URL("../../build/app", import.meta.url));
const published = fileURLToPath(
	new URL("../../python/bevscope/static/app", import.meta.url),
);
rmSync(published, { recursive: true, force: true });
cpSync(app, published, {
	recursive: true,
	// A published site has data of its own, and a page of its own. ONNX Runtime Web is as large
	// as the rest of the Python package, and has to be copied beside the page (docs/models.md).
	filter: (path) => !/^\/(example|index\.html|ort(\/|$))/.test(path.slice(app.length)),
});

const hashOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

// Each module and worker once in the package: bevscope.publish takes these from the widget.
// Vite's builds of the workers' sources have other names, and annotations.
const taken = {};
for (const path of Object.values(ALL)) {
	const [stem, ending] = path.split("/").at(-1).split(".");
	const pattern = new RegExp(`^assets/${stem}-[\\w-]{8}\\.${ending}$`);
	const names = readdirSync(published, { recursive: true }).filter((name) =>
		pattern.test(name),
	);
	if (names.length !== 1) {
		throw new Error(`app: ${names.length} files of ${path} (expected 1)`);
	}
	taken[names[0]] = hashOf(new URL(`../dist/${path}`, import.meta.url));
	rmSync(`${published}/${names[0]}`);
}
writeFileSync(new URL("modules.json", widget), JSON.stringify(taken));
