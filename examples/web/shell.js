// The page of the programs: a list, and the program that `?program=` names. `?data=` is
// the data set, and `?theme=` the theme, without which it is the system's.

import { add } from "./page.js";

const PROGRAMS = {
	scenes: "List scenes",
	speed: "Plot the ego vehicle's speed",
	near: "Find pedestrians within 10 m",
	raster: "Draw a sample's raster",
	model: "Run a model on samples",
	sql: "Query agents with SQL",
	jump: "Jump to a frame on click",
	events: "Listen to the viewer",
	overlay: "Draw over the picture",
	theme: "Change the theme",
	find: "Find scenes by their facts",
	predict: "Show own predictions",
	cursor: "Steer a viewer by a plot",
	clip: "Record a clip",
	scatter: "Plot all vehicles",
	worker: "Read in a worker",
};

const { searchParams } = new URL(location.href);
const name =
	Object.keys(PROGRAMS).find((one) => one === searchParams.get("program")) ?? "scenes";
const data = searchParams.get("data") ?? "../../town/scenes/town.zarr";

const theme = searchParams.get("theme");
if (theme) {
	document.documentElement.dataset.theme = theme;
	new MutationObserver((changes) => {
		for (const { addedNodes } of changes)
			for (const node of addedNodes)
				if (node.localName === "bev-viewer") node.setAttribute("theme", theme);
	}).observe(document.body, { childList: true, subtree: true });
}

const nav = document.querySelector("nav");
nav.hidden = searchParams.has("bare"); // in the gallery of the documentation
for (const [program, text] of Object.entries(PROGRAMS)) {
	const query = new URLSearchParams(searchParams);
	query.set("program", program);
	const link = add(nav, "a", { href: `?${query}`, text });
	if (program === name) link.setAttribute("aria-current", "page");
}

const main = document.querySelector("main");
if (!nav.hidden) add(main, "h1", { text: PROGRAMS[name] });
try {
	const { run } = await import(`./${name}.js`);
	await run(main, new URL(data, location.href).href);
} catch (error) {
	add(main, "p", { role: "alert", text: String(error) });
} finally {
	main.removeAttribute("aria-busy");
}
