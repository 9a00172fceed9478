import { ChunkedDataset } from "bevscope";
import { addTable } from "./page.js";

/** Lists the pedestrians within 10 m of the ego vehicle, in all frames, nearest first. */
export async function run(main, url) {
	const dataset = await ChunkedDataset.open(url);
	const where = "label == 'PEDESTRIAN' and distance_to_ego < 10";
	const fields = ["scene", "frame", "track_id", "distance_to_ego"];
	const rows = [];
	for await (const batch of dataset.reader({ where, fields })) {
		const [scene, frame, track, distance] = fields.map(
			(name) => batch.column(name).data,
		);
		for (let i = 0; i < batch.length; i += 1) {
			rows.push([scene[i], frame[i], track[i], distance[i]]);
		}
		batch.release();
	}
	rows.sort((a, b) => a[3] - b[3]);
	const nearest = rows
		.slice(0, 20)
		.map(([...cells]) => [...cells.slice(0, 3), cells[3].toFixed(1)]);
	addTable(main, ["scene", "frame", "track", "metres"], nearest);
	dataset.close();
}
