import { readFileSync } from "node:fs";
import { join } from "node:path";

// Copied by scripts/docs, as the examples are.
const root = join(import.meta.dirname, "../..");

/** The programs in the order of the page, and what they need beside the package. */
const PROGRAMS = {
	cursor: "Steer a viewer by a plot, and the plot by the viewer",
	predict: "Own predictions over the picture",
	find: "Scenes by their facts, with a filter to change",
	scatter: "All vehicles in a plot",
	clip: "A clip of the picture",
	speed: "A time series",
	near: "Rows by a condition",
	raster: "A sample's raster",
	overlay: "The way through a scene",
	events: "What is selected",
	jump: "Places to go to",
	theme: "Colours of a page",
	scenes: "A table of scenes",
	worker: "Reading in a worker",
};

/** Returns a program's code without imports' noise, and its first comment. */
function program([name, title]) {
	const code = readFileSync(join(root, `examples/web/${name}.js`), "utf8").trim();
	const [, words = ""] = /\/\*\* ([^*]+) \*\/\nexport/.exec(code) ?? [];
	return { name, title, words, code, lines: code.split("\n").length };
}

export default {
	watch: ["../../examples/web/*.js"],
	load: () => Object.entries(PROGRAMS).map(program),
};
