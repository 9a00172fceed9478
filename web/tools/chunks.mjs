// Which modules are published together: few files, each of what is needed at once. A page of
// HTTP/1.1 requests six files at a time, so that a hundred small ones cost more than their bytes.
import { existsSync, readFileSync } from "node:fs";
import { rolldown } from "rolldown";
import { TARGET } from "./inline.mjs";

/** Modules that a viewer loads together after its first image. */
const AFTER = [
	"elements/around",
	"elements/open/open",
	"elements/scene-view/scene-controls",
	"elements/session/after-frame",
	"elements/timeline/plots",
	"elements/viewer/chrome",
	// Asked for by every viewer that shows a data set.
	"elements/draw/gl/gl-painter",
	"elements/map/open-map",
	"elements/notes/notes-store",
];

/** What is loaded on request, by directory, in the order in which they are tried. */
const LAZY = [
	["export", /\/elements\/export\//],
	["model", /^\/dist\/model[./]/],
	["live", /\/elements\/models\//],
	[
		"futures",
		/\/(reviewing\/remote-futures|elements\/futures\/(?!(scores-file|planner-scores)\.))/,
	],
	["review", /\/(reviewing|elements\/(review|rollout))\//],
	// Without elements: programs without a viewer load them, too.
	["reading", /\/(facts|reader|samples)\//],
	["sources", /\/(source|dataset)\/(?!parquet\.)/],
	[
		"parquet",
		/\/(hyparquet|fzstd|(dist|src)\/parquet\/|dataset\/parquet\.|converting\/(parquet|forecasts|pages)\.|elements\/futures\/(scores-file|planner-scores)\.)/,
	],
	["local", /\/(worker|core|wasm)\//],
	["search", /\/elements\/(find|gallery)\//],
	["cameras", /\/elements\/sensors\//],
	["simulation", /\/(xz-decompress|converting\/simulation\.)/],
	["files", /\/(converting|elements\/open)\//],
	["panels-more", /\/elements\//],
];

/** Adds `id` and its static imports, recursively, to `found`. */
function staticImports(context, id, found) {
	if (found.has(id)) return;
	found.add(id);
	const { importedIds = [] } = context.getModuleInfo(id) ?? {};
	for (const imported of importedIds) staticImports(context, imported, found);
}

/**
 * Bundles entries to a few files. `first` are the groups of modules that entries need at
 * once: name and entries. A module belongs to the first group that has it.
 *
 * @param at  returns the path of a module of dist/ without its extension
 * @param apart  modules that stay in the files of their entries
 */
export async function bundled({ input, first, at, apart = [], output, ...settings }) {
	const { external, plugins = [] } = settings;
	const groups = [];
	const inGroup = (name) => (id) =>
		!apart.includes(id) && groups.find(([, has]) => has(id))?.[0] === name;
	const bundle = await rolldown({
		input,
		external,
		platform: "browser",
		// Bundlers would look for the AMD modules that UMD files of dependencies name.
		transform: { target: TARGET, define: { define: "undefined" } },
		plugins: [
			...plugins,
			{
				name: "groups",
				// With the source map of tsc, if there is one.
				load(id) {
					if (!id.startsWith(at(""))) return null;
					const map = existsSync(`${id}.map`)
						? readFileSync(`${id}.map`, "utf8")
						: null;
					return { code: readFileSync(id, "utf8"), map };
				},
				buildEnd() {
					const reached = (ids) => {
						const found = new Set();
						for (const id of ids) staticImports(this, id, found);
						return found;
					};
					const own = (id) => id.startsWith(at(""));
					// Whatever the folder is called that the repository is in.
					const named = (id) => `/dist/${id.slice(at("").length)}`;
					for (const [name, ...sets] of first) {
						if (sets[0] instanceof RegExp) {
							groups.push([name, (id) => sets[0].test(id)]);
							continue;
						}
						const all = sets.map((ids) => reached(ids.map((one) => `${at(one)}.js`)));
						groups.push([name, (id) => all.every((set) => set.has(id))]);
					}
					const after = reached(AFTER.map((one) => `${at(one)}.js`));
					groups.push(["panels", (id) => after.has(id)]);
					for (const [name, path] of LAZY)
						groups.push([name, (id) => own(id) && path.test(named(id))]);
				},
			},
		],
	});
	const names = new Set([...first, ["panels"], ...LAZY].map(([name]) => name));
	const written = await bundle.generate({
		format: "esm",
		codeSplitting: {
			groups: Array.from(names, (name) => ({ name, test: inGroup(name) })),
		},
		...output,
	});
	await bundle.close();
	return written.output;
}
