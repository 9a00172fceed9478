// Bundles the notebook widget: one ES module with viewer, worker and core, which needs no
// other file. Writes it into the Python package. Run after the library's build.
import { fileURLToPath } from "node:url";
import { ALL, inlined, providing } from "./inline.mjs";

const widget = new URL("../../python/bevscope/static/widget.js", import.meta.url);

const modules = new URL("../../build/modules", import.meta.url);
const packages = new URL("../node_modules", import.meta.url);

await inlined(
	providing(ALL, 'export { default } from "./notebook.js";'),
	fileURLToPath(widget),
	// They import the packages of web/, where they are searched otherwise.
	{ modules: fileURLToPath(modules), nodePaths: [fileURLToPath(packages)] },
);
