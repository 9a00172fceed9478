// Bundles the notebook widget: one ES module with viewer, worker and core, which needs no
// other file. Writes it into the Python package. Run after the library's build.
import { fileURLToPath } from "node:url";
import { ALL, inlined, providing } from "./inline.mjs";

const widget = new URL("../../python/bevscope/static/widget.js", import.meta.url);

await inlined(
	providing(ALL, 'export { default } from "./notebook.js";'),
	fileURLToPath(widget),
);
