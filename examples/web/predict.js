import "bevscope-viewer";
import { ChunkedDataset } from "bevscope";
import { add } from "./page.js";

const STEPS = 20;

/** Shows own predictions of a frame: every agent keeps its velocity for two seconds. */
export async function run(main, url, scene = 0, frame = 40) {
	const dataset = await ChunkedDataset.open(url);
	const { agents } = await dataset.frame(scene, frame);
	const { seconds } = await dataset.timeline(scene);
	const overlays = [];
	for (let i = 0; i < agents.length; i += 1) {
		const points = new Float64Array(2 * (STEPS + 1));
		for (let step = 0; step <= STEPS; step += 1) {
			const time = (seconds[frame + step] ?? Number.NaN) - seconds[frame];
			points[2 * step] = agents.centroid[2 * i] + time * agents.velocity[2 * i];
			points[2 * step + 1] =
				agents.centroid[2 * i + 1] + time * agents.velocity[2 * i + 1];
		}
		overlays.push({ points, kind: "line", color: "#ff5fa8", scene, frame });
	}
	dataset.close();
	const viewer = add(main, "bev-viewer", { src: url, scene, frame });
	viewer.overlays = overlays;
	await viewer.settled;
}
