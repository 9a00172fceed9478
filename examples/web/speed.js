import { ChunkedDataset } from "bevscope";
import uPlot from "uplot";
import { add } from "./page.js";

/** Plots the ego vehicle's speed over a scene with uPlot. */
export async function run(main, url, scene = 0) {
	const dataset = await ChunkedDataset.open(url);
	const { ego, seconds } = await dataset.timeline(scene); // one value per frame
	dataset.close();
	const style = { rel: "stylesheet", href: "../../packages/uplot/dist/uPlot.min.css" };
	add(document.head, "link", style);
	const plot = add(main, "div", { class: "plot" });
	const options = {
		width: main.clientWidth,
		height: 400,
		scales: { x: { time: false } },
		series: [{ label: "s" }, { label: "m/s", stroke: "#0072b2" }],
	};
	new uPlot(options, [seconds, ego.speed], plot);
}
