import { ChunkedDataset } from "bevscope";
import { addTable } from "./page.js";

/** Lists the scenes of a data set with their vehicle, start and length. */
export async function run(main, url) {
	const dataset = await ChunkedDataset.open(url);
	const rows = [];
	for (let i = 0; i < dataset.scenes.length; i += 1) {
		const { host, start, frames, seconds } = await dataset.scene(i);
		const date = new Date(Number(start / 1_000_000n)); // start is in nanoseconds
		rows.push([i, host, date.toISOString(), frames, seconds.toFixed(1)]);
	}
	addTable(main, ["scene", "host", "start", "frames", "seconds"], rows);
	dataset.close();
}
