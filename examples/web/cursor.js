import "bevscope-viewer";
import { ChunkedDataset } from "bevscope";
import uPlot from "uplot";
import { add } from "./page.js";

/** A plot beside a viewer: a click in the plot moves the viewer, and frames its cursor. */
export async function run(main, url, scene = 0) {
	const dataset = await ChunkedDataset.open(url);
	const { ego, seconds } = await dataset.timeline(scene);
	dataset.close();
	const style = { rel: "stylesheet", href: "../../packages/uplot/dist/uPlot.min.css" };
	add(document.head, "link", style);
	const viewer = add(main, "bev-viewer", {
		...{ src: url, scene, panels: "picture", style: "height: 280px" },
	});
	const plot = new uPlot(
		{
			width: main.clientWidth,
			height: 200,
			scales: { x: { time: false } },
			series: [{ label: "s" }, { label: "m/s", stroke: "#0072b2" }],
		},
		[seconds, ego.speed],
		add(main, "div", { class: "plot" }),
	);
	plot.over.addEventListener("click", () => viewer.seek(plot.cursor.idx));
	viewer.addEventListener("frame-change", ({ detail }) => {
		plot.setCursor({ left: plot.valToPos(seconds[detail.frame], "x"), top: 0 });
	});
	await viewer.settled;
}
