import "bevscope-viewer";
import { ChunkedDataset } from "bevscope";
import { add } from "./page.js";

/** Draws the way that the ego vehicle takes in a scene over the picture. */
export async function run(main, url, scene = 0) {
	const dataset = await ChunkedDataset.open(url);
	const { frameBegin, frames } = await dataset.scene(scene);
	const fields = ["ego_translation"];
	const rows = await dataset.frames.rows(frameBegin, frameBegin + frames, { fields });
	const positions = rows.column("ego_translation").data; // x, y, z in world metres
	dataset.close();
	const points = new Float64Array(2 * frames);
	for (let i = 0; i < frames; i += 1) {
		points.set(positions.subarray(3 * i, 3 * i + 2), 2 * i);
	}
	const viewer = add(main, "bev-viewer", { src: url, scene });
	viewer.overlays = [{ points, kind: "line", color: "#ff5fa8", scene }];
	await viewer.settled;
}
