// Bundles the notebook widget: one ES module with viewer, worker and core, which needs no
// other file, and the component of Streamlit, which imports it. Writes them into the Python
// package, with the app, which the package publishes with data. Run after the builds of
// library and app.
import { cpSync, rmSync } from "node:fs";
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
	// A published site has data of its own, and a page of its own.
	filter: (path) => !/^\/(example|index\.html)/.test(path.slice(app.length)),
});
