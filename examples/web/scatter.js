import { ChunkedDataset } from "bevscope";
import uPlot from "uplot";
import { add } from "./page.js";

/** Plots the speed of all moving vehicles over their distance to the ego vehicle. */
export async function run(main, url) {
	const dataset = await ChunkedDataset.open(url);
	const where = "class == 'VEHICLE' and speed > 0.5";
	const reader = dataset.reader({ where, fields: ["distance_to_ego", "speed"] });
	const points = [[], []];
	for await (const batch of reader) {
		points[0].push(...batch.column("distance_to_ego").data);
		points[1].push(...batch.column("speed").data);
	}
	dataset.close();
	const style = { rel: "stylesheet", href: "../../packages/uplot/dist/uPlot.min.css" };
	add(document.head, "link", style);
	const options = {
		width: main.clientWidth,
		height: 400,
		mode: 2,
		scales: { x: { time: false }, y: {} },
		axes: [{ label: "metres to the ego vehicle" }, { label: "m/s" }],
		series: [{}, { paths: drawPoints, stroke: "#0072b2" }],
	};
	const plot = new uPlot(options, [null, points], add(main, "div", { class: "plot" }));
	plot.root.dataset.points = points[0].length;
}

function drawPoints(plot, series) {
	const [x, y] = plot.data[series];
	plot.ctx.fillStyle = "#0072b280";
	for (let i = 0; i < x.length; i += 1) {
		const at = [plot.valToPos(x[i], "x", true), plot.valToPos(y[i], "y", true)];
		plot.ctx.fillRect(...at, 3, 3);
	}
}
